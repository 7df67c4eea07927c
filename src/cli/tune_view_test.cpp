// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

#include "cli/text.h"
#include "study/facts_testing.h"
#include "study/study_testing.h"

namespace cmbo::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class TuneViewTest : public testing::Test {
 protected:
  std::string screen(size_t width = 80, size_t height = 24, bool colours = false) const {
    return tune_screen({file_, facts_, decision_, "study.yaml", "running", note_},
                       {width, height, colours});
  }

  study::StudyFile file_ =
      study::study_file_from_yaml(study::small_study("limits: {epochs: 20}")).value();
  study::Facts facts_ =
      study::make_facts(4, {{.trial = 0, .values = {0.5, 0.6}}, {.trial = 2, .values = {0.7}}});
  Json decision_;
  std::string note_;
};

TEST_F(TuneViewTest, SaysWhatIsKnown) {
  const std::string text = screen();
  EXPECT_THAT(text, HasSubstr("acc 0.7   trial 2, epoch 1 of 4"));
  EXPECT_THAT(text, HasSubstr("width 3"));
  EXPECT_THAT(text, HasSubstr("3 epochs of 20"));
  EXPECT_THAT(text, HasSubstr("running  nothing"));
  EXPECT_THAT(text, Not(HasSubstr("utility")));  // no decision yet
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(screen(80, 24, true), HasSubstr("\x1b[1macc 0.7"));
}

TEST_F(TuneViewTest, ShowsWhatRunsAndWhatIsExpected) {
  facts_.put(study::Slice{.id = 3, .trial = 1, .from = 0, .to = 2});
  decision_ = {{"utility", 0.65},
               {"chosen", {{"trial", 1}, {"gain", 0.01}, {"epochs", 2}, {"chance", 0.4}}}};
  note_ = "trial 3 failed:\nno memory";
  const std::string text = screen();
  EXPECT_THAT(text, HasSubstr("epoch 0→2"));
  EXPECT_THAT(text, HasSubstr("utility  0.65"));
  EXPECT_THAT(text, HasSubstr("0.01 more by 2 epochs of trial 1, chance 40 %"));
  EXPECT_THAT(text, HasSubstr("trial 3 failed: no memory\n"));
}

TEST_F(TuneViewTest, ShowsWhatIsExpectedUntilTheEnd) {
  decision_ = {
      {"utility", 0.65},
      {"outlook",
       {{"epochs", 34.6}, {"seconds", 480.0}, {"improvement", 0.002}, {"at_least", false}}}};
  EXPECT_THAT(screen(), HasSubstr("expected about 35 more epochs (8:00) for +0.002 acc\n"));
  file_.limits.workers = 2;
  decision_["outlook"]["improvement"] = 0.0;
  EXPECT_EQ(outlook_text(file_, decision_), "about 35 more epochs (4:00) for no better acc");
  file_.metric.goal = curves::Goal::kMinimize;
  decision_["outlook"]["at_least"] = true;
  decision_["outlook"]["improvement"] = 0.2;
  EXPECT_EQ(outlook_text(file_, decision_), "at least 35 more epochs (4:00) for -0.2 acc");
  decision_["outlook"] = {{"epochs", 0.2}, {"at_least", false}};
  EXPECT_EQ(outlook_text(file_, decision_), "nothing more: it is about to stop");
  EXPECT_EQ(outlook_text(file_, Json()), "");
}

TEST_F(TuneViewTest, FitsEveryScreen) {
  note_ = std::string(500, 'x');
  for (const size_t width : {5, 20, 40, 80}) {
    for (const size_t height : {6, 10, 24}) {
      std::istringstream lines(screen(width, height));
      size_t count = 0;
      for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_LE(display_width(line), std::max<size_t>(width, 11)) << line;
      }
      EXPECT_LT(count, height);
    }
  }
}

TEST_F(TuneViewTest, NothingYet) {
  facts_ =
      study::make_facts(1, {{.trial = 0, .values = {std::numeric_limits<double>::quiet_NaN()}}});
  EXPECT_THAT(screen(), HasSubstr("nothing yet"));
}

TEST(TuneTextTest, CostsAndParameters) {
  study::UtilitySpec utility;
  EXPECT_EQ(cost_text(utility, 112), "112 epochs");
  EXPECT_EQ(cost_text(utility, 1), "1 epoch");
  utility.unit = study::CostUnit::kSeconds;
  EXPECT_EQ(cost_text(utility, 185), "3:05 of training");
  utility.unit = study::CostUnit::kMoney;
  utility.unit_word = "EUR";
  EXPECT_EQ(cost_text(utility, 4.2), "4.20 EUR");
  EXPECT_EQ(parameters_text({{"lr", 0.0123456}, {"layers", 3}, {"opt", "sgd"}, {"bias", true}}),
            "lr 0.01235  layers 3  opt sgd  bias true");
}

}  // namespace
}  // namespace cmbo::cli
