// SPDX-License-Identifier: Apache-2.0
#include "study/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::study {
namespace {

using testing::HasSubstr;

TEST(UnitsTest, Durations) {
  EXPECT_EQ(parse_duration("90 min").value(), 5400.0);
  EXPECT_EQ(parse_duration("2h").value(), 7200.0);
  EXPECT_EQ(parse_duration("1 h 30 min").value(), 5400.0);
  EXPECT_EQ(parse_duration(" 0.5 days ").value(), 43200.0);
  for (const char* bad : {"", "90", "h", "2 hats", "-1 h", "0 s", "1 h x", "inf h", "nan s"}) {
    EXPECT_FALSE(parse_duration(bad).ok()) << bad;
  }
  EXPECT_THAT(parse_duration("90").error().message(), HasSubstr("like 90 min"));
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(parse_bytes("10 GB").value(), 10'000'000'000U);
  EXPECT_EQ(parse_bytes("1.5KiB").value(), 1536U);
  EXPECT_EQ(parse_bytes("0 B").value(), 0U);
  for (const char* bad : {"10", "10 gb", "-1 GB", "1e30 TB", "1 GB 2 MB"}) {
    EXPECT_FALSE(parse_bytes(bad).ok()) << bad;
  }
}

TEST(UnitsTest, AmountsAndPrices) {
  EXPECT_EQ(parse_amount("300 epochs").value().number, 300.0);
  EXPECT_EQ(parse_amount("300 epochs").value().unit, "epochs");
  EXPECT_EQ(parse_amount("20").value().unit, "");
  EXPECT_FALSE(parse_amount("EUR 20").ok());
  EXPECT_DOUBLE_EQ(parse_price("3.6 per hour").value().per_second, 0.001);
  EXPECT_EQ(parse_price("3.6 per hour").value().currency, "");
  EXPECT_EQ(parse_price("2.5 EUR/h").value().currency, "EUR");
  EXPECT_EQ(parse_price("2.5 $ per min").value().currency, "$");
  for (const char* bad : {"2.5", "2.5 EUR", "per hour", "0 per hour", "2.5 EUR per lunch"}) {
    EXPECT_FALSE(parse_price(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace cmbo::study
