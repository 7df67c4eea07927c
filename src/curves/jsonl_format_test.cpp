// SPDX-License-Identifier: Apache-2.0
#include "curves/jsonl_format.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::curves {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHeader =
    R"({"task":"a","metric":"acc","goal":"maximize","first_epoch":0,"last_epoch":2,"source":"x",)"
    R"("range":[0,null],"parameters":{"lr":{"type":"float","low":0,"high":1,"log":false},)"
    R"("n":{"type":"int","low":1,"high":9,"log":false}}})";

Result<CurveSet> jsonl_curves(std::string_view text) {
  CurveSet set;
  const auto source = source_from_string(text);
  CMBO_RETURN_IF_ERROR(read_jsonl(*source, "f.jsonl", set));
  return set;
}

// The error for a file of the header and one line.
std::string jsonl_problem(std::string_view line, std::string_view header = kHeader) {
  const auto set = jsonl_curves(fmt::format("{}\n{}\n", header, line));
  return set.ok() ? "no problem" : set.error().message();
}

// kHeader with one piece of text replaced.
std::string header_with(std::string_view from, std::string_view to) {
  std::string header(kHeader);
  header.replace(header.find(from), from.size(), to);
  return header;
}

TEST(JsonlTest, ReadsATask) {
  const CurveSet set =
      jsonl_curves(fmt::format("{}\n{}\r\n{}", kHeader,
                               R"({"config":{"lr":0.5,"n":3},"curve":[0.1,0.2,null]})",
                               R"({"config":{"lr":1},"curve":[0.1]})"))
          .value();
  const Task& task = set.tasks.at(0);
  EXPECT_EQ(task.name(), "a");
  EXPECT_EQ(task.size(), 2u);
  EXPECT_EQ(task.configuration(0)[1], 3.0);
  EXPECT_FALSE(task.configuration(1).is_active(1));
  EXPECT_TRUE(task.space().parameters()[1].optional);
  EXPECT_FALSE(task.space().parameters()[0].optional);
  EXPECT_TRUE(std::isnan(task.curve(0)[2]));
  EXPECT_EQ(task.header().notes["source"], "x");
  EXPECT_EQ(task.header().range.low, 0.0);
}

TEST(JsonlTest, WritesWhatItReads) {
  const CurveSet set =
      jsonl_curves(fmt::format("{}\n{}\n{}\n", kHeader,
                               R"({"config":{"lr":0.1,"n":3},"curve":[0.1,123456.78,null]})",
                               R"({"config":{"lr":1},"curve":[1e-30]})"))
          .value();
  const std::string once = task_to_jsonl(set.tasks[0]);
  const std::string twice = task_to_jsonl(jsonl_curves(once).value().tasks[0]);
  EXPECT_EQ(once, twice);
  EXPECT_THAT(once, HasSubstr(R"({"config":{"lr":0.1,"n":3},"curve":[0.1,123456.78,null]})"));
}

TEST(JsonlTest, HeaderErrorsNameLineAndKey) {
  const std::string row = R"({"config":{"lr":0.5,"n":3},"curve":[0.1]})";
  EXPECT_THAT(jsonl_problem(row, header_with("maximize", "max")),
              HasSubstr("f.jsonl:1: goal: must be"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("goal":"maximize",)", "")),
              HasSubstr("goal: missing"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("last_epoch":2)", R"("last_epoch":-2)")),
              HasSubstr("f.jsonl:1: last_epoch: must be a whole number"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("last_epoch":2)", R"("last_epoch":1e9)")),
              HasSubstr("last_epoch: must be a whole number"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("first_epoch":0)", R"("first_epoch":7)")),
              HasSubstr("f.jsonl:1: first_epoch: must be 0"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("high":9)", R"("high":0)")),
              HasSubstr("f.jsonl:1: parameters: n: low"));
  EXPECT_THAT(jsonl_problem(row, header_with("[0,null]", "[0]")),
              HasSubstr("range: must be a list"));
  EXPECT_THAT(jsonl_problem(row, header_with(R"("metric":"acc")", R"("metric":3)")),
              HasSubstr("metric: must be text, not a number"));
  EXPECT_THAT(jsonl_problem(row, row), HasSubstr("f.jsonl:1: the first line must be a header"));
}

TEST(JsonlTest, RowErrorsNameTheLine) {
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[0.1,0.2)"),
              HasSubstr("f.jsonl:2: not valid JSON"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[0.1,NaN]})"), HasSubstr("write null"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[0.1,"NaN"]})"),
              HasSubstr("f.jsonl:2: curve: value 1 must be a number, not text; write null"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":1.5},"curve":[0.1]})"),
              HasSubstr("f.jsonl:2: config: 'lr' = 1.5 is outside its range [0, 1]"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"wd":1.5},"curve":[0.1]})"),
              HasSubstr("'wd' is not a parameter of the space; remove it or declare it"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[1,2,3,4]})"),
              HasSubstr("f.jsonl:2: the curve has 4 values"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[]})"), HasSubstr("empty"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[-1]})"),
              HasSubstr("outside its range"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":3})"), HasSubstr("must be a list"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5},"curve":[1],"extra":1})"),
              HasSubstr("every line after the header"));
  EXPECT_THAT(jsonl_problem(R"({"config":{"lr":0.5,"lr":0.6},"curve":[1]})"), HasSubstr("twice"));
  EXPECT_THAT(jsonl_problem("\"\xff\""), HasSubstr("f.jsonl:2: not valid JSON"));
  EXPECT_THAT(jsonl_problem(""), HasSubstr("f.jsonl:2: not valid JSON"));
}

TEST(JsonlTest, EmptyFilesAreErrors) {
  EXPECT_THAT(jsonl_curves("").error().message(), HasSubstr("f.jsonl: the file is empty"));
  EXPECT_THAT(jsonl_curves(std::string(kHeader)).error().message(), HasSubstr("no configuration"));
}

}  // namespace
}  // namespace cmbo::curves
