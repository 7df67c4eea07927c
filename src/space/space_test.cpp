// SPDX-License-Identifier: Apache-2.0
#include "space/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace cmbo::space {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kExample = R"(
lr:        {type: float, low: 1e-5, high: 0.1, log: true, default: 1e-3}
layers:    {type: int, low: 1, high: 5}
momentum:  {type: float, low: 0.8, high: 0.999, when: {optimizer: sgd}}
optimizer: {type: categorical, choices: [sgd, adamw, 'no']}
augment:   {type: categorical, choices: [none, light, strong], ordered: true}
nesterov:  {type: categorical, choices: [true, false], when: {optimizer: [sgd], layers: [1, 2]}}
epochs:    {type: const, value: 50}
)";

Space example() {
  return Space::from_yaml(kExample).value();
}

std::string problem(std::string_view yaml) {
  const auto space = Space::from_yaml(yaml);
  return space.ok() ? "no problem" : space.error().message();
}

Configuration configuration(const Space& space, std::string_view json) {
  return space.configuration_from_json(parse_json(json).value()).value();
}

TEST(SpaceTest, ReadsYamlAndWritesTheSameSpaceAsJson) {
  const Space space = example();
  EXPECT_EQ(space.size(), 7u);
  const Json json = space.to_json();
  EXPECT_EQ(json["momentum"].dump(),
            R"({"type":"float","low":0.8,"high":0.999,"log":false,"when":{"optimizer":"sgd"}})");
  EXPECT_EQ(Space::from_json(json).value().to_json(), json);
}

TEST(SpaceTest, EncodesEveryKindOfParameter) {
  const Space space = example();
  // lr 1, layers 1, momentum 1+mark, optimizer 3, augment 1, nesterov 2+mark, epochs 0
  ASSERT_EQ(space.encoded_size(), 11u);
  std::vector<double> vector(11);
  space.encode(configuration(space, R"({"lr": 0.001, "layers": 3, "optimizer": "adamw",
                                        "augment": "none", "epochs": 50})"),
               vector);
  EXPECT_THAT(vector, ElementsAre(::testing::DoubleNear(0.5, 1e-12), 0.5, 0.5, 1.0, 0.0, 1.0, 0.0,
                                  ::testing::DoubleNear(1.0 / 6, 1e-12), 0.5, 0.5, 1.0));
}

TEST(SpaceTest, DecodesWhatItEncoded) {
  const Space space = example();
  Random random(11);
  std::vector<double> units(space.size()), vector(space.encoded_size());
  for (int round = 0; round < 2000; ++round) {
    for (double& unit : units) unit = random.uniform();
    const Configuration original = space.from_units(units);
    space.encode(original, vector);
    for (const double number : vector) {
      ASSERT_GE(number, 0.0);
      ASSERT_LE(number, 1.0);
    }
    const Configuration decoded = space.decode(vector);
    for (size_t i = 0; i < space.size(); ++i) {
      ASSERT_EQ(decoded.is_active(i), original.is_active(i));
      if (!original.is_active(i)) continue;
      if (space.parameters()[i].type == ParameterType::kFloat) {
        ASSERT_NEAR(decoded[i] / original[i], 1.0, 1e-12);
      } else {
        ASSERT_EQ(decoded[i], original[i]);
      }
    }
    const Json json = space.configuration_to_json(original);
    ASSERT_EQ(space.configuration_from_json(json).value(), original);
  }
}

TEST(SpaceTest, ChildOfAnInactiveParentIsInactive) {
  const Space space = Space::from_yaml(R"(
c: {type: int, low: 0, high: 1, when: {b: 1}}
b: {type: int, low: 0, high: 1, when: {a: 1}}
a: {type: int, low: 0, high: 1})")
                          .value();
  EXPECT_EQ(space.enumerate(100)->size(), 4u);  // a=0; a=1 b=0; a=1 b=1 c=0|1
  EXPECT_TRUE(configuration(space, R"({"a": 0})") == space.from_units(std::vector{0.9, 0.9, 0.1}));
}

TEST(SpaceTest, OptionalParametersMayBeAbsent) {
  const Space space = Space::from_yaml("a: {type: float, low: 0, high: 1, optional: true}").value();
  std::vector<double> vector(2);
  space.encode(configuration(space, "{}"), vector);
  EXPECT_THAT(vector, ElementsAre(0.5, 1.0));
  EXPECT_FALSE(space.decode(vector).is_active(0));
  EXPECT_TRUE(space.decode(std::vector{0.25, 0.0}).is_active(0));
}

