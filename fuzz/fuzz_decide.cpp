// SPDX-License-Identifier: Apache-2.0
//
// What `cmbo decide` reads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "cli/decide_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = cmbo::parse_json({reinterpret_cast<const char*>(data), size});
  if (json.ok()) (void)cmbo::cli::decide_input_from_json(*json);
  return 0;
}
