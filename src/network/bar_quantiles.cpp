// SPDX-License-Identifier: Apache-2.0
//
// BarDistribution::quantiles, the hot path of forecasting: many levels in one sweep over the bars.
//
// The cdf of the mixture is cut at the borders, at m, and 30 scales s from m on either side, where
// the copy ends for all practical purposes. Between two cuts it is linear plus one exponential:
//
//   delta = D x + c (e^x - 1),   x = |y - anchor| / s
//
// counted from the cut that lies further from m, so that both terms are convex and grow. Levels are
// first matched with segments, bars being passed over in blocks; then the curved ones are inverted,
// many at a time. All of it is laid out such that neither exponentials nor divisions wait for each
// other, for they are most of the work.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "network/bars.h"

namespace cmbo::network {
namespace {

constexpr size_t kBlock = 16;       // bars
constexpr size_t kBatch = 32;       // levels
constexpr double kReach = 30;       // in s
constexpr double kStraight = 1e-7;  // a chord this close in y need not be curved
constexpr int kSteps = 3;           // of Halley's method; see first_guess()

// Four floats or integers; operators work on each (an extension of both g++ and clang++).
constexpr size_t kLanes = 4;
using Floats [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Ints [[gnu::vector_size(kLanes * sizeof(int32_t))]] = int32_t;

inline Floats load(const float* from) {
  Floats values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

inline void store(Floats values, float* to) {
  std::memcpy(to, &values, sizeof values);
}

inline Floats smaller(Floats a, Floats b) {
  return a < b ? a : b;
}

// e^x = power * (1 + rest), where power = 2^n and |rest| < 0.42.
struct Exponential {
  Floats power, rest;
};

// For x in [-80, 80]; `rest` to float precision, also near 0.
inline Exponential exponential(Floats x) {
  const Ints n = __builtin_convertvector(x * 1.44269504f + 127.5f, Ints);  // plus the bias
  const Floats whole = __builtin_convertvector(n - 127, Floats);
  const Floats r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;  // x - n log 2
  const Floats r2 = r * r;
  const Floats high = (1.0f / 24 + r * (1.0f / 120)) + r2 * (1.0f / 720 + r * (1.0f / 5040));
  return {reinterpret_cast<Floats>(n << 23), r + r2 * ((0.5f + r * (1.0f / 6)) + r2 * high)};
}

// log(v) for v >= 1, to 0.004: exponent plus the first term of the series of atanh.
inline Floats rough_log(Floats v) {
  const Ints bits = reinterpret_cast<Ints>(v);
  const Ints n = (bits - 0x3f3504f3) >> 23;  // such that v / 2^n is in [sqrt(1/2), sqrt(2))
  const Floats f = reinterpret_cast<Floats>(bits - (n << 23));
  return __builtin_convertvector(n, Floats) * 0.693147181f + 2 * (f - 1) / (f + 1);
}

// The equation d x + c (e^x - 1) = 1 is solved by Halley's method. With one term alone x would be
// 1/d, or log(1 + 1/c), from which the start is made such that it is never below x, nor the sum
// there above 2 (so the steps stay positive). Its worst error is about 1.5, where x = 30 and both
// terms are alike; three steps bring that below 1e-6, and most to rounding.
inline Floats first_guess(Floats d, Floats c) {
  const Floats by_bump = rough_log(1 + 1 / (c + 1e-30f)) * (1 + c) / (1 + c + d);
  return smaller(1 / (d + 1e-30f), by_bump);
}

inline Floats next_guess(Floats d, Floats c, Floats x) {
  const Exponential e = exponential(x);
  const Floats grown = c * ((e.power - 1) + e.power * e.rest);
  const Floats error = d * x + grown - 1;
  const Floats second = grown + c;
  const Floats slope = d + second;
  return x - 2 * error * slope / (2 * slope * slope - error * second);
}

// Part of the cdf between two cuts: y = anchor + step x, with D = linear and c = bump.
struct Segment {
  double anchor_cdf;
  float anchor, step, linear, bump;
};

// Levels in curved segments, to be inverted together into `out`.
class Batch {
 public:
  explicit Batch(std::span<float> out) : out_(out) {}

  void add(size_t index, double level, const Segment& segment) {
    // What is nearer than 1e-9 s to the anchor counts as that, so that no square overflows.
    const float least = 1e-9f * (segment.linear + segment.bump) + 1e-16f;
    const float delta = static_cast<float>(std::abs(level - segment.anchor_cdf));
    const float scale = 1 / std::max(delta, least);
    index_[size_] = index;
    linear_[size_] = segment.linear * scale;
    bump_[size_] = segment.bump * scale;
    anchor_[size_] = segment.anchor;
    step_[size_] = segment.step;
    if (++size_ == kBatch) flush();
  }

  void flush() {
    solve();
    for (size_t i = 0; i < size_; ++i) {
      out_[index_[i]] = std::clamp(anchor_[i] + step_[i] * x_[i], 0.0f, 1.0f);
    }
    size_ = 0;
  }

 private:
  // Step by step for all, rather than one after the other, whose every step waits for the last.
  void solve() {
    for (size_t i = 0; i < size_; i += kLanes) {
      store(first_guess(load(linear_ + i), load(bump_ + i)), x_ + i);
    }
    for (int step = 0; step < kSteps; ++step) {
      for (size_t i = 0; i < size_; i += kLanes) {
        store(next_guess(load(linear_ + i), load(bump_ + i), load(x_ + i)), x_ + i);
      }
    }
  }

  std::span<float> out_;
  size_t size_ = 0;
  size_t index_[kBatch];
  float linear_[kBatch] = {};
  float bump_[kBatch] = {};
  float anchor_[kBatch];
  float step_[kBatch];
  float x_[kBatch];
};

// One side of the copy. Its tail is e^(-|y-m|/s).
struct CopySide {
  CopySide(double probability, double scale_of_side, double length)
      : scale(scale_of_side),
        inverse_scale(1 / scale),
        end_tail(probability > 0 ? std::exp(-length * inverse_scale) : 0),
        height(probability / (1 - end_tail)) {}

  double scale, inverse_scale;
  double end_tail;  // at the end of [0,1]
  double height;    // its probability, which is gate times share, by 1 - end_tail
};

// The copy times the gate.
struct Copy {
  explicit Copy(const BarDistribution& mix)
      : center(static_cast<double>(mix.copy.center)),
        gate(static_cast<double>(mix.gate)),
        below(gate * mix.copy.probability_below(), static_cast<double>(mix.copy.scale_below),
              center),
        above(gate * (1 - mix.copy.probability_below()), static_cast<double>(mix.copy.scale_above),
              1 - center),
        low(gate > 1e-12 ? center - kReach * below.scale : 2),
        high(gate > 1e-12 ? center + kReach * above.scale : -1) {}

  bool reaches(double from, double to) const { return from < high && to > low; }
  const CopySide& side(double y) const { return y < center ? below : above; }
  double tail(double y) const {
    return y >= low && y <= high ? std::exp(-std::abs(y - center) * side(y).inverse_scale) : 0;
  }
  // The tails at up to kBlock y, to 3e-8 of each, and closer where they are near 1.
  void tails(std::span<const float> y, double* out) const {
    size_t i = 0;
    for (; i + kLanes <= y.size(); i += kLanes) tails(load(y.data() + i), out + i);
    for (; i < y.size(); ++i) out[i] = fast_tail(y[i]);
  }
  void tails(Floats y, double* out) const {
    const Exponential e = exponential_of_distance(y);
    for (size_t lane = 0; lane < kLanes; ++lane) out[lane] = value(e, lane);
  }
  double fast_tail(float y) const { return value(exponential_of_distance(Floats{} + y), 0); }
  Exponential exponential_of_distance(Floats y) const {
    const Floats u = y - static_cast<float>(center);
    const Floats x = smaller(u * static_cast<float>(below.inverse_scale),
                             -u * static_cast<float>(above.inverse_scale));
    return exponential(x > -80.0f ? x : Floats{} - 80);
  }
  static double value(const Exponential& e, size_t lane) {
    return static_cast<double>(e.power[lane]) * (1 + static_cast<double>(e.rest[lane]));
  }
  double cdf(double y, double tail_of_y) const {
    return y < center ? below.height * (tail_of_y - below.end_tail)
                      : gate - above.height * (tail_of_y - above.end_tail);
  }

  double center, gate;
  CopySide below, above;
  double low, high;  // where it ends
};

// A point of the cdf of the mixture.
struct Cut {
  double y;
  double of_bars;  // the cdf of the bars, times 1 - gate
  double tail;     // of the copy
  double cdf;      // of the mixture
};

class Sweep {
 public:
  Sweep(const BarDistribution& mix, std::span<const float> levels, std::span<float> out)
      : mix_(mix), copy_(mix), share_(1 - copy_.gate), levels_(levels), out_(out), batch_(out) {
    go_to(0);
  }

  void run() {
    of_bars_[0] = 0;
    tail_[0] = copy_.tail(0);
    for (size_t bar = 0; bar < mix_.bars->count() && level_ < kDone; bar += kBlock) {
      pass_block(bar, std::min(kBlock, mix_.bars->count() - bar));
    }
    batch_.flush();
    std::fill(out_.begin() + static_cast<ptrdiff_t>(next_), out_.end(), 1.0f);
  }

 private:
  void go_to(size_t next) {
    next_ = next;
    level_ = next < levels_.size() ? static_cast<double>(levels_[next]) : kDone;
  }
  bool before(double cdf) const { return level_ < cdf; }

  double y(size_t i) const { return static_cast<double>(borders_[i]); }
  double cdf(size_t i) const { return of_bars_[i] + copy_.cdf(y(i), tail_[i]); }
  Cut cut(size_t i) const { return {y(i), of_bars_[i], tail_[i], cdf(i)}; }

  // Only the far end of a block is computed until a level turns out to lie in it.
  void pass_block(size_t first, size_t count) {
    borders_ = mix_.bars->borders().data() + first;
    const auto probabilities = mix_.probabilities.subspan(first, count);
    const bool reached = copy_.reaches(y(0), y(count));
    of_bars_[count] = of_bars_[0] + share_ * sum_of(probabilities);
    tail_[count] = reached ? copy_.fast_tail(borders_[count]) : 0;
    if (before(cdf(count))) {
      add_bars(probabilities);
      add_tails(count, reached);
      match(count);
    }
    of_bars_[0] = of_bars_[count];
    tail_[0] = tail_[count];
  }

  static double sum_of(std::span<const float> probabilities) {
    if (probabilities.size() < kBlock) {
      return std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    }
    const float* const p = probabilities.data();
    const Floats sum = (load(p) + load(p + 4)) + (load(p + 8) + load(p + 12));
    return static_cast<double>((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }

  // All but the far end, which stands already.
  void add_bars(std::span<const float> probabilities) {
    double sum = 0;
    for (size_t i = 0; i + 1 < probabilities.size(); ++i) {
      sum += static_cast<double>(probabilities[i]);
      of_bars_[i + 1] = std::min(of_bars_[0] + share_ * sum, of_bars_[probabilities.size()]);
    }
  }

  void add_tails(size_t count, bool reached) {
    if (reached) {
      copy_.tails({borders_ + 1, count - 1}, tail_ + 1);
    } else {
      std::fill(tail_ + 1, tail_ + count, 0.0);
    }
  }

  void match(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (before(cdf(i + 1))) pass_bar(cut(i), cut(i + 1));
    }
  }

  void pass_bar(const Cut& from, const Cut& to) {
    if (copy_.reaches(from.y, to.y)) {
      pass_pieces(from, to);
    } else {
      take_straight(from, to);
    }
  }

  void pass_pieces(Cut from, const Cut& to) {
    const double slope = (to.of_bars - from.of_bars) / (to.y - from.y);
    for (const double at : {copy_.low, copy_.center, copy_.high}) {
      if (at <= from.y || at >= to.y) continue;
      const double of_bars = from.of_bars + slope * (at - from.y), tail = copy_.tail(at);
      const Cut middle = {at, of_bars, tail, of_bars + copy_.cdf(at, tail)};
      take(from, middle);
      from = middle;
    }
    take(from, to);
  }

  void take(const Cut& from, const Cut& to) {
    if (!before(to.cdf)) return;
    if (straight(from, to)) return take_straight(from, to);
    const Segment segment = curved(from, to);
    for (; before(to.cdf); go_to(next_ + 1)) batch_.add(next_, level_, segment);
  }

  void take_straight(const Cut& from, const Cut& to) {
    const double slope = (to.y - from.y) / (to.cdf - from.cdf);
    for (; before(to.cdf); go_to(next_ + 1)) {
      const double at = from.y + std::max(level_ - from.cdf, 0.0) * slope;
      out_[next_] = static_cast<float>(std::min(at, to.y));
    }
  }

  // A chord is off by at most curvature * width^2 / 8 in cdf, thus / (its slope) in y.
  bool straight(const Cut& from, const Cut& to) const {
    if (to.y <= copy_.low || from.y >= copy_.high) return true;
    const CopySide& side = copy_.side(from.y);
    const double width = to.y - from.y;
    const double h = width * side.inverse_scale;
    const double sag = side.height * std::max(from.tail, to.tail) * h * h / 8;
    return sag * width <= kStraight * (to.cdf - from.cdf);
  }

  Segment curved(const Cut& from, const Cut& to) const {
    const bool rising = from.y < copy_.center;
    const Cut& anchor = rising ? from : to;
    const CopySide& side = copy_.side(from.y);
    const double slope = (to.of_bars - from.of_bars) / (to.y - from.y);
    return {.anchor_cdf = anchor.cdf,
            .anchor = static_cast<float>(anchor.y),
            .step = static_cast<float>(rising ? side.scale : -side.scale),
            .linear = static_cast<float>(slope * side.scale),
            .bump = static_cast<float>(side.height * anchor.tail)};
  }

  const BarDistribution& mix_;
  const Copy copy_;
  const double share_;
  std::span<const float> levels_;
  std::span<float> out_;
  Batch batch_;
  static constexpr double kDone = 2;
  size_t next_;   // level
  double level_;  // the same, or kDone

  // The block: at its borders, the last of the block before first.
  const float* borders_ = nullptr;
  double of_bars_[kBlock + 1];
  double tail_[kBlock + 1] = {};
};

// Rounding may leave neighbours of a hair's difference in the wrong order.
void make_ascending(std::span<float> values) {
  for (size_t i = 1; i < values.size(); ++i) {
    if (values[i] < values[i - 1]) [[unlikely]]
      values[i] = values[i - 1];
  }
}

}  // namespace

void BarDistribution::quantiles(std::span<const float> levels, std::span<float> out) const {
  CHECK(out.size() == levels.size(), "one quantile for each level");
  Sweep(*this, levels, out).run();
  make_ascending(out);
}

}  // namespace cmbo::network
