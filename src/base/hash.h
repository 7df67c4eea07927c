// SPDX-License-Identifier: Apache-2.0
//
// A hash that is the same on every machine, to recognize what was seen before; no protection
// against forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace cmbo {

// FNV-1a, 64 bits (Fowler, Noll and Vo). Numbers count as 8 bytes, the lowest first, and text is
// preceded by its length, so that different sequences never feed the same bytes.
class Fnv1a {
 public:
  void add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<uint8_t>(number >> shift));
  }
  void add(std::string_view text) {
    add(uint64_t{text.size()});
    for (const char letter : text) add_byte(static_cast<uint8_t>(letter));
  }
  uint64_t value() const { return value_; }

 private:
  void add_byte(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }

  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace cmbo
