// SPDX-License-Identifier: Apache-2.0
#include "study/receipt.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decide/cmbo_policy.h"
#include "study/memory_storage.h"
#include "study/study_testing.h"

namespace cmbo::study {
namespace {

using testing::HasSubstr;

// Every configuration has a chance of one in four to reach 0.7 at the next epoch, and stays at 0.5
// otherwise.
Result<forecast::Samples> modest_futures(const curves::CurveTable& history,
                                         std::span<const uint32_t> asked) {
  forecast::Samples samples;
  samples.horizon = history.horizon;
  samples.count = 4;
  for (const uint32_t n : asked) {
    samples.asked.push_back(n);
    samples.lengths.push_back(history.lengths[n]);
    for (size_t epoch = 1; epoch <= history.horizon; ++epoch) {
      const bool seen = epoch <= history.lengths[n];
      for (int s = 0; s < 4; ++s) {
        samples.values.push_back(seen ? std::nanf("") : (s == 3 ? 0.7F : 0.5F));
      }
    }
  }
  return samples;
}

PolicyFactory modest_policy() {
  return [](const decide::Utility& utility, const decide::Budget& budget) {
    return Result<std::unique_ptr<decide::Policy>>(std::make_unique<decide::CmboPolicy>(
        modest_futures, decide::CmboOptions{.utility = utility, .budget = budget}));
  };
}

class ReceiptTest : public testing::Test {
 protected:
  // Trains until it stops: 0.2 at first, 0.5 ever after.
  void run(const std::string& more) {
    const std::string text = small_study(more);
    auto study =
        Study::open(study_file_from_yaml(text).value(), text, {storage_, clock_, modest_policy()});
    study_.emplace(std::move(study).value());
    for (;;) {
      const Answer answer = study_->ask().value();
      if (std::holds_alternative<Stop>(answer)) break;
      const Train train = std::get<Train>(answer);
      for (uint32_t step = train.from + 1; step <= train.to; ++step) {
        const double value = study_->facts().observations().empty() ? 0.2 : 0.5;
        ASSERT_TRUE(study_->report(train.slice, {step, value, 0.0}).ok());
      }
      ASSERT_TRUE(study_->end_slice(train.slice, {}).ok());
    }
    receipt_ = study_->receipt().value();
  }

  MemoryStorage storage_;
  ManualClock clock_;
  std::optional<Study> study_;
  Receipt receipt_;
};

TEST_F(ReceiptTest, TellsWhatWasRejectedAndWhenItWouldHaveGoneOn) {
  run("utility: {alpha: 0.04}");
  EXPECT_THAT(receipt_.reason, HasSubstr("stop: no configuration is worth another look"));
  EXPECT_EQ(receipt_.standing.best_value, 0.5);
  ASSERT_EQ(receipt_.rejected.size(), 5U);
  EXPECT_NEAR(*receipt_.rejected[0].final_forecast, 0.5, 1e-6) << "in the metric's units";
  EXPECT_EQ(receipt_.rejected[0].cost, receipt_.rejected[0].epochs);
  ASSERT_TRUE(receipt_.price_factor);
  EXPECT_GT(*receipt_.price_factor, 0.0);
  EXPECT_LT(*receipt_.price_factor, 1.0);

  // At that price it goes on after the same observations, a little above it does not.
  const auto stops = [&](double factor) {
    const curves::CurveTable pool = encode_pool(study_->file(), study_->facts()).value();
    const Situation situation = situation_of(study_->file(), study_->facts(), pool, factor).value();
    return deliberate(study_->file(), study_->facts(), pool, situation, modest_policy())
        .value()
        .stop;
  };
  EXPECT_FALSE(stops(*receipt_.price_factor));
  EXPECT_TRUE(stops(*receipt_.price_factor * 1.02));
}

TEST_F(ReceiptTest, AsJson) {
  run("utility: {alpha: 0.04}");
  const Json json = receipt_to_json(receipt_, study_->file(), study_->facts());
  EXPECT_EQ(json["reason"], receipt_.reason);
  EXPECT_EQ(json["best"]["trial"], 0);
  EXPECT_EQ(json["best"]["parameters"]["width"], 5);
  EXPECT_EQ(json["rejected"].size(), 5U);
  EXPECT_EQ(json["cost_unit"], "epochs");
  EXPECT_NEAR(json["would_go_on"]["alpha"].get<double>(), 0.04 * *receipt_.price_factor, 1e-12);
}

TEST_F(ReceiptTest, AStopThatWasNotTheUtilitysHasNoPrice) {
  run("utility: {alpha: 0}\nlimits: {epochs: 6}");
  EXPECT_EQ(receipt_.reason, "stop: the limit of 6 epochs is reached");
  EXPECT_FALSE(receipt_.price_factor);
  EXPECT_TRUE(receipt_to_json(receipt_, study_->file(), study_->facts())["would_go_on"].is_null());
}

}  // namespace
}  // namespace cmbo::study
