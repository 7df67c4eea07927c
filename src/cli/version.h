// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cmbo::cli {

// As in project() of CMakeLists.txt, which passes it on.
inline constexpr const char* kVersion = CMBO_VERSION;

}  // namespace cmbo::cli
