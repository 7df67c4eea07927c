// SPDX-License-Identifier: Apache-2.0
#include "curves/records.h"

#include <algorithm>
#include <cmath>

#include "curves/mixup.h"

namespace cmbo::curves {

namespace {

constexpr double kSharp = 0.004;  // c: a task that fits worse by this much counts a third
constexpr double kBlunt = 0.03;
constexpr double kUnstretched = 0.02;  // as if so much had been observed of a task with s = 1
constexpr double kLeastStretch = 0.2, kMostStretch = 4.0;

std::string_view key_of(std::span<const float> configuration) {
  return {reinterpret_cast<const char*>(configuration.data()), configuration.size_bytes()};
}

// One earlier task laid over the present one.
class Overlay {
 public:
  Overlay(const Relatives& relatives, size_t k, const CurveTable& observed,
          std::span<const uint32_t> context)
      : table_(relatives.tables[k]),
        rows_(relatives.rows),
        initial_(observed.initial),
        best_(rows_.size()) {
    double product = kUnstretched, square = kUnstretched;
    for_each_common(observed, context, [&](std::span<const float> here, const float* there) {
      double curve_product = 0.0, curve_square = 0.0;
      for (size_t t = 0; t < here.size(); ++t) {
        const auto rise = static_cast<double>(there[t] - table_.initial);
        curve_product += rise * static_cast<double>(here[t] - initial_);
        curve_square += rise * rise;
      }
      product += curve_product / static_cast<double>(here.size());
      square += curve_square / static_cast<double>(here.size());
    });
    stretch_ = static_cast<float>(std::clamp(product / square, kLeastStretch, kMostStretch));
    double sum = static_cast<double>(std::abs(initial_ - table_.initial));
    size_t curves = 1;
    for_each_common(observed, context, [&](std::span<const float> here, const float* there) {
      double off = 0.0;
      for (size_t t = 0; t < here.size(); ++t) {
        off += static_cast<double>(std::abs(here[t] - stretched(there[t])));
      }
      sum += off / static_cast<double>(here.size());
      ++curves;
    });
    distance_ = sum / static_cast<double>(curves);
    for (size_t n = 0; n < rows_.size(); ++n) {
      if (!knows(n)) continue;
      const std::span<const float> curve = table_.curve(rows_[n]);
      best_[n] = stretched(*std::max_element(curve.begin(), curve.end()));
    }
  }

  double distance() const { return distance_; }

  bool knows(size_t n) const {
    return rows_[n] != Relatives::kUnknown && table_.lengths[rows_[n]] > 0;
  }
  // y'_k of a row that it knows; a curve that was broken off stays where it was.
  float value(size_t n, size_t epoch) const {
    const size_t row = rows_[n], at = std::min<size_t>(epoch, table_.lengths[row]);
    return stretched(table_.y[row * table_.horizon + at - 1]);
  }
  float best(size_t n) const { return best_[n]; }

 private:
  float stretched(float value) const {
    return std::clamp(initial_ + stretch_ * (value - table_.initial), 0.0F, 1.0F);
  }

  // visit(observed values, the same epochs there) for every curve of the context that it knows.
  template <typename Visit>
  void for_each_common(const CurveTable& observed, std::span<const uint32_t> context,
                       const Visit& visit) const {
    for (const uint32_t n : context) {
      if (!knows(n)) continue;
      const std::span<const float> here = observed.curve(n);
      const size_t common = std::min<size_t>(here.size(), table_.lengths[rows_[n]]);
      if (common > 0) visit(here.first(common), table_.y.data() + rows_[n] * table_.horizon);
    }
  }

  const CurveTable& table_;
  std::span<const uint32_t> rows_;
  float initial_;
  float stretch_ = 1.0F;
  double distance_ = 0.0;
  std::vector<float> best_;  // [N], of the rows that it knows
};

// Not normalized, for a row has the tasks that know it only.
std::vector<float> weights_of(std::span<const Overlay> overlays, double nearest, double scale) {
  std::vector<float> weights;
  for (const Overlay& overlay : overlays) {
    weights.push_back(static_cast<float>(std::exp((nearest - overlay.distance()) / scale)));
  }
  return weights;
}

// Means over the tasks that know a row, by weights; at least the nearest of those has one above 0.
class Opinion {
 public:
  Opinion(std::span<const Overlay> overlays, std::span<const float> weights, size_t n)
      : overlays_(overlays), weights_(weights), n_(n) {}

