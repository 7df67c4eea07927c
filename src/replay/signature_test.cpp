// SPDX-License-Identifier: Apache-2.0
//
// The decisions of whole searches on the curves that ship with the project, as one number for each
// setting. It changes only when behaviour changes; then say so in the changelog and put the new
// number here. The extrapolator is a plain rule instead of a network, whose last bits depend on the
// processor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file_system.h"
#include "base/hash.h"
#include "curves/normalization.h"
#include "curves/reader.h"
#include "decide/cmbo_policy.h"
#include "replay/run.h"

namespace cmbo::replay {
namespace {

constexpr size_t kCurves = 16;

// From the last value (or y_0) on, curve s closes a share of the gap to 1 that grows with s and,
// ever slower, with every epoch.
forecast::Samples extrapolate(const curves::CurveTable& history, std::span<const uint32_t> asked) {
  forecast::Samples samples;
  samples.horizon = history.horizon;
  samples.count = kCurves;
  samples.asked.assign(asked.begin(), asked.end());
  samples.values.resize(asked.size() * history.horizon * kCurves);
  float* value = samples.values.data();
  for (const uint32_t n : asked) {
    const auto seen = history.curve(n);
    samples.lengths.push_back(static_cast<uint32_t>(seen.size()));
    const float last = seen.empty() ? history.initial : seen.back();
    for (size_t epoch = 1; epoch <= history.horizon; ++epoch) {
      const float ahead = static_cast<float>(epoch) - static_cast<float>(seen.size());
      for (size_t s = 0; s < kCurves; ++s) {
        const float share = ahead / (ahead + 20.0F) * static_cast<float>(s) / kCurves;
        *value++ = last + (1.0F - last) * share;
      }
    }
  }
  return samples;
}

struct Setting {
  double alpha;
  decide::StopBy rule;
  size_t patience;
  double depth;
  bool hindsight;
  const char* signature;
};

class SignatureTest : public ::testing::TestWithParam<Setting> {};

TEST_P(SignatureTest, DecisionsStayWhatTheyAre) {
  const auto set =
      curves::read_curves(real_file_system(), "data/synthetic", curves::ReadOptions{}).value();
  const decide::Utility utility = decide::Utility::linear(GetParam().alpha).value();
  const ManualClock clock;
  Fnv1a hash;
  for (const curves::Task& task : set.tasks) {
    const auto table = curves::to_table(task, curves::normalization_of(task).value());
    decide::CmboPolicy policy(extrapolate, {.utility = utility,
                                            .budget = {120, {}},
                                            .patience = GetParam().patience,
                                            .depth = GetParam().depth,
                                            .hindsight = GetParam().hindsight});
    RunSettings settings{
        .table = table, .utility = utility, .loop = {}, .clock = clock, .proceed = [] {
          return true;
        }};
    settings.loop.budget = 120;
    settings.loop.stopping.by = GetParam().rule;
    const RunOutcome outcome = run(settings, policy).value().value();
    for (const StepRecord& step : outcome.steps) {
      hash.add(fmt::format("{} {};", step.configuration, step.epoch));
    }
    hash.add(fmt::format("stopped at {}.", outcome.stopped_at.value_or(0)));
  }
  EXPECT_EQ(fmt::format("{:016x}", hash.value()), GetParam().signature);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, SignatureTest,
    ::testing::Values(Setting{0.0, decide::StopBy::kRegret, 0, 0.0, false, "cae08ed10f561da6"},
                      Setting{0.0, decide::StopBy::kRegret, 3, 0.0, false, "abc503cad072eed6"},
                      Setting{0.0, decide::StopBy::kRegret, 3, 1.0, true, "9fe3bde1c5d23931"},
                      Setting{2e-3, decide::StopBy::kRegret, 3, 1.0, true, "a7deb522fd017af4"},
                      Setting{2e-3, decide::StopBy::kLook, 3, 1.0, true, "7a3d89e79cb65b5b"}));

}  // namespace
}  // namespace cmbo::replay
