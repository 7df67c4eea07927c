// SPDX-License-Identifier: Apache-2.0
//
// BOHB (Falkner, Klein and Hutter, "BOHB: Robust and Efficient Hyperparameter Optimization at
// Scale", 2018): Hyperband, whose configurations come from a tree-structured Parzen estimator.
// Of the n configurations that completed a rung, the best
//
//   n_good = max(n_min, floor(n top_percent / 100)), n_min = d + 1
//   n_bad  = max(n_min, floor(n (100 - top_percent) / 100)), or as many as are left
//
// make the densities l and g (parzen.h). The largest rung where both have n_min points counts. The
// proposal is the one of `samples` draws from l, its kernels widened, with the largest
//
//   max(l(x), 1e-32) / max(g(x), 1e-32)
//
// and becomes the nearest configuration of the pool that was not started yet. With probability
// random_fraction, and while there is no such rung, it is a random one.
//
// Defaults and rules are those of the authors' HpBandSter, apart from: d counts the coordinates of
// the encoded space and all of them have Gaussian kernels, also those of categories; and n_s is
// rounded up as in Hyperband (they round (s_max + 1) / (s + 1) down).
#pragma once

#include "baselines/plan.h"

namespace cmbo::baselines {

struct BohbOptions {
  uint32_t eta = 3;  // >= 2: one in eta is promoted
  size_t top_percent = 15;
  double random_fraction = 1.0 / 3.0;
  size_t samples = 64;
  double bandwidth_factor = 3.0;  // how much wider the kernels of draws are
  double least_bandwidth = 1e-3;
  uint64_t seed = 1;
};

class Bohb : public PlannedPolicy {
 public:
  explicit Bohb(const BohbOptions& options = {});
};

}  // namespace cmbo::baselines