TEST(SpaceTest, DefaultsFillUpWithTheMiddle) {
  const auto chosen = example().default_configuration();
  ASSERT_TRUE(chosen.has_value());
  EXPECT_EQ((*chosen)[0], 1e-3);
  EXPECT_EQ((*chosen)[1], 3);
  EXPECT_FALSE(Space::from_yaml("a: {type: int, low: 1, high: 2}")->default_configuration());
}

TEST(SpaceTest, ErrorsNameTheKey) {
  EXPECT_THAT(problem("lr: {type: float, low: 1}"), HasSubstr("lr: high: missing"));
  EXPECT_THAT(problem("lr: {type: flaot, low: 1, high: 2}"), HasSubstr("lr: type: must be float"));
  EXPECT_THAT(problem("lr: {type: float, low: 2, high: 1}"), HasSubstr("swap them"));
  EXPECT_THAT(problem("lr: {type: float, low: 0, high: 1, log: true}"), HasSubstr("lr: log:"));
  EXPECT_THAT(problem("lr: {type: float, min: 0, high: 1}"), HasSubstr("min: a float parameter"));
  EXPECT_THAT(problem("lr: {type: float, low: a, high: 1}"), HasSubstr("not text"));
  EXPECT_THAT(problem("n: {type: int, low: 0.5, high: 1}"), HasSubstr("whole number"));
  EXPECT_THAT(problem("n: {type: int, low: 0, high: 9, step: 0}"), HasSubstr("above 0"));
  EXPECT_THAT(problem("c: {type: categorical, choices: [a, a]}"), HasSubstr("\"a\" stands twice"));
  EXPECT_THAT(problem("c: {type: categorical, choices: [[1]]}"), HasSubstr("not a list"));
  EXPECT_THAT(problem("c: {type: categorical}"), HasSubstr("choices: must be a list"));
  EXPECT_THAT(problem("c: {type: const}"), HasSubstr("value: must be"));
  EXPECT_THAT(problem("c: {type: int, low: 0, high: 1, default: 7}"), HasSubstr("c: default: 'c'"));
  EXPECT_THAT(problem("c: 3"), HasSubstr("c: must be an object"));
  EXPECT_THAT(problem("[1]"), HasSubstr("not a list"));
}

TEST(SpaceTest, ConditionsAreChecked) {
  EXPECT_THAT(problem("a: {type: int, low: 0, high: 1, when: {x: 1}}"),
              HasSubstr("a.when.x: there is no parameter"));
  EXPECT_THAT(problem("{a: {type: int, low: 0, high: 1, when: {x: 2}},"
                      " x: {type: int, low: 0, high: 1}}"),
              HasSubstr("a.when.x: 'x' = 2 is outside"));
  EXPECT_THAT(problem("{a: {type: int, low: 0, high: 1, when: {x: 1}},"
                      " x: {type: int, low: 0, high: 1, when: {a: 1}}}"),
              HasSubstr("circle"));
  EXPECT_THAT(problem("{a: {type: int, low: 0, high: 1, when: {x: 1}},"
                      " x: {type: float, low: 0, high: 1}}"),
              HasSubstr("not a float"));
}

TEST(SpaceTest, ConfigurationsAreChecked) {
  const Space space = example();
  const auto complaint = [&](std::string_view json) {
    return space.configuration_from_json(parse_json(json).value()).error().message();
  };
  EXPECT_THAT(complaint(R"({"lr": 0.01})"), HasSubstr("'layers' is missing"));
  EXPECT_THAT(complaint(R"({"lrate": 0.01})"), HasSubstr("'lrate' is not a parameter"));
  EXPECT_THAT(complaint(R"({"lr": 1})"), HasSubstr("outside its range"));
  EXPECT_THAT(complaint(R"({"optimizer": "adam"})"), HasSubstr("the choices are"));
  EXPECT_THAT(complaint(R"({"lr": 0.01, "layers": 3, "optimizer": "adamw", "augment": "none",
                            "epochs": 50, "momentum": 0.9})"),
              HasSubstr("condition does not hold"));
  EXPECT_THAT(complaint("[]"), HasSubstr("not a list"));
}

}  // namespace
}  // namespace cmbo::space
