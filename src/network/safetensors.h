// SPDX-License-Identifier: Apache-2.0
//
// Weights in the safetensors format, as the reference library reads and writes it:
//
//   8 bytes   N, the length of the header, little-endian
//   N bytes   JSON {"__metadata__": {key: text}, name: {"dtype", "shape", "data_offsets"}, ...},
//             padded with spaces so that the data begin at a multiple of 8
//   the rest  the tensors' numbers, row-major and little-endian, one behind the other
//
// Stricter than the reference: all tensors are F32 and finite, and stand in the order of their
// data.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "network/parameter_table.h"

namespace cmbo::network {

// A longer header is refused, as the reference library does.
inline constexpr size_t kMaxHeaderBytes = 100'000'000;
// No tensor has more dimensions.
inline constexpr size_t kMaxRank = 32;

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<Tensor> tensors;  // in the order of the file
};

// The bytes of a file that parse_safetensors() reads as the same again, to the bit. What could not
// be read is a bug of the caller and aborts: names that are equal, empty or "__metadata__", text
// that is not UTF-8, values that do not fit their shape or are not finite.
std::string to_safetensors(const TensorFile& file);

// The whole of a file. Errors say what is wrong and what to do, but not where: the caller knows the
// path. Memory stays proportional to the size of `bytes`, whatever they say.
Result<TensorFile> parse_safetensors(std::string_view bytes);

}  // namespace cmbo::network
