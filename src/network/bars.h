// SPDX-License-Identifier: Apache-2.0
//
// The output distribution of a network: K bars over [0,1] of constant density each, mixed with a
// narrow "copy" of the last observed value m, which falls off by other scales below and above it:
//
//   f(y) = (1 - g) p_k / w_k + g Laplace(y; m, ...)        for y in bar k of width w_k
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/laplace.h"

namespace cmbo::network {

// The borders of the bars; shared by all distributions of a model. Immutable.
class Bars {
 public:
  // K+1 strictly ascending borders from 0 to 1.
  explicit Bars(std::vector<float> borders);

  // Borders such that every bar holds the same share of the integral of sqrt(density), where the
  // density is that of `values` (in [0,1], e.g. all training targets); so bars are fine where mass
  // is without wasting all of them on atoms such as 0 (diverged); a hundredth of the share is
  // spread evenly, so no region is without bars. No bar is narrower than `floor` (at least
  // kLeastFloor, count * floor < 1) up to rounding, and the first is [0, floor]: the atom of
  // diverged curves. If there are no values above it, all others are of the same width. Values
  // outside of [0,1] count as the nearest end; those that are not a number are left out.
  static constexpr float kLeastFloor = 1e-6f;
  static Bars from_values(std::span<const float> values, size_t count, float floor);

  size_t count() const { return widths_.size(); }
  std::span<const float> borders() const { return borders_; }
  float width(size_t bar) const { return widths_[bar]; }
  float log_width(size_t bar) const { return log_widths_[bar]; }
  // The bar that holds y; values outside of [0,1] count as the nearest end. A border belongs to the
  // bar on its right, 1 to the last.
  size_t index_of(float y) const;

 private:
  std::vector<float> borders_;
  std::vector<float> widths_;
  std::vector<float> log_widths_;
};

// One distribution. `probabilities` [K] sum to 1; gate 0 = no copy component.
struct BarDistribution {
  const Bars* bars;
  std::span<const float> probabilities;
  float gate;
  Laplace copy;

  double log_density(float y) const;
  double cdf(float y) const;
  double mean() const;
  // The least y with cdf(y) >= level; slow, for a few levels.
  double quantile(double level) const;
  // The quantiles at ascending `levels` in (0,1), in one sweep over the bars; out as many. This is
  // the hot path of forecasting: exact to 1e-6 in y and ascending, without allocation.
  void quantiles(std::span<const float> levels, std::span<float> out) const;
};

// How much of an atom of probability `atom` at 0, the lower end, lies between two levels, as a
// share of it: by how much the interval between their quantiles covers a diverged truth. The first
// bar stands for that atom and quantiles lie within it, so a comparison with 0 would always fail;
// by this measure forecasts that are sure and right come to the difference of the levels, as those
// of any other value do.
double coverage_of_atom(double atom, double low, double high);

}  // namespace cmbo::network
