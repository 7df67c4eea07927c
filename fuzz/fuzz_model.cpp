// SPDX-License-Identifier: Apache-2.0
//
// Whole model files: architecture, bars, copula and weights.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "network/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)cmbo::network::model_from_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
