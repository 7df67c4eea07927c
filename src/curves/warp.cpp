// SPDX-License-Identifier: Apache-2.0
#include "curves/warp.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cmbo::curves {

namespace {

constexpr size_t kReach = 2;  // epochs to both sides that a local mean covers

float power(float share, double exponent) {
  return static_cast<float>(std::pow(static_cast<double>(share), exponent));
}

float stretch_value(const Warp& warp, float initial, float y) {
  if (y > initial)
    return initial + (1 - initial) * power((y - initial) / (1 - initial), warp.above);
  if (y > 0 && y < initial) return initial - initial * power((initial - y) / initial, warp.below);
  return y;
}

float local_mean(std::span<const float> curve, size_t at) {
  const size_t from = at - std::min(at, kReach), to = std::min(curve.size(), at + kReach + 1);
  float sum = 0.0F;
  for (size_t i = from; i < to; ++i) sum += curve[i];
  return sum / static_cast<float>(to - from);
}

// `before` is the curve as it was.
void stretch_noise(double noise, std::span<const float> before, std::span<float> curve) {
  for (size_t t = 0; t < curve.size(); ++t) {
    if (before[t] <= 0) continue;  // a diverged value is exact
    const float mean = local_mean(before, t);
    curve[t] = std::clamp(mean + static_cast<float>(noise) * (before[t] - mean), 1e-6F, 1.0F);
  }
}

// `before` is the curve as it was, y_0 first.
void stretch_time(double exponent, std::span<const float> before, std::span<float> curve) {
  const auto T = static_cast<double>(curve.size());
  for (size_t t = 1; t <= curve.size(); ++t) {
    const double at = T * std::pow(static_cast<double>(t) / T, exponent);
    const size_t from = std::min(curve.size() - 1, static_cast<size_t>(at));
    const float first = before[from], second = before[from + 1];
    const auto share = static_cast<float>(at - static_cast<double>(from));
    // Nothing lies between diverged and not.
    const bool apart = (first <= 0) != (second <= 0);
    curve[t - 1] = apart ? (share < 0.5F ? first : second) : std::lerp(first, second, share);
  }
}

}  // namespace

Warp draw_warp(double strength, Random& random) {
  const auto draw = [&](double deviation) { return std::exp(deviation * random.normal()); };
  const double above = draw(strength), below = draw(strength), time = draw(strength);
  return {above, below, time, draw(2.0 * strength)};
}

void apply(const Warp& warp, CurveTable& table) {
  std::vector<float> before;
  for (size_t n = 0; n < table.size(); ++n) {
    const std::span<float> curve = std::span(table.y).subspan(n * table.horizon, table.lengths[n]);
    before.assign(curve.begin(), curve.end());
    stretch_noise(warp.noise, before, curve);
    for (float& y : curve) y = stretch_value(warp, table.initial, y);
    if (curve.size() < table.horizon) continue;
    before.assign(1, table.initial);
    before.insert(before.end(), curve.begin(), curve.end());
    stretch_time(warp.time, before, curve);
  }
}

}  // namespace cmbo::curves
