// SPDX-License-Identifier: Apache-2.0
//
// CHECK(condition, message): what must hold unless the program itself is wrong. It is tested in
// every build; a failure names the place on stderr and aborts.
#pragma once

#include <string_view>

namespace cmbo {

[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view message);

}  // namespace cmbo

#define CHECK(condition, message)                                      \
  do {                                                                 \
    if (!(condition)) [[unlikely]] {                                   \
      ::cmbo::check_failed(__FILE__, __LINE__, #condition, (message)); \
    }                                                                  \
  } while (false)
