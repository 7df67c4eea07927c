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
#include "base/result.h"

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
  // Adds a parameter behind the others and returns its offset. Names must differ; an empty shape is
  // one number.
  size_t add(std::string name, std::vector<size_t> shape, float mean, float deviation);

  std::span<const ParameterSpec> specs() const { return specs_; }
  // Floats of the arena.
  size_t size() const { return size_; }
  // Fills the arena, which is of size(); the same for the same seed. Each parameter draws from its
  // own stream, so those that are added later leave the values of the others as they are.
  void initialize(uint64_t seed, std::span<float> arena) const;
  // Of names and shapes in their order (FNV-1a): equal for equal architectures only.
  uint64_t hash() const;

 private:
  std::vector<ParameterSpec> specs_;
  size_t size_ = 0;
};

// Of the weights of a layer with so many inputs, if its outputs shall be of the inputs' size.
float initial_deviation(size_t inputs);

// A parameter by itself, as a file holds it (safetensors.h).
struct Tensor {
  std::string name;
  std::vector<size_t> shape;  // row-major; empty = one number
  std::vector<float> values;  // as many as the product of the shape
};

// The parameters of the table as tensors in its order. The arena is of table.size().
std::vector<Tensor> pack(const ParameterTable& table, std::span<const float> arena);

// Whether the tensors are exactly the parameters of the table, in any order; the error names the
// one that is missing, too many or of another shape. Ask this before you allocate an arena for a
// table that a file describes: a few bytes can describe a network larger than the memory.
Status check_tensors(const ParameterTable& table, std::span<const Tensor> tensors);

// Copies the tensors into the arena, which is of table.size(). Fails as check_tensors() does, and
// then leaves the arena as it was.
Status unpack(const ParameterTable& table, std::span<const Tensor> tensors, std::span<float> arena);

}  // namespace cmbo::network
