// SPDX-License-Identifier: Apache-2.0
//
// DEHB (Awad, Mallik and Hutter, "DEHB: Evolutionary Hyperband for Scalable, Robust and Efficient
// Hyperparameter Optimization", 2021): the brackets of Hyperband (brackets.h) with differential
// evolution. Every fidelity, a rung of the first bracket, has a population as large as the bracket
// that starts there, at first of random configurations. A job at a fidelity has a parent x_p, the
// next in turn of that population, and trains
//
//   first rung of the first bracket     the parent itself: random search
//   other rungs of the first cycle      the best of the fidelity below that is not here yet
//   else                                a child: v = x_a + F (x_b - x_c), a, b, c different
//   (rand/1);
//                                       each coordinate from v with probability p, else from x_p,
//                                       at least one from v (binomial crossover)
//
// a, b, c come from the mutation pool: the best of the fidelity below, as many as the rung has jobs
// (on a bracket's first rung those of its own fidelity), filled up to three from all populations. A
// coordinate of v outside of [0,1] is drawn anew. A child takes its parent's place if it is not
// worse. It becomes the nearest configuration of the pool that was not a job of this fidelity yet,
// so a configuration that was trained for less goes on.
//
// Defaults are those of the paper. Its text and the authors' code differ in what the first rung
// does (the code evolves a population that nothing is known of) and in what fills the mutation
// pool; here the paper counts. n_s is rounded as in Hyperband (the code rounds (s_max + 1) / (s +
// 1) down).
#pragma once

#include "baselines/plan.h"

namespace cmbo::baselines {

struct DehbOptions {
  uint32_t eta = 3;        // >= 2: one in eta is promoted
  double mutation = 0.5;   // F
  double crossover = 0.5;  // p
  uint64_t seed = 1;
};

class Dehb : public PlannedPolicy {
 public:
  explicit Dehb(const DehbOptions& options = {});
};

}  // namespace cmbo::baselines
