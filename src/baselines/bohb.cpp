// SPDX-License-Identifier: Apache-2.0
#include "baselines/bohb.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "baselines/halving_plan.h"
#include "baselines/nearest.h"
#include "baselines/order.h"
#include "baselines/parzen.h"

namespace cmbo::baselines {

namespace {

constexpr double kLeastDensity = 1e-32;

struct Completed {
  uint32_t configuration;
  float value;
};

class ParzenProposer : public Proposer {
 public:
  ParzenProposer(const curves::CurveTable& pool, const BohbOptions& options)
      : pool_(pool),
        options_(options),
        random_(options.seed),
        order_(random_order(pool.size(), options.seed)),
        taken_(pool.size(), false) {}

  std::optional<uint32_t> propose() override {
    const std::vector<Completed>* rung = largest_rung();
    const bool by_chance = random_.chance(options_.random_fraction) || rung == nullptr;
    const std::optional<uint32_t> n =
        by_chance ? first_untaken() : nearest(pool_, best_draw(*rung), taken_);
    if (n) taken_[*n] = true;
    return n;
  }

  void tell(const Job& job, float value) override {
    completed_[job.epochs].push_back({job.configuration, value});
  }

 private:
  size_t least_points() const { return pool_.dimensions + 1; }

  std::optional<uint32_t> first_untaken() const {
    const auto found =
        std::find_if(order_.begin(), order_.end(), [&](uint32_t n) { return !taken_[n]; });
    return found == order_.end() ? std::nullopt : std::optional(*found);
  }

  // nullptr if none has enough for two densities.
  const std::vector<Completed>* largest_rung() const {
    const std::vector<Completed>* largest = nullptr;
    for (const auto& [epochs, rung] : completed_) {
      if (rung.size() >= good_count(rung.size()) + least_points()) largest = &rung;
    }
    return largest;
  }

  size_t good_count(size_t n) const {
    return std::max(least_points(), n * options_.top_percent / 100);
  }

  ParzenDensity density(std::span<const Completed> points) const {
    std::vector<ParzenDensity::Vector> vectors;
    for (const Completed& point : points) {
      const auto x = pool_.configuration(point.configuration);
      vectors.emplace_back(x.begin(), x.end());
    }
    return {std::move(vectors), options_.least_bandwidth};
  }

  ParzenDensity::Vector best_draw(std::vector<Completed> rung) {
    std::stable_sort(rung.begin(), rung.end(),
                     [](const Completed& a, const Completed& b) { return a.value > b.value; });
    const size_t n = rung.size(), good = good_count(n);
    const size_t bad = std::max(least_points(), n * (100 - options_.top_percent) / 100);
    const ParzenDensity l = density(std::span(rung).first(good));
    const ParzenDensity g = density(std::span(rung).subspan(good, std::min(bad, n - good)));
    ParzenDensity::Vector best;
    double most = -1.0;
    for (size_t i = 0; i < options_.samples; ++i) {
      ParzenDensity::Vector x = l.draw(options_.bandwidth_factor, random_);
      const double ratio = std::max(l(x), kLeastDensity) / std::max(g(x), kLeastDensity);
      if (ratio <= most) continue;
      most = ratio;
      best = std::move(x);
    }
    return best;
  }

  const curves::CurveTable& pool_;
  const BohbOptions options_;
  Random random_;
  std::vector<uint32_t> order_;
  std::vector<bool> taken_;
  std::map<uint32_t, std::vector<Completed>> completed_;  // by the rung's epochs
};

}  // namespace

Bohb::Bohb(const BohbOptions& options)
    : PlannedPolicy([options](const curves::CurveTable& pool) {
        return std::make_unique<HalvingPlan>(pool.horizon, options.eta,
                                             std::make_unique<ParzenProposer>(pool, options));
      }) {}

}  // namespace cmbo::baselines
