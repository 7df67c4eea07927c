// SPDX-License-Identifier: Apache-2.0
//
// How epochs, values and configurations enter the networks: a few smooth functions of each, so that
// the first layer sees early and late, small and large differences equally well.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace cmbo::network {

inline constexpr size_t kTimeFeatures = 5;
inline constexpr std::array<float, 2> kValueWaves = {8.0F, 32.0F};

// Sine and cosine for each number of waves over [0,1], which tell small differences.
inline void wave_features(float x, std::array<float, 2> waves, float* out) {
  for (const float count : waves) {
    const float angle = 2.0F * std::numbers::pi_v<float> * count * x;
    *out++ = std::sin(angle);
    *out++ = std::cos(angle);
  }
}

// Of t = epoch / horizon in [0,1].
inline void time_features(float t, float* out) {
  constexpr float kPi = std::numbers::pi_v<float>;
  out[0] = t;
  out[1] = std::log1p(50.0F * t) / std::log1p(50.0F);
  out[2] = std::sin(kPi * t);
  out[3] = std::cos(2.0F * kPi * t);
  out[4] = std::exp(-25.0F * t);
}

// Of a normalized value y; `initial` is the value before training. 0 is a diverged curve. Good
// configurations differ by little, which waves tell.
inline constexpr size_t kValueFeatures = 4 + 2 * kValueWaves.size();
inline void value_features(float y, float initial, float* out) {
  out[0] = 2.0F * y - 1.0F;
  out[1] = std::clamp(2.0F * (y - initial), -1.0F, 1.0F);
  out[2] = std::tanh(20.0F * (y - initial));
  out[3] = y <= 0.0F ? 1.0F : 0.0F;
  wave_features(y, kValueWaves, out + 4);
}

// Of a difference of two values, in [-1,1]: linear up to 1e-5, logarithmic beyond, so that a curve
// that creeps is told from one that stands still.
inline float difference_feature(float difference) {
  constexpr float kLinear = 1e-5F;
  constexpr float kRange = 12.2060726F;  // asinh(1 / kLinear)
  return std::asinh(difference / kLinear) / kRange;
}

// Of y_0, which tells kinds of tasks apart: small differences count.
inline constexpr size_t kInitialFeatures = 4;
inline void initial_features(float initial, float* out) {
  wave_features(initial, {4.0F, 16.0F}, out);
}

// Of one coordinate of a configuration; all are 0 at 0, so that padding says nothing.
inline constexpr size_t kCoordinateFeatures = 5;
inline void coordinate_features(float x, float* out) {
  *out++ = x;
  for (const float waves : {1.0F, 2.0F}) {
    const float angle = 2.0F * std::numbers::pi_v<float> * waves * x;
    *out++ = std::sin(angle);
    *out++ = 1.0F - std::cos(angle);
  }
}

}  // namespace cmbo::network
