// SPDX-License-Identifier: Apache-2.0
//
// How the metric is mapped to [0,1] (curves/normalization.h), as a pure function of what was
// observed, so that it may change with every value and nothing but raw values is stored:
//   a range with both ends          hard and soft bounds are the range
//   maximized, all values in [0,1]  a share: hard and soft bounds [0, 1]
//   minimized, no value below 0     a loss: hard [0, inf), soft [0, median of all first epochs]
//   anything else                   hard as far as given, soft the 5 % and 95 % quantiles,
//                                   widened by half their distance on either side
#pragma once

#include <span>
#include <string>

#include "curves/normalization.h"
#include "study/facts.h"
#include "study/metric.h"

namespace cmbo::study {

struct MetricScale {
  curves::Normalization normalization;
  std::string how;  // a sentence: "val_loss is taken for a loss: 0 is best, 2.3 is where ..."
};

MetricScale metric_scale(const Metric& metric, const Facts& facts);

}  // namespace cmbo::study
