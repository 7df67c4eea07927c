// SPDX-License-Identifier: Apache-2.0
#include "decide/stopping.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <fmt/format.h>

namespace cmbo::decide {

namespace {

// Beyond these the limits are exact to double precision for any share of samples, and the
// incomplete beta function need not be trusted with extremes.
constexpr double kSmallestBeta = 1e-15;
constexpr double kLargestBeta = 1e12;

// BetaCDF(p; beta, beta), with its limits: all mass at both ends, or all in the middle.
double symmetric_beta_cdf(double p, double beta) {
  if (p <= 0.0 || p >= 1.0) return p <= 0.0 ? 0.0 : 1.0;
  if (beta <= kSmallestBeta || p == 0.5) return 0.5;
  if (beta >= kLargestBeta) return p < 0.5 ? 0.0 : 1.0;
  return boost::math::ibeta(beta, beta, p);
}

Status check_at_least_0(const char* name, double value) {
  if (std::isfinite(value) && value >= 0.0) return {};
  return Error(fmt::format("{}: is {}; give a number of at least 0", name, value));
}

}  // namespace

Status check(const StoppingRule& rule) {
  if (!(rule.beta >= 0.0)) {
    return Error(fmt::format("beta: is {}; give a number of at least 0", rule.beta));
  }
  CMBO_RETURN_IF_ERROR(check_at_least_0("gamma", rule.gamma));
  return check_at_least_0("fixed_threshold", rule.fixed_threshold);
}

double threshold(const StoppingRule& rule, std::optional<double> probability) {
  if (!probability) return rule.fixed_threshold;
  return std::pow(symmetric_beta_cdf(*probability, rule.beta), rule.gamma);
}

double estimated_regret(double best, double latest, double worst) {
  return best > worst ? (best - latest) / (best - worst) : 0.0;
}

bool goes_by_look(const StoppingRule& rule, const StoppingEvidence& evidence) {
  return rule.by == StopBy::kLook && evidence.look.has_value();
}

bool should_stop(const StoppingRule& rule, const StoppingEvidence& evidence) {
  if (!rule.enabled) return false;
  if (!goes_by_look(rule, evidence)) return evidence.regret > evidence.threshold;
  return evidence.look->gain < evidence.look->price;
}

}  // namespace cmbo::decide
