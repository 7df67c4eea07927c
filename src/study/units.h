// SPDX-License-Identifier: Apache-2.0
//
// Amounts as people write them: "90 min", "1 h 30 min", "10 GB", "2.5 EUR per hour".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cmbo::study {

// What the utility charges for. Time is summed over slices, so two workers spend it twice as fast.
enum class CostUnit { kEpochs, kSeconds, kMoney };

std::string_view cost_unit_name(CostUnit unit);  // "epochs", "s", "money"

// Seconds of one "s", "min", "h", "d" or of their longer names; nullopt if it is no unit of time.
std::optional<double> seconds_of_unit(std::string_view unit);

// "90 min" -> 5400. One or more numbers, each with a unit of time; above 0.
Result<double> parse_duration(std::string_view text);
// "10 GB" -> 1e10. Powers of 1000 (kB, MB, GB, TB) or of 1024 (KiB, MiB, GiB, TiB), or B.
Result<uint64_t> parse_bytes(std::string_view text);

// A number and the word after it, which may be missing: "300 epochs", "2.5 EUR".
struct Amount {
  double number = 0.0;
  std::string unit = {};
};
Result<Amount> parse_amount(std::string_view text);

// "2.5 per hour", "2.5 EUR per hour", "2.5 EUR/h".
struct HourlyPrice {
  double per_second = 0.0;
  std::string currency = {};  // empty if not said
};
Result<HourlyPrice> parse_price(std::string_view text);

}  // namespace cmbo::study
