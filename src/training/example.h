// SPDX-License-Identifier: Apache-2.0
//
// Training examples: states of a freeze-thaw search as the optimizer will meet them. Some tens to
// hundreds of observations are spread over few or many curves, a few long, most short, those that
// looked better rather longer; the network is asked for later epochs of observed and fresh
// configurations. Nothing that has not been observed has a say in the state.
#pragma once

#include "base/random.h"
#include "curves/curve_table.h"
#include "network/question.h"

namespace cmbo::training {

struct ExampleOptions {
  size_t max_observations = 300;  // total over all curves; 0 happens too
  size_t asked = 96;              // configurations asked, half of them observed where possible
  size_t epochs_each = 6;         // epochs asked of each: the last one and random later ones
  double empty_share = 0.1;       // of the examples: nothing observed yet
  double sparse_share = 0.5;      // of the others: few observations (log-uniform), not uniform
  double searched_share = 0.5;    // of those with promises: who promises most is tried and asked
};

struct Example {
  network::Question question;
  network::Targets targets;  // weights sum to 1
};

// A random state of the task whose complete curves are in `table`. Curves shorter than the horizon
// are asked for recorded epochs only. `promises` [N], if any: how good each row should be by what
// is known from elsewhere; a search would try the best by that, and ask for them.
Example draw_example(const curves::CurveTable& table, const ExampleOptions& options, Random& random,
                     std::span<const float> promises = {});

// The same without the help of other configurations: nobody sees more than the own observations.
Example draw_single_curve_example(const curves::CurveTable& table, const ExampleOptions& options,
                                  Random& random);

// How many epochs of each row have been observed after `total` observations (at most what the
// table holds), spread over the rows as above; with promises rather over those that promise most.
std::vector<uint32_t> draw_state(const curves::CurveTable& table, size_t total, Random& random,
                                 std::span<const float> promises = {});

// The state in which row n has been observed for lengths[n] epochs, asking `asked` for the epochs
// given, [asked][epochs_each]. For evaluation, where the state is chosen and not drawn.
Example example_of_state(const curves::CurveTable& table, std::span<const uint32_t> lengths,
                         std::span<const uint32_t> asked, std::vector<uint32_t> epochs,
                         size_t epochs_each);

}  // namespace cmbo::training
