// SPDX-License-Identifier: Apache-2.0
//
// The study file that `cmbo init` writes.
#pragma once

#include <string>

namespace cmbo::cli {

// Commented YAML that is a valid study as it stands. `command`: the training's, as one would type
// it; its placeholders are added behind it if it has none.
std::string study_template(const std::string& command);

}  // namespace cmbo::cli
