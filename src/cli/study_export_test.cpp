// SPDX-License-Identifier: Apache-2.0
#include "cli/study_export.h"

#include <gmock/gmock.h>
#include <sstream>

#include "cli/optuna_journal.h"
#include "cli/study_testing.h"
#include "curves/formats.h"
#include "curves/jsonl_format.h"

namespace cmbo::cli {

namespace {

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(parse_json(line).value());
  return lines;
}

TEST(StudyExport, JsonHasAllFacts) {
  TestStudy study;
  const Json json = study_to_json(study.view(), "digits", *study.storage().decisions());
  EXPECT_EQ(json["trials"].size(), 5U);
  EXPECT_EQ(json["trials"][4]["curve"], (Json{0.1, 0.65, 0.6, 0.6}));
  EXPECT_EQ(json["decisions"].size(), 5U);
  EXPECT_EQ(json["best"]["value"], 0.7);
}

TEST(StudyExport, CurvesAreReadBack) {
  const TestStudy study;
  const std::string text = curves::task_to_jsonl(study_to_task(study.view(), "digits").value());
  curves::CurveSet set;
  const auto source = source_from_string(text);
  ASSERT_TRUE(curves::read_jsonl(*source, "digits.jsonl", set).ok());
  ASSERT_EQ(set.tasks.size(), 1U);
  const curves::Task& task = set.tasks[0];
  EXPECT_EQ(task.header().last_epoch, 4);
  EXPECT_EQ(task.header().range.high, 1.0);
  ASSERT_EQ(task.size(), 4U);  // those with a step
  EXPECT_EQ(task.curve(0)[1], 0.7F);
  EXPECT_TRUE(std::isnan(task.curve(1)[1]));
}

TEST(OptunaJournal, BeginsWithTheStudyAndHasATrialALine) {
  const TestStudy study;
  const std::vector<Json> lines = lines_of(study_to_optuna_journal(study.view(), "digits"));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0]["op_code"], 0);
  EXPECT_EQ(lines[0]["study_name"], "digits");
  EXPECT_EQ(lines[0]["directions"], Json::array({2}));
  const Json& frozen = lines[1];
  EXPECT_EQ(frozen["op_code"], 4);
  EXPECT_EQ(frozen["state"], 1);
  EXPECT_EQ(frozen["value"], 0.7);
  EXPECT_EQ(frozen["intermediate_values"], (Json{{"1", 0.5}, {"2", 0.7}}));
  EXPECT_EQ(frozen["user_attrs"]["cmbo_state"], "frozen");
  EXPECT_EQ(frozen["datetime_start"], "2001-09-09T01:46:50+00:00");
}

TEST(OptunaJournal, WritesParametersAsOptunaKeepsThem) {
  const TestStudy study;
  const Json done = lines_of(study_to_optuna_journal(study.view(), "digits"))[5];
  EXPECT_EQ(done["params"], (Json{{"lr", 0.4}, {"optimizer", 1.0}}));
  const Json lr = parse_json(done["distributions"]["lr"].get<std::string>()).value();
  EXPECT_EQ(lr["name"], "FloatDistribution");
  EXPECT_EQ(lr["attributes"]["log"], true);
  const Json choice = parse_json(done["distributions"]["optimizer"].get<std::string>()).value();
  EXPECT_EQ(choice["attributes"]["choices"], (Json{"sgd", "a,b"}));
}

TEST(OptunaJournal, AFailedTrialHasNoValue) {
  const TestStudy study;
  const Json failed = lines_of(study_to_optuna_journal(study.view(), "digits"))[3];
  EXPECT_EQ(failed["state"], 3);
  EXPECT_TRUE(failed["value"].is_null());
}

}  // namespace

}  // namespace cmbo::cli
