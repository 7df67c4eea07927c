// SPDX-License-Identifier: Apache-2.0
//
// How well sampled curves foresee the best value of the next epochs, which decisions rest on and
// which single epochs say nothing about.
#pragma once

#include "curves/curve_table.h"
#include "forecast/samples.h"

namespace cmbo::forecast {

// Means over configurations.
struct MaximumScores {
  double crps = 0.0;        // continuous ranked probability score: less is better
  double coverage50 = 0.0;  // share of truths within the central 50 % of the samples
  double coverage90 = 0.0;
  size_t count = 0;

  void add(const MaximumScores& other);  // weighted by count
};

// Of the maximum over the next `epochs` epochs of every asked configuration, or as many as are left
// in `truth`, whose rows are those of the history; configurations without any are left out.
// Samples up to `diverged`, the end of the model's first bar, say that a curve stays at 0.
MaximumScores score_maximum(const Samples& samples, const curves::CurveTable& truth, size_t epochs,
                            float diverged);

}  // namespace cmbo::forecast
