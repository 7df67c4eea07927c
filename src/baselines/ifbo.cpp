// SPDX-License-Identifier: Apache-2.0
#include "baselines/ifbo.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "forecast/samples.h"

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

Ifbo::Ifbo(decide::Extrapolator extrapolator, uint64_t seed)
    : extrapolator_(std::move(extrapolator)), seed_(seed) {}

Result<decide::Choice> Ifbo::choose(const decide::History& history) {
  const std::vector<uint32_t> asked = history.candidates();
  Random random = Random(seed_).fork(history.steps().size());
  decide::Choice choice;
  choice.configuration = asked[random.index(asked.size())];
  if (history.steps().empty()) return choice;

  const size_t horizon = history.curves().horizon;
  const size_t ahead = 1 + random.index(horizon);
  const auto best = static_cast<double>(history.best());
  const double threshold = best + std::pow(10.0, random.uniform(-4.0, -1.0)) * (1.0 - best);
  CMBO_TRY(const forecast::Samples samples, extrapolator_(history.curves(), asked));
  CHECK(samples.asked == asked && samples.count > 0, "an extrapolator answers what it is asked");
  std::optional<Chance> most;
  for (size_t q = 0; q < asked.size(); ++q) {
    const size_t epoch = std::min(samples.lengths[q] + ahead, horizon);
    const Chance chance = chance_of(samples.at(q, epoch), threshold);
    if (most && !(*most < chance)) continue;
    most = chance;
    choice.configuration = asked[q];
  }
  return choice;
}

}  // namespace cmbo::baselines
