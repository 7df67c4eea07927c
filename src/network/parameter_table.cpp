// SPDX-License-Identifier: Apache-2.0
#include "network/parameter_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace cmbo::network {

namespace {

// The product of the shape, whose floats must be addressable in bytes.
size_t size_of(std::span<const size_t> shape) {
  size_t size = 1;
  for (const size_t length : shape) {
    CHECK(length > 0, "a parameter without values");
    CHECK(length <= SIZE_MAX / sizeof(float) / size, "a parameter larger than the memory");
    size *= length;
  }
  return size;
}

Error mismatch(std::string_view what) {
  return Error(fmt::format("{}; name a model of this network or train one", what));
}

}  // namespace

size_t ParameterTable::add(std::string name, std::vector<size_t> shape, float mean,
                           float deviation) {
  CHECK(!name.empty(), "a parameter needs a name");
  CHECK(std::none_of(specs_.begin(), specs_.end(),
                     [&](const ParameterSpec& spec) { return spec.name == name; }),
        "two parameters have the name " + name);
  const size_t offset = size_;
  const size_t size = size_of(shape);
  CHECK(size <= SIZE_MAX / sizeof(float) - size_, "parameters larger than the memory");
  specs_.push_back({std::move(name), std::move(shape), mean, deviation, offset, size});
  size_ += size;
  return offset;
}

void ParameterTable::initialize(uint64_t seed, std::span<float> arena) const {
  CHECK(arena.size() == size_, "the arena is of another table");
  const Random root(seed);
  for (size_t p = 0; p < specs_.size(); ++p) {
    const ParameterSpec& spec = specs_[p];
    Random random = root.fork(p);
    const auto mean = static_cast<double>(spec.mean);
    const auto deviation = static_cast<double>(spec.deviation);
    for (float& value : arena.subspan(spec.offset, spec.size)) {
      value = static_cast<float>(deviation == 0 ? mean : mean + deviation * random.normal());
    }
  }
}

uint64_t ParameterTable::hash() const {
  Fnv1a hash;
  for (const ParameterSpec& spec : specs_) {
    hash.add(spec.name);
    hash.add(uint64_t{spec.shape.size()});
    for (const size_t length : spec.shape) hash.add(uint64_t{length});
  }
  return hash.value();
}

float initial_deviation(size_t inputs) {
  return 1.0F / std::sqrt(static_cast<float>(inputs));
}

std::vector<Tensor> pack(const ParameterTable& table, std::span<const float> arena) {
  CHECK(arena.size() == table.size(), "the arena is of another table");
  std::vector<Tensor> tensors;
  for (const ParameterSpec& spec : table.specs()) {
    const auto values = arena.subspan(spec.offset, spec.size);
    tensors.push_back({spec.name, spec.shape, {values.begin(), values.end()}});
  }
  return tensors;
}

Status check_tensors(const ParameterTable& table, std::span<const Tensor> tensors) {
  std::unordered_map<std::string_view, const ParameterSpec*> missing;
  for (const ParameterSpec& spec : table.specs()) missing[spec.name] = &spec;
  for (const Tensor& tensor : tensors) {
    const auto found = missing.find(tensor.name);
    if (found == missing.end()) {
      return mismatch(fmt::format("tensor '{}' is too many", clean_text(tensor.name)));
    }
    const ParameterSpec& spec = *found->second;
    if (tensor.shape != spec.shape || tensor.values.size() != spec.size) {
      return mismatch(fmt::format("tensor '{}' has the shape [{}], not [{}]", spec.name,
                                  fmt::join(tensor.shape, ", "), fmt::join(spec.shape, ", ")));
    }
    missing.erase(found);
  }
  for (const ParameterSpec& spec : table.specs()) {
    if (!missing.contains(spec.name)) continue;
    return mismatch(fmt::format("tensor '{}' is missing", spec.name));
  }
  return {};
}

Status unpack(const ParameterTable& table, std::span<const Tensor> tensors,
              std::span<float> arena) {
  CHECK(arena.size() == table.size(), "the arena is of another table");
  CMBO_RETURN_IF_ERROR(check_tensors(table, tensors));
  std::unordered_map<std::string_view, size_t> offsets;
  for (const ParameterSpec& spec : table.specs()) offsets[spec.name] = spec.offset;
  for (const Tensor& tensor : tensors) {
    std::copy(tensor.values.begin(), tensor.values.end(), &arena[offsets[tensor.name]]);
  }
  return {};
}

}  // namespace cmbo::network
