// SPDX-License-Identifier: Apache-2.0
#include "decide/acquisition.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace cmbo::decide {

using forecast::Samples;

namespace {

// Independent sums, so that the compiler may use vectors without changing the result.
constexpr size_t kLanes = 16;

// Sum over s of max(0, running[s] - floor), after running[s] rose to values[s] where that is more.
double sum_above(const float* __restrict values, float* __restrict running, size_t count,
                 float floor) {
  std::array<float, kLanes> lanes{};
  const auto add = [&](size_t s, float& sum) {
    const float top = std::max(running[s], values[s]);
    running[s] = top;
    sum += std::max(0.0F, top - floor);
  };
  size_t s = 0;
  for (; s + kLanes <= count; s += kLanes) {
    for (size_t i = 0; i < kLanes; ++i) add(s + i, lanes[i]);
  }
  for (; s < count; ++s) add(s, lanes[s % kLanes]);
  return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

// The epochs still to come of one asked configuration, one after the other.
class Future {
 public:
  Future(const Samples& samples, const Standing& standing, const Utility& utility,
         const Budget& budget)
      : samples_(samples), standing_(standing), utility_(utility), budget_(budget) {}

  // Starts with the asked configuration q.
  void start(size_t q) {
    q_ = q;
    running_.assign(samples_.count, standing_.best);
  }
  // How many epochs horizon and budget leave.
  uint32_t left() const {
    const auto most = static_cast<uint32_t>(samples_.horizon - samples_.lengths[q_]);
    uint32_t epochs = 0;
    while (epochs < most && budget_.allows(cost(epochs))) ++epochs;
    return epochs;
  }

  // To be called for every delta in turn: E[ max(0, U - U_prev) ].
  double gain(uint32_t delta) {
    const std::span<const float> values = values_at(delta);
    const double price = utility_.price(cost(delta));
    if (utility_.is_plain()) {
      const auto floor = static_cast<float>(standing_.utility + price);
      return mean(sum_above(values.data(), running_.data(), values.size(), floor));
    }
    double sum = 0.0;
    raise(values, [&](double best) {
      sum += std::max(0.0, utility_.value(best) - price - standing_.utility);
    });
    return mean(sum);
  }
  // Likewise: `visit` is told U of every sample, with the best up to `delta`.
  template <typename Visit>
  void utilities(uint32_t delta, const Visit& visit) {
    const double price = utility_.price(cost(delta));
    raise(values_at(delta), [&](double best) { visit(utility_.value(best) - price); });
  }
  // U after `delta`, if nothing better is found.
  double idle_utility(uint32_t delta) const {
    return utility_(cost(delta), static_cast<double>(standing_.best));
  }
  // Likewise: P(U > U_prev).
  double probability(uint32_t delta) {
    const double price = utility_.price(cost(delta));
    size_t better = 0;
    raise(values_at(delta), [&](double best) {
      if (utility_.value(best) - price > standing_.utility) ++better;
    });
    return mean(static_cast<double>(better));
  }

 private:
  double cost(uint32_t delta) const {
    const double epochs = static_cast<double>(delta) + 1.0;
    return standing_.spent + epochs * budget_.epoch_cost(samples_.asked[q_]);
  }
  std::span<const float> values_at(uint32_t delta) const {
    return samples_.at(q_, samples_.lengths[q_] + delta + 1);
  }
  double mean(double sum) const { return sum / static_cast<double>(samples_.count); }

  template <typename Visit>
  void raise(std::span<const float> values, const Visit& visit) {
    for (size_t s = 0; s < values.size(); ++s) {
      running_[s] = std::max(running_[s], values[s]);
      visit(static_cast<double>(running_[s]));
    }
  }

  const Samples& samples_;
  const Standing& standing_;
  const Utility& utility_;
  const Budget& budget_;
  size_t q_ = 0;
  std::vector<float> running_;  // [S] the best so far of each sample
};

}  // namespace

Standing standing_of(const History& history, const Utility& utility) {
  if (history.steps().empty()) return {};
  const float best = history.best();
  return {history.spent(), best, utility(history.spent(), static_cast<double>(best))};
}

std::vector<Prospect> prospects(const Samples& samples, const Standing& standing,
                                const Utility& utility, const Budget& budget) {
  std::vector<Prospect> all;
  Future future(samples, standing, utility, budget);
  for (size_t q = 0; q < samples.asked.size(); ++q) {
    Prospect best{.configuration = samples.asked[q]};
    future.start(q);
    const uint32_t left = future.left();
    for (uint32_t delta = 0; delta < left; ++delta) {
      const double gain = future.gain(delta);
      if (gain <= best.acquisition) continue;
      best.acquisition = gain;
      best.horizon = delta;
    }
    all.push_back(best);
  }
  return all;
}

double probability_of_gain(const Samples& samples, size_t q, const Standing& standing,
                           const Utility& utility, const Budget& budget) {
  Future future(samples, standing, utility, budget);
  future.start(q);
  const uint32_t left = future.left();
  double largest = 0.0;
  for (uint32_t delta = 0; delta < left; ++delta) {
    const double probability = future.probability(delta);
    if (delta > 0 || left == 1) largest = std::max(largest, probability);
  }
  return largest;
}

Look look_at(const Samples& samples, size_t q, const Standing& standing, const Utility& utility,
             const Budget& budget) {
  Future future(samples, standing, utility, budget);
  future.start(q);
  const uint32_t left = future.left();
  if (left == 0) return {};
  const uint32_t epochs = std::min(left, kLookEpochs), seen = epochs - 1;
  const double idle = future.idle_utility(seen);
  std::vector<double> followed(samples.count, idle);
  for (uint32_t delta = 0; delta < left; ++delta) {
    size_t s = 0;
    future.utilities(delta, [&](double utility_of_sample) {
      if (delta >= seen) followed[s] = std::max(followed[s], utility_of_sample);
      ++s;
    });
  }
  const double sum = std::accumulate(followed.begin(), followed.end(), 0.0);
  const double gain = sum / static_cast<double>(samples.count) - idle;
  return {.epochs = epochs, .price = standing.utility - idle, .foretold = gain, .gain = gain};
}

std::vector<double> final_improvements(const Samples& samples, float best) {
  std::vector<double> all;
  for (size_t q = 0; q < samples.asked.size(); ++q) {
    double sum = 0.0;
    for (const float y : samples.at(q, samples.horizon)) {
      sum += static_cast<double>(std::max(0.0F, y - best));
    }
    all.push_back(sum / static_cast<double>(samples.count));
  }
  return all;
}

float final_median(const Samples& samples, size_t q) {
  const std::span<const float> values = samples.at(q, samples.horizon);
  std::vector<float> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace cmbo::decide
