// SPDX-License-Identifier: Apache-2.0
#include "runner/resume_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::runner {
namespace {

using testing::HasSubstr;

// A start of 1 s, epochs of 2 s; losses 0.8, 0.5 without mistakes.
ResumeObservations good() {
  ResumeObservations seen;
  seen.whole = {{{{1, 0.8}, 3}, {{2, 0.5}, 5}}};
  seen.first = {{{{1, 0.8}, 3}}};
  seen.second = {{{{2, 0.5}, 3}}};
  return seen;
}

ResumeObservations with_second(std::vector<ObservedReport> reports) {
  ResumeObservations seen = good();
  seen.second.reports = std::move(reports);
  seen.whole_again = seen.whole;
  return seen;
}

ResumeFinding finding(const ResumeObservations& seen) {
  const ResumeVerdict verdict = judge_resumption(seen);
  EXPECT_FALSE(verdict.explanation.empty());
  EXPECT_EQ(verdict.remedy.empty(), verdict.resumes()) << verdict.remedy;
  return verdict.finding;
}

TEST(ResumeCheckTest, Resumes) {
  EXPECT_EQ(finding(good()), ResumeFinding::kResumes);
  ResumeObservations rounded = good();
  rounded.second.reports[0].report.value += 1e-8;
  EXPECT_EQ(finding(rounded), ResumeFinding::kResumes);
  EXPECT_THAT(judge_resumption(good()).explanation, HasSubstr("0.8 and 0.5 in one go"));
}

TEST(ResumeCheckTest, ADifferenceNeedsAYardstick) {
  ResumeObservations seen = good();
  seen.second.reports[0].report.value = 0.51;
  EXPECT_EQ(finding(seen), ResumeFinding::kNeedsYardstick);
  seen.whole_again = ObservedSlice{{{{1, 0.795}, 3}, {{2, 0.5}, 5}}};
  EXPECT_EQ(finding(seen), ResumeFinding::kResumes);
  EXPECT_THAT(judge_resumption(seen).explanation, HasSubstr("equal runs differ by up to 0.005"));
  seen.whole_again = seen.whole;
  EXPECT_EQ(finding(seen), ResumeFinding::kLostState);
}

TEST(ResumeCheckTest, NoiseHidesEverything) {
  ResumeObservations seen = with_second({{{2, 0.6}, 3}});
  seen.whole_again->reports[1].report.value = 0.7;
  EXPECT_EQ(finding(seen), ResumeFinding::kUnclear);
  EXPECT_THAT(judge_resumption(seen).remedy, HasSubstr("CMBO_SEED"));
  ResumeObservations flat = good();
  for (ObservedSlice* slice : {&flat.whole, &flat.first, &flat.second}) {
    for (ObservedReport& seen_report : slice->reports) seen_report.report.value = 0.1;
  }
  EXPECT_EQ(finding(flat), ResumeFinding::kUnclear);
  EXPECT_THAT(judge_resumption(flat).remedy, HasSubstr("learns something"));
}

TEST(ResumeCheckTest, Restarts) {
  EXPECT_EQ(finding(with_second({{{1, 0.8}, 3}, {{2, 0.5}, 5}})), ResumeFinding::kRestarts);
  EXPECT_EQ(finding(with_second({{{1, 0.8}, 3}})), ResumeFinding::kRestarts);
  for (const double value : {0.78, 0.8, 0.9}) {
    EXPECT_EQ(finding(with_second({{{2, value}, 3}})), ResumeFinding::kRestarts);
  }
}

TEST(ResumeCheckTest, RepeatsAStep) {
  EXPECT_EQ(finding(with_second({{{1, 0.5}, 3}, {{2, 0.3}, 5}})), ResumeFinding::kRepeatsStep);
  EXPECT_EQ(finding(with_second({{{1, 0.8}, 1}, {{2, 0.5}, 3}})), ResumeFinding::kRepeatsStep);
  EXPECT_THAT(judge_resumption(with_second({{{1, 0.8}, 1}, {{2, 0.5}, 3}})).explanation,
              HasSubstr("again before it trains"));
}

TEST(ResumeCheckTest, TrainsAgainUnseen) {
  EXPECT_EQ(finding(with_second({{{2, 0.5}, 5}})), ResumeFinding::kTrainsAgain);
  ResumeObservations slow_start = good();
  for (ObservedSlice* slice : {&slow_start.whole, &slow_start.first, &slow_start.second}) {
    for (ObservedReport& seen_report : slice->reports) seen_report.seconds += 10;
  }
  slow_start.second.reports[0].seconds += 2;
  EXPECT_EQ(finding(slow_start), ResumeFinding::kResumes) << "a start differs by as much";
}

TEST(ResumeCheckTest, DependsOnTheSlice) {
  ResumeObservations seen = with_second({{{2, 0.45}, 3}});
  seen.first.reports[0].report.value = 0.7;
  EXPECT_EQ(finding(seen), ResumeFinding::kDependsOnSlice);
  EXPECT_THAT(judge_resumption(seen).remedy, HasSubstr("CMBO_MAX_STEP"));
}

TEST(ResumeCheckTest, LostStateOrOtherData) {
  EXPECT_EQ(finding(with_second({{{2, 0.6}, 3}})), ResumeFinding::kLostState);
  EXPECT_EQ(finding(with_second({{{2, 0.4}, 3}})), ResumeFinding::kOtherData);
}

TEST(ResumeCheckTest, IncompleteReports) {
  EXPECT_EQ(finding({}), ResumeFinding::kIncomplete);
  ResumeObservations seen = good();
  seen.second.reports.clear();
  EXPECT_THAT(judge_resumption(seen).explanation, HasSubstr("after the freeze, step 2"));
  seen = good();
  seen.whole.reports.pop_back();
  EXPECT_THAT(judge_resumption(seen).explanation, HasSubstr("in one go, step 2"));
  seen = good();
  seen.first.reports.clear();
  EXPECT_EQ(finding(seen), ResumeFinding::kIncomplete);
  seen = with_second({{{2, 0.6}, 3}});
  seen.whole_again->reports.clear();
  EXPECT_EQ(finding(seen), ResumeFinding::kIncomplete);
}

TEST(ResumeCheckTest, RefusedReportsAreObservedToo) {
  ObservedSlice slice;
  observe(ReportEvent{1, {2, 0.5}, 4.0, 1.0}, slice);
  observe(ComplaintEvent{1, "again", Report{1, 0.8}, 5.0}, slice);
  observe(ComplaintEvent{1, "nonsense", std::nullopt, 6.0}, slice);
  observe(EndedEvent{}, slice);
  ASSERT_EQ(slice.reports.size(), 2U);
  EXPECT_EQ(slice.reports[1].report, (Report{1, 0.8}));
  EXPECT_EQ(slice.reports[1].seconds, 5.0);
}

}  // namespace
}  // namespace cmbo::runner
