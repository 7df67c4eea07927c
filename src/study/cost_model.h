// SPDX-License-Identifier: Apache-2.0
//
// How long an epoch of each configuration takes, and a start of its command; pure functions of what
// was measured.
//
// Start-up is the median, over all slices of two or more steps, of the first step's seconds less
// the mean of the later ones, at least 0. A configuration's seconds per epoch are the mean of its
// steps, start-up taken off the first one of each slice. Those of a configuration that was never
// trained are the median while fewer than kFewestForRegression are known, then
//   log seconds = w . (encoded configuration - mean) + mean of log seconds,
// by ridge regression, kept within the smallest and the largest that were measured.
#pragma once

#include <optional>
#include <vector>

#include "curves/curve_table.h"
#include "study/facts.h"
#include "study/utility_spec.h"

namespace cmbo::study {

inline constexpr size_t kFewestForRegression = 5;

struct CostModel {
  std::optional<double> startup_seconds = {};  // absent while unknown
  std::vector<double> epoch_seconds = {};      // of each trial, above 0; 1 while nothing is known

  // Steps until start-up is at most a quarter of a slice: ceil(3 startup / epoch), at least 1. 2
  // while start-up is unknown, because one slice of two steps makes it known.
  uint32_t wanted_steps(uint32_t trial) const;
  // What an epoch costs in the utility's unit, with its share of a start-up; for decide::Budget.
  // Empty (1 each) for epochs. While nothing is known an epoch is taken to last a second: the first
  // one that is measured corrects it.
  std::vector<double> epoch_costs(const UtilitySpec& utility) const;
};

// `pool`: the encoded configurations of the trials.
CostModel cost_model(const Facts& facts, const curves::CurveTable& pool);

}  // namespace cmbo::study
