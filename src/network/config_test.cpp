// SPDX-License-Identifier: Apache-2.0
#include "network/config.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::network {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::string_view kWhatToDo = "another version of cmbo; train the model again";

std::string problem(const NetworkConfig& config) {
  const Status status = check(config);
  return status.ok() ? "no problem" : status.error().message();
}

std::string problem(const Json& json) {
  const auto config = config_from_json(json);
  return config.ok() ? "no problem" : config.error().message();
}

// The default with one key changed, as JSON.
Json with(const std::string& key, Json value) {
  Json json = config_to_json({});
  json[key] = std::move(value);
  return json;
}

TEST(NetworkConfigTest, AcceptsTheDefaultAndThePapersSize) {
  EXPECT_EQ(problem(NetworkConfig{}), "no problem");
  NetworkConfig paper;
  paper.kind = Kind::kPoint;
  paper.width = 1024;
  paper.layers = 12;
  paper.bars = 1000;
  paper.pre_norm = false;
  EXPECT_EQ(problem(paper), "no problem");
}

TEST(NetworkConfigTest, RefusesEverySizeOutsideItsLimits) {
  struct Limit {
    const char* name;
    size_t NetworkConfig::*member;
    size_t low;
    size_t high;
  };
  for (const Limit& limit : {Limit{"dimensions", &NetworkConfig::dimensions, 1, 4096},
                             {"width", &NetworkConfig::width, 4, 8192},
                             {"layers", &NetworkConfig::layers, 1, 128},
                             {"heads", &NetworkConfig::heads, 1, 128},
                             {"hidden_factor", &NetworkConfig::hidden_factor, 1, 16},
                             {"head_width", &NetworkConfig::head_width, 1, 8192},
                             {"bars", &NetworkConfig::bars, 2, 100'000}}) {
    for (const size_t good : {limit.low, limit.high}) {
      NetworkConfig config;
      config.*limit.member = good;
      EXPECT_EQ(problem(config), "no problem") << limit.name << " " << good;
    }
    for (const size_t bad : {size_t{0}, limit.low - 1, limit.high + 1, SIZE_MAX}) {
      NetworkConfig config;
      config.*limit.member = bad;
      EXPECT_THAT(problem(config), HasSubstr(limit.name)) << bad;
    }
  }
}

TEST(NetworkConfigTest, RefusesHeadsThatDoNotDivideTheWidth) {
  NetworkConfig config;
  config.width = 130;
  EXPECT_EQ(problem(config),
            "heads: 4 does not divide width: 130; choose a width that is a multiple of heads");
}

TEST(NetworkConfigTest, RefusesDropoutOutsideOfZeroToOne) {
  for (const float bad : {-0.1F, 1.0F, NAN, INFINITY}) {
    NetworkConfig config;
    config.dropout = bad;
    EXPECT_THAT(problem(config), HasSubstr("dropout: must be at least 0 and below 1")) << bad;
  }
}

TEST(NetworkConfigTest, SurvivesJson) {
  NetworkConfig config{Kind::kPoint, 7, 96, 3, 6, 4, 33, 1000, true, false, 0.1F};
  const Json json = parse_json(config_to_json(config).dump()).value();
  const NetworkConfig read = config_from_json(json).value();
  EXPECT_EQ(read.kind, config.kind);
  EXPECT_EQ(read.dimensions, 7u);
  EXPECT_EQ(read.width, 96u);
  EXPECT_EQ(read.layers, 3u);
  EXPECT_EQ(read.heads, 6u);
  EXPECT_EQ(read.hidden_factor, 4u);
  EXPECT_EQ(read.head_width, 33u);
  EXPECT_EQ(read.bars, 1000u);
  EXPECT_TRUE(read.pre_norm);
  EXPECT_FALSE(read.copy);
  EXPECT_EQ(read.dropout, 0.1F);
}

// The written form is part of the files that users keep: a change of it is a change of version.
TEST(NetworkConfigTest, WritesTheseKeys) {
  EXPECT_EQ(config_to_json({}).dump(),
            R"({"network":"curve","dimensions":16,"width":128,"layers":4,"heads":4,)"
            R"("hidden_factor":2,"head_width":128,"bars":256,"pre_norm":false,"copy":true,)"
            R"("hints":false,"dropout":0.0})");
}

TEST(NetworkConfigTest, NamesAMissingKey) {
  const Json complete = config_to_json({});
  for (const auto& [key, value] : complete.items()) {
    Json json = complete;
    json.erase(key);
    EXPECT_THAT(problem(json), HasSubstr(key + ": is missing"));
    EXPECT_THAT(problem(json), EndsWith(kWhatToDo));
  }
}

TEST(NetworkConfigTest, NamesAMistypedKey) {
  const Json complete = config_to_json({});
  for (const auto& [key, value] : complete.items()) {
    for (const Json& bad : {Json(nullptr), Json::array({1}), Json(-1), Json("2")}) {
      EXPECT_THAT(problem(with(key, bad)), HasSubstr(key + ": must be")) << bad;
      EXPECT_THAT(problem(with(key, bad)), EndsWith(kWhatToDo)) << bad;
    }
  }
  EXPECT_THAT(problem(with("width", 128.0)), HasSubstr("width: must be a whole number"));
  EXPECT_THAT(problem(with("copy", 1)), HasSubstr("copy: must be true or false, not a number"));
  EXPECT_THAT(problem(with("network", "tree")), HasSubstr("point or curve, not 'tree'"));
}

TEST(NetworkConfigTest, NamesAnUnknownKeyAndAnImpossibleValue) {
  EXPECT_THAT(problem(with("colour", "red")), HasSubstr("colour: is no property of a network"));
  EXPECT_THAT(problem(with("width", UINT64_MAX)), HasSubstr("width: must be a number from 1"));
  EXPECT_THAT(problem(with("heads", 3)), EndsWith(kWhatToDo));
  EXPECT_THAT(problem(with("dropout", 1e300)), HasSubstr("dropout: must be"));
  EXPECT_THAT(problem(Json::array()), HasSubstr("must be an object, not a list"));
}

TEST(NetworkConfigTest, HintsAreForTheCurveNetwork) {
  NetworkConfig config;
  config.hints = true;
  EXPECT_EQ(problem(config), "no problem");
  EXPECT_TRUE(config_from_json(config_to_json(config)).value().hints);
  EXPECT_EQ(problem(with("hints", false)), "no problem");
  EXPECT_THAT(problem(with("hints", 1)), HasSubstr("hints: must be true or false"));
  config.kind = Kind::kPoint;
  EXPECT_THAT(problem(config), HasSubstr("only the curve network"));
}

}  // namespace
}  // namespace cmbo::network
