// SPDX-License-Identifier: Apache-2.0
//
// For the fuzz targets: the input as a source of bytes, and what every reader must promise.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/file_system.h"
#include "curves/task.h"

namespace cmbo::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// An error must say something and name the file; tasks must be sound enough to be written down,
// encoded and read again.
inline void check_outcome(const Status& status, const curves::CurveSet& set,
                          std::string_view name) {
  if (!status.ok()) {
    CHECK(status.error().message().find(name) != std::string::npos, status.error().message());
    return;
  }
  CHECK(!set.tasks.empty(), "success without a task");
  for (const curves::Task& task : set.tasks) {
    CHECK(task.size() > 0, "a task without curves");
    const Json written = task.space().to_json();
    CHECK(space::Space::from_json(Json::parse(written.dump())).ok(), "the space cannot be read");
    std::vector<double> encoded(task.space().encoded_size());
    for (size_t n = 0; n < task.size(); ++n) {
      task.space().encode(task.configuration(n), encoded);
      for (const double number : encoded) CHECK(number >= 0 && number <= 1, "outside [0,1]");
      const Json json = task.space().configuration_to_json(task.configuration(n));
      CHECK(task.space().configuration_from_json(json).ok(), json.dump());
    }
  }
}

}  // namespace cmbo::fuzz
