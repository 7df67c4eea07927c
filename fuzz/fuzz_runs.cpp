// SPDX-License-Identifier: Apache-2.0
//
// One line of a replay's log of runs; what is read must be written as it was.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "replay/run_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto record = cmbo::replay::record_from_line({reinterpret_cast<const char*>(data), size});
  if (!record.ok()) return 0;
  const std::string line = cmbo::replay::record_to_line(*record);
  const auto again = cmbo::replay::record_from_line(line);
  CHECK(again.ok() && cmbo::replay::record_to_line(*again) == line, "a run changed in its log");
  return 0;
}
