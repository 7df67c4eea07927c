// SPDX-License-Identifier: Apache-2.0
#include "baselines/ifbo.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace cmbo::baselines {

namespace {

// What is asked of a configuration, and how good its answer is.
struct Chance {
  size_t above = 0;  // samples
  float largest = 0.0F;

  bool operator<(const Chance& other) const {
    return above != other.above ? above < other.above : largest < other.largest;
  }
};

Chance chance_of(std::span<const float> samples, double threshold) {
  Chance chance;
  for (const float y : samples) chance.above += static_cast<double>(y) > threshold ? 1 : 0;
  chance.largest = *std::max_element(samples.begin(), samples.end());
  return chance;
}

}  // namespace

Ifbo::Ifbo(EpochForecaster forecaster, uint64_t seed)
    : forecaster_(std::move(forecaster)), seed_(seed) {}

Result<decide::Choice> Ifbo::choose(const decide::History& history) {
  const std::vector<uint32_t> asked = history.candidates();
  Random random = Random(seed_).fork(history.steps().size());
  decide::Choice choice;
  choice.configuration = asked[random.index(asked.size())];
  if (history.steps().empty()) return choice;

  const auto ahead = static_cast<uint32_t>(1 + random.index(history.curves().horizon));
  const auto best = static_cast<double>(history.best());
  const double threshold = best + std::pow(10.0, random.uniform(-4.0, -1.0)) * (1.0 - best);
  CMBO_TRY(const std::vector<float> samples, forecaster_({history.curves(), asked, ahead}));
  const size_t count = samples.size() / asked.size();
  CHECK(count > 0 && samples.size() == count * asked.size(), "as many samples of each");
  std::optional<Chance> most;
  for (size_t q = 0; q < asked.size(); ++q) {
    const Chance chance = chance_of(std::span(samples).subspan(q * count, count), threshold);
    if (most && !(*most < chance)) continue;
    most = chance;
    choice.configuration = asked[q];
  }
  return choice;
}

}  // namespace cmbo::baselines
