// SPDX-License-Identifier: Apache-2.0
//
// One table (name, shape, initial value) from which everything follows: the size of the flat arena
// that holds all parameters, where each lies in it, the order in a file, the architecture's hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"

namespace cmbo::network {

struct ParameterSpec {
  std::string name;
  std::vector<size_t> shape;  // row-major
  float mean = 0.0F;          // initial values are normal with this mean
  float deviation = 0.0F;     // and standard deviation
  size_t offset = 0;          // floats from the beginning of the arena
  size_t size = 0;            // product of the shape
};

class ParameterTable {
 public:
  // Adds a parameter behind the others and returns its offset. Names must differ.
  size_t add(std::string name, std::vector<size_t> shape, float mean, float deviation);

  std::span<const ParameterSpec> specs() const { return specs_; }
  // Floats of the arena.
  size_t size() const { return size_; }
  // Fills the arena; the same for the same seed.
  void initialize(uint64_t seed, std::span<float> arena) const;
  // Of names and shapes in their order (FNV-1a): equal for equal architectures only.
  uint64_t hash() const;

 private:
  std::vector<ParameterSpec> specs_;
  size_t size_ = 0;
};

}  // namespace cmbo::network
