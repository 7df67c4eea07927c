// SPDX-License-Identifier: Apache-2.0
//
// Working memory of a network's pass: taken piece by piece, given back all at once, and kept for
// the next pass, so that a training loop allocates nothing after its first steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace cmbo::network {

// Not thread-safe: one for each thread.
class Scratch {
 public:
  // `count` floats of any content, valid until reset().
  float* take(size_t count) {
    while (current_ < blocks_.size() && used_ + count > blocks_[current_].size) {
      ++current_;
      used_ = 0;
    }
    if (current_ == blocks_.size()) {
      const size_t size = count > kBlock ? count : kBlock;
      blocks_.push_back({std::make_unique_for_overwrite<float[]>(size), size});
    }
    float* const taken = blocks_[current_].data.get() + used_;
    used_ += count;
    return taken;
  }

  // The same, filled with zeros.
  float* take_zeros(size_t count) {
    float* const taken = take(count);
    std::fill_n(taken, count, 0.0F);
    return taken;
  }

  void reset() { current_ = used_ = 0; }

 private:
  static constexpr size_t kBlock = size_t{1} << 20;  // 4 MB
  struct Block {
    std::unique_ptr<float[]> data;
    size_t size;
  };

  std::vector<Block> blocks_;
  size_t current_ = 0;  // the block that take() uses
  size_t used_ = 0;     // floats of it
};

}  // namespace cmbo::network
