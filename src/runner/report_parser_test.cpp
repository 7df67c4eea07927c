// SPDX-License-Identifier: Apache-2.0
#include "runner/report_parser.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::runner {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ReportRules kRules = {.metric = "acc", .fidelity = "round"};

Report parsed(std::string_view line) {
  return report_from_output(line, kRules).value().value();
}

std::string refused(std::string_view line) {
  return report_from_output(line, kRules).error().message();
}

TEST(ReportFromOutputTest, TheWaysToSayIt) {
  EXPECT_EQ(parsed(R"(@cmbo {"step":3,"acc":0.71})"), (Report{3, 0.71}));
  EXPECT_EQ(parsed(R"(@cmbo{"acc":1,"epoch":2,"other":[1,{}]} )"), (Report{2, 1}));
  EXPECT_EQ(parsed(R"([tune-metric]: {"round": 4.0, "epoch": 9, "acc": 1e-3})"), (Report{4, 1e-3}));
  EXPECT_EQ(parsed("  50%|####\r@cmbo {\"step\":3,\"acc\":0}"), (Report{3, 0}));
  EXPECT_EQ(parsed(R"(2026-01-01 INFO train: @cmbo {"step":3,"acc":0})"), (Report{3, 0}));
}

TEST(ReportFromOutputTest, OtherLinesAreNoReports) {
  for (const std::string_view line :
       {"", "epoch 3", "{\"step\":3,\"acc\":1}", "we print lines of @cmbo here", "\xff\xfe\x01"}) {
    EXPECT_FALSE(report_from_output(line, kRules).value().has_value()) << line;
  }
}

TEST(ReportFromOutputTest, NotFiniteAsLanguagesPrintIt) {
  for (const std::string word : {"NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf",
                                 "Inf", "null", "\"NaN\"", "\"-inf\""}) {
    EXPECT_FALSE(std::isfinite(parsed("@cmbo {\"step\": 3, \"acc\": " + word + "}").value)) << word;
    EXPECT_FALSE(std::isfinite(parsed("@cmbo {\"acc\":" + word + ",\"step\":3}").value)) << word;
  }
  EXPECT_EQ(parsed(R"(@cmbo {"a \" NaN, inf": [NaN], "step": 3, "acc": 2})").value, 2.0);
  EXPECT_THAT(refused(R"(@cmbo {"step": 3, "acc": nano})"), HasSubstr("not valid JSON"));
}

