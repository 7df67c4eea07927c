// SPDX-License-Identifier: Apache-2.0
#include "baselines/freezethaw.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "baselines/learning.h"
#include "tensor/adamw.h"

namespace cmbo::baselines {

namespace {

using curves::CurveTable;

// All curves that were started, as observations of their asymptotes.
struct Asymptotes {
  gp::Matrix x;
  std::vector<double> value, variance;
  double log_density = 0.0;

  gp::Observations observations() const { return {x, value, variance}; }
};

gp::Matrix configurations_of(const CurveTable& table, std::span<const uint32_t> chosen) {
  gp::Matrix x(chosen.size(), table.dimensions);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const auto from = table.configuration(chosen[i]);
    std::copy(from.begin(), from.end(), x.row(i).begin());
  }
  return x;
}

Asymptotes asymptotes_of(const CurveTable& table, const CurveProcess& process) {
  Asymptotes all;
  std::vector<uint32_t> started;
  for (uint32_t n = 0; n < table.size(); ++n) {
    if (table.lengths[n] == 0) continue;
    const AsymptoteEvidence evidence = process.evidence(table.curve(n));
    started.push_back(n);
    all.value.push_back(evidence.value);
    all.variance.push_back(evidence.variance);
    all.log_density += evidence.log_density;
  }
  all.x = configurations_of(table, started);
  return all;
}

double shape_likelihood(const CurveTable& table, const DecayParameters& decay) {
  return asymptotes_of(table, CurveProcess(table.horizon, decay)).log_density;
}

// One round of doubling or halving each parameter where that makes the shapes likelier.
DecayParameters improved(const CurveTable& table, DecayParameters best) {
  double highest = shape_likelihood(table, best);
  constexpr std::array kFields = {&DecayParameters::a, &DecayParameters::b, &DecayParameters::scale,
                                  &DecayParameters::noise};
  for (const auto field : kFields) {
    for (const double factor : {0.5, 2.0}) {
      DecayParameters other = best;
      other.*field = std::clamp(other.*field * factor, 1e-6, 1e3);
      const double likelihood = shape_likelihood(table, other);
      if (likelihood <= highest) continue;
      highest = likelihood;
      best = other;
      break;
    }
  }
  return best;
}

}  // namespace

FreezeThaw::FreezeThaw(const CurveTable& pool, const FreezeThawOptions& options)
    : options_(options),
      dimensions_(pool.dimensions),
      first_(static_cast<uint32_t>(Random(options.seed).index(pool.size()))),
      parameters_(initial()) {}

// Values are in [0,1] and so are configurations: mean 0.5, deviation 0.3, little noise of the
// asymptote itself, and lengthscales of 0.5.
FreezeThaw::Parameters FreezeThaw::initial() const {
  const auto positive = [](double v) { return static_cast<float>(gp::inverse_softplus(v)); };
  std::vector<float> asymptotes = {0.5F, positive(1e-3), positive(0.09)};
  asymptotes.resize(gp::parameter_count(dimensions_), positive(0.5));
  return {{}, asymptotes};
}

void FreezeThaw::fit(const CurveTable& curves) {
  std::vector<float>& p = parameters_.asymptotes;
  const CurveProcess process(curves.horizon, parameters_.decay);
  const Asymptotes all = asymptotes_of(curves, process);
  std::vector<float> m(p.size()), v(p.size()), gradient(p.size());
  std::vector<double> uphill(p.size());
  for (uint64_t step = 1; step <= options_.fit_updates; ++step) {
    const auto likelihood =
        gp::log_likelihood(gp::to_process(gp::KernelKind::kMatern52, p), all.observations());
    if (!likelihood || !std::isfinite(likelihood->value)) break;
    gp::to_free_gradient(p, likelihood->gradients, uphill);
    for (size_t i = 0; i < p.size(); ++i) gradient[i] = static_cast<float>(-uphill[i]);
    tensor::adamw_step({.learning_rate = options_.learning_rate}, step,
                       {p.size(), p.data(), gradient.data(), m.data(), v.data()});
  }
  parameters_.decay = improved(curves, parameters_.decay);
}

// Fits after every so many steps, each time with the curves as they were then.
void FreezeThaw::follow(const decide::History& history) {
  if (!goes_on_from(seen_, history.steps())) {
    seen_.clear();
    parameters_ = initial();
  }
  if (seen_.size() == history.steps().size()) return;
  CurveTable curves = history.curves();
  std::fill(curves.lengths.begin(), curves.lengths.end(), 0U);
  for (const decide::Step& step : seen_) curves.lengths[step.configuration] = step.epoch;
  while (seen_.size() < history.steps().size()) {
    seen_.push_back(history.steps()[seen_.size()]);
    curves.lengths[seen_.back().configuration] = seen_.back().epoch;
    if (seen_.size() % options_.fit_every == 0) fit(curves);
  }
}

Result<decide::Choice> FreezeThaw::choose(const decide::History& history) {
  if (history.steps().empty()) return choice_of(candidate_from(history, first_));
  follow(history);
  const CurveTable& curves = history.curves();
  const CurveProcess process(curves.horizon, parameters_.decay);
  const auto posterior =
      gp::Posterior::of(gp::to_process(gp::KernelKind::kMatern52, parameters_.asymptotes),
                        asymptotes_of(curves, process).observations());
  if (!posterior) {
    return Error("freezethaw: the covariance of the curves is singular; choose another method");
  }
  const std::vector<uint32_t> candidates = history.candidates();
  const gp::Prediction asymptotes = (*posterior)(configurations_of(curves, candidates));
  std::vector<double> scores;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const CurveProcess::Normal last = process.last_value(
        curves.curve(candidates[i]), {asymptotes.mean[i], asymptotes.variance[i]});
    scores.push_back(gp::expected_improvement(last.mean, std::sqrt(last.variance),
                                              static_cast<double>(history.best())));
  }
  return choice_of(best_candidate(candidates, scores));
}

}  // namespace cmbo::baselines