  float at(size_t epoch) const {
    return average([&](const Overlay& overlay) { return overlay.value(n_, epoch); });
  }
  float best() const {
    return average([&](const Overlay& overlay) { return overlay.best(n_); });
  }
  // By how much they differ about the best.
  float deviation() const {
    const float mean = best();
    return std::sqrt(average([&](const Overlay& overlay) {
      const float off = overlay.best(n_) - mean;
      return off * off;
    }));
  }

 private:
  template <typename Of>
  float average(const Of& of) const {
    float sum = 0.0F, total = 0.0F;
    for (size_t k = 0; k < overlays_.size(); ++k) {
      if (!overlays_[k].knows(n_)) continue;
      const float weight = std::max(weights_[k], 1e-30F);
      sum += weight * of(overlays_[k]);
      total += weight;
    }
    return sum / total;
  }

  std::span<const Overlay> overlays_;
  std::span<const float> weights_;
  size_t n_;
};

}  // namespace

std::vector<float> hints_of(const Relatives& relatives, const CurveTable& observed,
                            std::span<const uint32_t> context) {
  if (relatives.tables.empty() || relatives.tables.front().horizon != observed.horizon) return {};
  std::vector<Overlay> overlays;
  for (size_t k = 0; k < relatives.tables.size(); ++k) {
    overlays.emplace_back(relatives, k, observed, context);
  }
  const double nearest =
      std::min_element(overlays.begin(), overlays.end(), [](const Overlay& a, const Overlay& b) {
        return a.distance() < b.distance();
      })->distance();
  const std::vector<float> sharp = weights_of(overlays, nearest, kSharp);
  const std::vector<float> blunt = weights_of(overlays, nearest, kBlunt);
  const size_t T = observed.horizon;
  std::vector<float> hints(observed.size() * kHints, 0.0F);
  for (size_t n = 0; n < observed.size(); ++n) {
    const bool known = std::any_of(overlays.begin(), overlays.end(),
                                   [&](const Overlay& overlay) { return overlay.knows(n); });
    if (!known) continue;
    const Opinion near(overlays, sharp, n), all(overlays, blunt, n);
    float* out = hints.data() + n * kHints;
    *out++ = 1.0F;
    for (const size_t divisor : {25, 5, 2, 1}) *out++ = near.at(std::max<size_t>(1, T / divisor));
    *out++ = near.best();
    *out++ = near.deviation();
    *out++ = all.at(T);
    *out++ = all.best();
    *out++ = all.deviation();
    *out++ = std::min(1.0F, 5.0F * static_cast<float>(nearest));
  }
  return hints;
}

Records::Records(std::vector<CurveTable> tables) {
  if (tables.empty()) return;
  const Mixup pools(std::move(tables));
  size_t largest = 0;
  for (size_t m = 0; m < pools.tables().size(); ++m) {
    if (pools.partners(m).size() > pools.partners(largest).size()) largest = m;
  }
  for (const size_t m : pools.partners(largest)) tables_.push_back(pools.tables()[m]);
  const CurveTable& pool = tables_.front();
  for (uint32_t row = 0; row < pool.size(); ++row) row_of_[key_of(pool.configuration(row))] = row;
}

std::vector<float> Records::hints(const CurveTable& observed,
                                  std::span<const uint32_t> context) const {
  if (tables_.empty() || tables_.front().dimensions != observed.dimensions) return {};
  std::vector<uint32_t> rows(observed.size(), Relatives::kUnknown);
  for (size_t n = 0; n < rows.size(); ++n) {
    const auto found = row_of_.find(key_of(observed.configuration(n)));
    if (found != row_of_.end()) rows[n] = found->second;
  }
  return hints_of({tables_, rows}, observed, context);
}

}  // namespace cmbo::curves