TEST(ReportFromOutputTest, ComplaintsSayWhatToDo) {
  EXPECT_THAT(
      refused(R"(@cmbo {"step": 3, "val_acc": 1, "loss": 2})"),
      AllOf(HasSubstr("no \"acc\" in the report, which has \"step\", \"val_acc\", \"loss\""),
            HasSubstr("change the metric's name")));
  EXPECT_THAT(refused(R"(@cmbo {"acc": 1})"), HasSubstr("add \"step\", counted from 1"));
  EXPECT_THAT(refused(R"(@cmbo {})"), HasSubstr("which has no keys"));
  EXPECT_THAT(refused(R"(@cmbo {"step": "3", "acc": 1})"), HasSubstr("\"step\" is \"3\""));
  EXPECT_THAT(refused(R"(@cmbo {"step": -1, "acc": 1})"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refused(R"(@cmbo {"step": 1.5, "acc": 1})"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refused(R"(@cmbo {"step": 1e300, "acc": 1})"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refused(R"(@cmbo {"step": 1, "acc": "good"})"), HasSubstr("\"acc\" is text"));
  EXPECT_THAT(refused(R"(@cmbo {"step": 1, "acc": true})"), HasSubstr("is true or false"));
  EXPECT_THAT(refused(R"(@cmbo {"step": 1, "acc": [1]})"), HasSubstr("is a list"));
  EXPECT_THAT(refused(R"(@cmbo [1])"), HasSubstr("a list where a report must be an object"));
  EXPECT_THAT(refused("@cmbo step=3"), HasSubstr("write one JSON object a line"));
  EXPECT_THAT(refused("@cmbo {\"step\": \xff}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refused("@cmbo {" + std::string(kMaxReportBytes, 'x')), HasSubstr("64 KiB"));
}

class ReportParserTest : public testing::Test {
 protected:
  void output(std::string_view bytes) { keep(parser_.feed_output(bytes)); }
  void report_file(std::string_view bytes) { keep(parser_.feed_report_file(bytes)); }
  void finish() { keep(parser_.finish()); }

  std::vector<uint64_t> steps() const {
    std::vector<uint64_t> steps;
    for (const Report& report : heard_.reports) steps.push_back(report.step);
    return steps;
  }
  std::string complaints() const {
    std::string all;
    for (const Complaint& complaint : heard_.complaints) all += complaint.text + "\n";
    return all;
  }

  ReportParser parser_{kRules, 2, 6};
  Heard heard_;

 private:
  void keep(Heard heard) {
    for (const Report& report : heard.reports) heard_.reports.push_back(report);
    for (Complaint& complaint : heard.complaints) heard_.complaints.push_back(std::move(complaint));
  }
};

TEST_F(ReportParserTest, LinesMayArriveInPieces) {
  const std::string text = "hello\n@cmbo {\"step\":3,\"acc\":1}\r\n@cmbo {\"step\":4,\"acc\":1}\n";
  for (const char byte : text) output({&byte, 1});
  EXPECT_THAT(steps(), ElementsAre(3, 4));
  EXPECT_EQ(complaints(), "");
  EXPECT_EQ(parser_.last_step(), 4U);
}

TEST_F(ReportParserTest, BothWaysCountOnce) {
  output("@cmbo {\"step\":3,\"acc\":NaN}\n@cmbo {\"step\":4,\"acc\":1}\n");
  report_file("{\"step\":3,\"acc\":NaN}\n\n{\"step\":4,\"acc\":1}\n{\"step\":5,\"acc\":1}\n");
  EXPECT_THAT(steps(), ElementsAre(3, 4, 5));
  EXPECT_EQ(complaints(), "");
  EXPECT_TRUE(parser_.diverged());
}

TEST_F(ReportParserTest, AHalfWrittenLineWaitsAndIsDroppedAtTheEnd) {
  output("@cmbo {\"step\":3,\"ac");
  EXPECT_THAT(steps(), IsEmpty());
  output("c\":1}\n@cmbo {\"step\":4,\"acc\":0.");
  EXPECT_THAT(steps(), ElementsAre(3));
  finish();
  EXPECT_THAT(steps(), ElementsAre(3));
  EXPECT_THAT(complaints(), HasSubstr("stdout: not valid JSON"));
}

TEST_F(ReportParserTest, AWholeReportNeedsNoLineEndAtTheEnd) {
  output("@cmbo {\"step\":3,\"acc\":1}");
  report_file("{\"step\":4,\"acc\":1}");
  finish();
  EXPECT_THAT(steps(), ElementsAre(3, 4));
  EXPECT_EQ(complaints(), "");
}

TEST_F(ReportParserTest, StepsGoForward) {
  report_file("{\"step\":2,\"acc\":1}\n{\"step\":0,\"acc\":1}\n");
  EXPECT_THAT(complaints(),
              HasSubstr("step 2 was reported, but this slice began after step 2; load "
                        "the checkpoint"));
  report_file("{\"step\":4,\"acc\":1}\n{\"step\":3,\"acc\":1}\n{\"step\":4,\"acc\":2}\n");
  EXPECT_THAT(steps(), ElementsAre(4)) << "a gap is no mistake";
  EXPECT_THAT(complaints(), HasSubstr("step 3 was reported after step 4"));
  EXPECT_THAT(complaints(), HasSubstr("step 4 was reported after step 4"));
  EXPECT_EQ(heard_.complaints.back().refused, (Report{4, 2}));
  EXPECT_FALSE(parser_.overran());
  report_file("{\"step\":7,\"acc\":1}\n");
  EXPECT_TRUE(parser_.overran());
  EXPECT_THAT(complaints(), HasSubstr("step 7 was reported, but the target is 6"));
  EXPECT_EQ(parser_.last_step(), 4U);
}

TEST_F(ReportParserTest, StepZeroIsTheValueBeforeTraining) {
  ReportParser fresh(kRules, 0, 2);
  const Heard heard = fresh.feed_report_file("{\"step\":0,\"acc\":1}\n{\"step\":0,\"acc\":3}\n");
  EXPECT_THAT(heard.reports, ElementsAre(Report{0, 1}));
  EXPECT_EQ(heard.complaints.size(), 1U);
  EXPECT_EQ(fresh.last_step(), 0U);
}

TEST_F(ReportParserTest, AFurtherSlice) {
  output("@cmbo {\"step\":6,\"acc\":1}\n");
  parser_.set_target(8);
  EXPECT_EQ(parser_.start_step(), 6U);
  report_file("{\"step\":6,\"acc\":1}\n{\"step\":7,\"acc\":1}\n{\"step\":9,\"acc\":1}\n");
  EXPECT_THAT(steps(), ElementsAre(6, 7));
  EXPECT_THAT(complaints(), HasSubstr("the target is 8"));
}

TEST_F(ReportParserTest, FloodsAreCutOff) {
  const std::string long_line = "{" + std::string(3 * kMaxReportBytes, 'x');
  output("@cmbo " + long_line + "\n" + long_line + "\n");
  report_file(long_line);
  report_file(long_line + "\n");
  EXPECT_EQ(heard_.complaints.size(), 2U);
  for (int i = 0; i < 1000; ++i) output("@cmbo garbage\n");
  EXPECT_EQ(heard_.complaints.size(), kMaxComplaints);
  EXPECT_THAT(heard_.complaints.back().text, HasSubstr("more is wrong"));
  output("@cmbo {\"step\":3,\"acc\":1}\n");
  EXPECT_THAT(steps(), ElementsAre(3));
}

TEST_F(ReportParserTest, BinaryGarbage) {
  std::string garbage;
  for (int i = 0; i < 4096; ++i) garbage += static_cast<char>(i * 37);
  output(garbage);
  report_file(garbage);
  finish();
  EXPECT_THAT(steps(), IsEmpty());
  EXPECT_THAT(complaints(), HasSubstr("report.jsonl: not valid JSON"));
}

}  // namespace
}  // namespace cmbo::runner
