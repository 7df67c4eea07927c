// SPDX-License-Identifier: Apache-2.0
#include "space/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::space {
namespace {

using ::testing::HasSubstr;

std::string convert(std::string_view yaml) {
  return yaml_to_json(yaml).value().dump();
}

std::string yaml_problem(std::string_view yaml) {
  const auto json = yaml_to_json(yaml);
  return json.ok() ? "no problem" : json.error().message();
}

TEST(YamlTest, ResolvesScalarsByYaml12) {
  EXPECT_EQ(convert("[1, -2, +3, 1e-5, 2.50, .5, true, no, ~, '7', 1.2.3, nan, 0x10, '']"),
            R"([1,-2,3,1e-05,2.5,0.5,true,"no",null,"7","1.2.3","nan","0x10",""])");
}

TEST(YamlTest, KeepsOrderAndReadsJson) {
  EXPECT_EQ(convert("z: 1\na: {b: [c]}"), R"({"z":1,"a":{"b":["c"]}})");
  EXPECT_EQ(convert(R"({"z": 1, "a": "x\u00e9"})"), R"({"z":1,"a":"xé"})");
}

TEST(YamlTest, WritesAliasesOut) {
  EXPECT_EQ(convert("a: &x {p: 1}\nb: [*x, *x]\nc: &s text\nd: *s"),
            R"({"a":{"p":1},"b":[{"p":1},{"p":1}],"c":"text","d":"text"})");
}

TEST(YamlTest, ErrorsNameTheLine) {
  EXPECT_THAT(yaml_problem("a: 1\nb: [1, 2"), HasSubstr("line "));
  EXPECT_THAT(yaml_problem("a: 1\nb: 2\na: 3"),
              HasSubstr("line 3, column 1: the key 'a' stands twice"));
  EXPECT_THAT(yaml_problem("? [a]\n: 1"), HasSubstr("a key must be plain text"));
}

TEST(YamlTest, RefusesHostileText) {
  EXPECT_THAT(yaml_problem(""), HasSubstr("empty"));
  EXPECT_THAT(yaml_problem("a\n---\nb"), HasSubstr("more than one document"));
  EXPECT_THAT(yaml_problem(","),
              HasSubstr("text after its end"));  // yaml-cpp's own loader hangs here
  EXPECT_THAT(yaml_problem("a: &x [*x]"), HasSubstr("an alias inside of what it stands for"));
  EXPECT_THAT(yaml_problem("a: *x"), HasSubstr("line 1, column 4"));
  EXPECT_THAT(yaml_problem("\xff\xfe"), HasSubstr("UTF-8"));
  EXPECT_THAT(yaml_problem(std::string(kMaxYamlBytes + 1, ' ')), HasSubstr("1 MiB"));
  EXPECT_THAT(yaml_problem(std::string(400, '[') + std::string(400, ']')), HasSubstr("nested too"));
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) laughs += "*a" + std::to_string(i - 1) + (j < 9 ? "," : "]\n");
  }
  EXPECT_THAT(yaml_problem(laughs), HasSubstr("too many values"));
}

}  // namespace
}  // namespace cmbo::space
