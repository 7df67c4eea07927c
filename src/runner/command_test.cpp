// SPDX-License-Identifier: Apache-2.0
#include "runner/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/runner_testing.h"

namespace cmbo::runner {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::vector<std::string> kNames = {"lr", "opt", "momentum"};

SliceRequest example_request() {
  SliceRequest request;
  request.trial = 17;
  request.params = Json{{"lr", 1e-5}, {"opt", "it's $5 \"x\" `y`"}};
  request.directory = "/data/my trials/17";
  request.start_step = 3;
  request.target_step = 5;
  request.max_step = 50;
  request.seed = 9;
  return request;
}

std::vector<std::string> expanded(const Json& command) {
  return Command::from_json(command, kNames).value().expand(example_request());
}

std::string refusal(const Json& command, const std::vector<std::string>& names = kNames) {
  return Command::from_json(command, names).error().message();
}

TEST(CommandTest, WordsGetTheBareValues) {
  EXPECT_THAT(expanded(Json{"train", "--lr={lr}", "{opt}", 3, "{start_step}-{target_step}"}),
              ElementsAre("train", "--lr=1e-05", "it's $5 \"x\" `y`", "3", "3-5"));
  EXPECT_THAT(
      expanded(Json{"{trial}", "{params}", "{checkpoint_dir}", "{max_step}", "{seed}", "{report}"}),
      ElementsAre("17", "/data/my trials/17/params.json", "/data/my trials/17/checkpoint", "50",
                  "9", "/data/my trials/17/report.jsonl"));
}

TEST(CommandTest, TextIsRunByAShell) {
  EXPECT_THAT(expanded("train --lr {lr} > /dev/null"),
              ElementsAre("/bin/sh", "-c", "train --lr 1e-05 > /dev/null"));
}

// The shell itself says what it understood.
std::string said_by_shell(const std::string& command) {
  return output_of(expanded(command));
}

TEST(CommandTest, AShellSeesTheValueWhereverItStands) {
  const std::string value = "it's $5 \"x\" `y`";
  EXPECT_EQ(said_by_shell("printf '%s|' {opt}"), value + "|");
  EXPECT_EQ(said_by_shell("printf '%s|' \"<{opt}>\""), "<" + value + ">|");
  EXPECT_EQ(said_by_shell("printf '%s|' '<{opt}>'"), "<" + value + ">|");
  EXPECT_EQ(said_by_shell("printf '%s|' \"\\\"{opt}\" {params}"),
            "\"" + value + "|/data/my trials/17/params.json|");
}

TEST(CommandTest, AnInactiveHyperparameterIsEmpty) {
  EXPECT_EQ(said_by_shell("printf '%s|' {momentum} \"{momentum}\" end"), "||end|");
  EXPECT_THAT(expanded(Json{"train", "{momentum}"}), ElementsAre("train", ""));
}

TEST(CommandTest, DoubledBracesAreBraces) {
  EXPECT_EQ(said_by_shell("x=4; printf '%s{{}}' ${{x}}"), "4{}");
}

TEST(CommandTest, ErrorsNameWhatIsKnown) {
  EXPECT_THAT(refusal("train {lrate}"),
              AllOf(HasSubstr("unknown placeholder {lrate}"), HasSubstr("lr, opt, momentum, trial"),
                    HasSubstr("write {{ and }} for braces")));
  EXPECT_THAT(refusal("train ${HOME}"), HasSubstr("unknown placeholder {HOME}"));
  EXPECT_THAT(refusal("train {x}", {}), HasSubstr("known are trial, params"));
  EXPECT_THAT(refusal("train {lr"), HasSubstr("a '{' without '}'"));
  EXPECT_THAT(refusal("train lr}"), HasSubstr("a '}' without '{'"));
  EXPECT_THAT(refusal("train {seed}", {"seed"}), HasSubstr("rename the hyperparameter 'seed'"));
  EXPECT_THAT(refusal(std::string("a\0b", 3)), HasSubstr("NUL"));
  EXPECT_THAT(refusal(""), HasSubstr("expected text, or a list"));
  EXPECT_THAT(refusal(Json::array()), HasSubstr("expected text, or a list"));
  EXPECT_THAT(refusal(7), HasSubstr("expected text, or a list"));
  EXPECT_THAT(refusal(Json{"train", true}), HasSubstr("true or false among the words"));
}

TEST(CommandTest, TheEnvironmentOfASlice) {
  SliceRequest request = example_request();
  const Variables environment = slice_environment(request);
  EXPECT_EQ(environment.size(), 9U);
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"CMBO_TRIAL", "17"},
           {"CMBO_PARAMS", "/data/my trials/17/params.json"},
           {"CMBO_CHECKPOINT_DIR", "/data/my trials/17/checkpoint"},
           {"CMBO_START_STEP", "3"},
           {"CMBO_TARGET_STEP", "5"},
           {"CMBO_MAX_STEP", "50"},
           {"CMBO_SEED", "9"},
           {"CMBO_REPORT", "/data/my trials/17/report.jsonl"}}) {
    EXPECT_THAT(environment, Contains(Pair(name, value)));
  }
  request.gpu = "2";
  EXPECT_THAT(slice_environment(request), Contains(Pair("CUDA_VISIBLE_DEVICES", "2")));
}

}  // namespace
}  // namespace cmbo::runner
