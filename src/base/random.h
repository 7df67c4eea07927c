// SPDX-License-Identifier: Apache-2.0
//
// Seeded random numbers, the same on every machine and compiler: the distributions of <random> are
// not specified bit by bit, so they are not used where a result must be reproducible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace cmbo {

// xoshiro256++ (Blackman and Vigna). Cheap to copy. Not thread-safe: give every thread a fork.
class Random {
 public:
  explicit Random(uint64_t seed);

  // An independent generator for the named sub-stream. It depends on this generator's seed and on
  // `stream` alone, never on how many numbers were drawn, so work can be split in any order.
  Random fork(uint64_t stream) const;

  uint64_t next();                          // uniform over all 64-bit values
  double uniform();                         // [0, 1)
  double uniform(double low, double high);  // [low, high)
  size_t index(size_t count);               // 0 .. count-1, unbiased; count > 0
  double normal();                          // mean 0, standard deviation 1
  bool chance(double probability) { return uniform() < probability; }

  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index(i)]);
  }

 private:
  uint64_t seed_;
  uint64_t state_[4];
};

// A well mixed 64-bit hash of a 64-bit value (the finalizer of SplitMix64).
uint64_t mix_bits(uint64_t value);

}  // namespace cmbo
