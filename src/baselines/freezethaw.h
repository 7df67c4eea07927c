// SPDX-License-Identifier: Apache-2.0
//
// Freeze-thaw Bayesian optimization (Swersky, Snoek and Adams, 2014): a hierarchy of Gaussian
// processes, one over the asymptotes of all configurations and one over the epochs of each curve
// (curve_process.h):
//
//   f ~ GP(m, Matern 5/2 of x, one lengthscale for each dimension),  y_n(t) = f_n + e_n(t)
//   n* = argmax of E max(0, y_n(T) - best),  best: of all values seen
//
// As asymptotes and curves are jointly normal, a curve enters the first process as one observation
// of its asymptote with its own noise, which is the paper's block-wise inference in another order.
// Simplified: the paper chooses from a basket of old and new configurations (by expected
// improvement of the asymptote) that whose next epoch tells most of the place of the optimum; here
// the expected improvement of the last epoch decides alone. The paper averages over parameters by
// slice sampling; here they are fitted by maximum likelihood every few steps: those of the first
// process by Adam, those of the second by trying factors of two. The authors published no code;
// starting values are ours. The first configuration is random.
#pragma once

#include "baselines/curve_process.h"
#include "decide/policy.h"
#include "gp/parameters.h"

namespace cmbo::baselines {

struct FreezeThawOptions {
  size_t fit_every = 5;     // steps
  size_t fit_updates = 10;  // of Adam in a fit
  float learning_rate = 0.05F;
  uint64_t seed = 1;
};

class FreezeThaw : public decide::Policy {
 public:
  // `pool`: for configurations and horizon.
  FreezeThaw(const curves::CurveTable& pool, const FreezeThawOptions& options = {});

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  struct Parameters {
    DecayParameters decay;
    std::vector<float> asymptotes;  // gp/parameters.h
  };

  Parameters initial() const;
  void follow(const decide::History& history);
  void fit(const curves::CurveTable& curves);

  FreezeThawOptions options_;
  size_t dimensions_;
  uint32_t first_;

  // What was learned from seen_.
  std::vector<decide::Step> seen_;
  Parameters parameters_;
};

}  // namespace cmbo::baselines
