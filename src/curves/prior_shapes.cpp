// SPDX-License-Identifier: Apache-2.0
#include "curves/prior_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cmbo::curves {

namespace {

constexpr double kNegligible = 0.01;   // weight of a shape that is not computed
constexpr double kSoftMargin = 0.002;  // distance from 0 and 1 where values begin to be squeezed
constexpr double kNoiseAfterStep = 0.3;
constexpr double kRoomAbove = 0.4;    // of the way to 1, what noise can rise by at most
constexpr double kStepTime = 1.5;     // epochs that a schedule's step takes to act
constexpr double kFullNoiseAt = 0.3;  // share of the way at which noise reaches its full size

// Keeps the inside as it is and squeezes the rest into what is left, so no atoms form at the ends.
double keep_inside(double value) {
  if (value < kSoftMargin) {
    return kLowestAlive + (kSoftMargin - kLowestAlive) * std::exp(value / kSoftMargin - 1.0);
  }
  const double room = 1.0 - value;
  return room < kSoftMargin ? 1.0 - kSoftMargin * std::exp(room / kSoftMargin - 1.0) : value;
}

// The nearest multiple of the grain that a living curve may have.
double rounded(double value, double grain) {
  if (grain <= 0.0) return value;
  return std::clamp(std::round(value / grain) * grain, kLowestAlive, 1.0);
}

double warped_time(const CurveShape& shape, double t) {
  const double before = std::min(t, shape.break_at);
  const double after = t > shape.break_at ? (t - shape.break_at) * shape.break_speed : 0.0;
  return std::max(0.0, before + after - shape.delay);
}

double step_part(const CurveShape& shape, double t) {
  if (t < shape.step_at) return 0;
  return shape.step * (1.0 - std::exp(-(t - shape.step_at + 1.0) / kStepTime));
}

double decline_part(const CurveShape& shape, double t, double horizon) {
  if (t <= shape.decline_at) return 0;
  const double share = (t - shape.decline_at) / (horizon - shape.decline_at);
  return shape.decline * std::pow(share, shape.decline_bend);
}

// p(r), with what does not depend on r computed once.
class Progress {
 public:
  explicit Progress(const CurveShape& shape)
      : shape_(shape),
        power_scale_(std::exp2(1.0 / shape.power) - 1.0),
        log_scale_(0.5 / std::log1p(shape.log_range)) {}

  double at(double r) const {
    if (r <= 0) return 0;
    const auto& [power, exponential, logarithm, hill] = shape_.weights;
    const double log_r = std::log(r);
    double sum = 0;
    if (power > kNegligible) {
      sum += power * (1.0 - std::exp(-shape_.power * std::log1p(power_scale_ * r)));
    }
    if (exponential > kNegligible) {
      sum += exponential * (1.0 - std::exp(-std::numbers::ln2 * std::exp(shape_.stretch * log_r)));
    }
    if (logarithm > kNegligible) {
      sum += logarithm * std::min(1.0, std::log1p(shape_.log_range * r) * log_scale_);
    }
    if (hill > kNegligible) sum += hill / (1.0 + std::exp(-shape_.hill * log_r));
    return sum;
  }

 private:
  const CurveShape& shape_;
  double power_scale_;
  double log_scale_;
};

double noiseless(const CurveShape& shape, const Progress& learned, double t, double horizon) {
  double value = shape.start + step_part(shape, t) - decline_part(shape, t, horizon);
  if (shape.start != shape.initial) {
    value += (shape.initial - shape.start) * std::exp(-t / shape.jump);
  }
  if (shape.asymptote != shape.start) {
    value += (shape.asymptote - shape.start) * learned.at(warped_time(shape, t) / shape.half);
  }
  if (shape.shock > 0) value -= shape.shock * std::exp(-t / shape.recovery);
  return value;
}

// The noise of one curve, epoch after epoch.
class NoiseStream {
 public:
  NoiseStream(const CurveShape& shape, Random& random)
      : shape_(shape),
        random_(random),
        innovation_(std::sqrt(1.0 - shape.noise.persistence * shape.noise.persistence)),
        state_(shape.noise.correlated > 0 ? random.normal() : 0.0) {}

  double next(double value, double t) {
    const CurveNoise& noise = shape_.noise;
    double sum = 0;
    if (noise.white > 0) sum += noise.white * random_.normal();
    if (noise.correlated > 0) {
      state_ = noise.persistence * state_ + innovation_ * random_.normal();
      sum += noise.correlated * state_;
    }
    sum = bounded(sum * size(value, t), value);
    if (noise.spike_rate > 0 && random_.chance(noise.spike_rate)) {
      sum -= random_.uniform() * std::abs(value - shape_.start);
    }
    return sum;
  }

 private:
  // There is more room to fall than to rise: noise does not make a configuration the best one.
  static double bounded(double sum, double value) {
    const double room = std::max(kSoftMargin, sum > 0 ? kRoomAbove * (1.0 - value) : value);
    return sum / (1.0 + std::abs(sum) / room);
  }

  double size(double value, double t) const {
    const double full = kFullNoiseAt * std::abs(shape_.asymptote - shape_.start) + 0.02;
    const double share = std::min(1.0, std::abs(value - shape_.start) / full);
    const double learned = shape_.noise.resting + (1.0 - shape_.noise.resting) * share;
    return t >= shape_.step_at ? learned * kNoiseAfterStep : learned;
  }

  const CurveShape& shape_;
  Random& random_;
  double innovation_;
  double state_;
};

}  // namespace

double progress(const CurveShape& shape, double r) {
  return Progress(shape).at(r);
}

void draw_curve(const CurveShape& shape, Random& random, std::span<float> curve) {
  const Progress learned(shape);
  NoiseStream noise(shape, random);
  const auto horizon = static_cast<double>(curve.size());
  for (size_t i = 0; i < curve.size(); ++i) {
    const double t = static_cast<double>(i + 1);
    if (t >= shape.dies_at) {
      std::fill(curve.begin() + static_cast<std::ptrdiff_t>(i), curve.end(),
                static_cast<float>(shape.dead_level));
      return;
    }
    const double value = noiseless(shape, learned, t, horizon);
    const double seen = keep_inside(value + noise.next(value, t));
    curve[i] = static_cast<float>(rounded(seen, shape.noise.grain));
  }
}

}  // namespace cmbo::curves
