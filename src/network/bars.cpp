// SPDX-License-Identifier: Apache-2.0
#include "network/bars.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace cmbo::network {
namespace {

constexpr size_t kMaxBins = 20'000;
constexpr size_t kValuesPerBin = 16;  // below, the root of a count says little about the density
constexpr double kEvenShare = 0.01;   // spread over all of [0,1]: no region without any bar

// sqrt(density) of the values in [low, 1] in bins of equal width, up to a factor.
std::vector<double> root_density(std::span<const float> values, float low) {
  std::vector<double> bins(std::clamp<size_t>(values.size() / kValuesPerBin, 16, kMaxBins));
  const double scale = static_cast<double>(bins.size()) / (1 - static_cast<double>(low));
  for (const float value : values) {
    if (!(value >= low)) continue;  // the first bar's, or not a number
    const double at =
        (std::min(static_cast<double>(value), 1.0) - static_cast<double>(low)) * scale;
    bins[std::min(static_cast<size_t>(at), bins.size() - 1)] += 1;
  }
  double total = 0;
  for (double& bin : bins) total += bin = std::sqrt(bin);
  const double even = total > 0 ? kEvenShare * total / static_cast<double>(bins.size()) : 1;
  for (double& bin : bins) bin += even;
  return bins;
}

// Widens atoms: a bin that is higher than `most` gives its height to all bins within `radius`.
void widen(std::vector<double>& bins, double most, size_t radius) {
  const std::vector<double> before = bins;
  for (size_t i = 0; i < bins.size(); ++i) {
    if (before[i] <= most) continue;
    const size_t end = std::min(i + radius + 1, bins.size());
    for (size_t j = i - std::min(i, radius); j < end; ++j) bins[j] = std::max(bins[j], before[i]);
  }
}

// Scales the bins so that they sum to `total`, none above `cap`, by water-filling: the bins that
// would run over are cut, and the others share what is left, until no more run over.
void fill(std::vector<double>& bins, double total, double cap) {
  double factor = total / std::accumulate(bins.begin(), bins.end(), 0.0);
  for (size_t full = 0;;) {
    double open = 0;
    size_t over = 0;
    for (const double bin : bins) {
      if (bin * factor < cap) {
        open += bin;
      } else {
        ++over;
      }
    }
    if (over == full || open == 0) break;
    full = over;
    factor = (total - cap * static_cast<double>(full)) / open;
  }
  for (double& bin : bins) bin = std::min(bin * factor, cap);
}

// `bars` bars over [low, 1], where bins hold how many of them (and fractions) start there.
void append_borders(std::vector<float>& borders, std::span<const double> bins, size_t bars) {
  const double low = static_cast<double>(borders.back());
  const double bin_width = (1 - low) / static_cast<double>(bins.size());
  double below = 0;
  size_t bin = 0;
  for (size_t bar = 1; bar < bars; ++bar) {
    const double wanted = static_cast<double>(bar);
    while (bin + 1 < bins.size() && below + bins[bin] < wanted) below += bins[bin++];
    const double inside = std::min((wanted - below) / bins[bin], 1.0);
    borders.push_back(static_cast<float>(low + bin_width * (static_cast<double>(bin) + inside)));
  }
  borders.push_back(1);
}

double sum(std::span<const float> values) {
  double total = 0;
  for (const float value : values) total += static_cast<double>(value);
  return total;
}

}  // namespace

Bars::Bars(std::vector<float> borders) : borders_(std::move(borders)) {
  CHECK(borders_.size() >= 2 && borders_.front() == 0 && borders_.back() == 1,
        "bars must span [0,1]");
  for (size_t i = 0; i + 1 < borders_.size(); ++i) {
    CHECK(borders_[i] < borders_[i + 1], "borders of bars must ascend");
    widths_.push_back(borders_[i + 1] - borders_[i]);
    log_widths_.push_back(std::log(widths_.back()));
  }
}

Bars Bars::from_values(std::span<const float> values, size_t count, float floor) {
  const double least = static_cast<double>(floor);
  CHECK(count > 0, "there must be a bar");
  CHECK(floor >= kLeastFloor && static_cast<double>(count) * least < 1,
        "the least width of a bar must be at least 1e-6 and leave space for all bars");
  if (count == 1) return Bars({0, 1});
  std::vector<double> bins = root_density(values, floor);
  const double width = (1 - least) / static_cast<double>(bins.size());
  const double total = static_cast<double>(count - 1), cap = width / least;
  // About three bars around each atom, or it would get no narrow one where bins are narrower.
  const double sum_of_bins = std::accumulate(bins.begin(), bins.end(), 0.0);
  widen(bins, cap * sum_of_bins / total, static_cast<size_t>(1.5 * least / width));
  fill(bins, total, cap);
  std::vector<float> borders = {0, floor};
  append_borders(borders, bins, count - 1);
  return Bars(std::move(borders));
}

size_t Bars::index_of(float y) const {
  const auto inner_end = borders_.end() - 1;
  return static_cast<size_t>(std::upper_bound(borders_.begin() + 1, inner_end, y) -
                             (borders_.begin() + 1));
}

double BarDistribution::log_density(float y) const {
  const size_t bar = bars->index_of(y);
  const double share = 1 - static_cast<double>(gate);
  const double of_bar = std::log(share * static_cast<double>(probabilities[bar])) -
                        static_cast<double>(bars->log_width(bar));
  if (!(gate > 0)) return of_bar;
  const double of_copy =
      std::log(static_cast<double>(gate)) + static_cast<double>(copy.log_density(y));
  const double larger = std::max(of_bar, of_copy);
  return larger + std::log1p(std::exp(std::min(of_bar, of_copy) - larger));
}

double BarDistribution::cdf(float y) const {
  if (!(y > 0)) return 0;
  if (y >= 1) return 1;
  const size_t bar = bars->index_of(y);
  const double inside = static_cast<double>(y) - static_cast<double>(bars->borders()[bar]);
  const double of_bars = sum(probabilities.first(bar)) + static_cast<double>(probabilities[bar]) *
                                                             inside /
                                                             static_cast<double>(bars->width(bar));
  const double of_copy = gate > 0 ? copy.cdf(static_cast<double>(y)) : 0;
  return std::min(1.0, of_bars + static_cast<double>(gate) * (of_copy - of_bars));
}

double BarDistribution::mean() const {
  double of_bars = 0;
  for (size_t bar = 0; bar < bars->count(); ++bar) {
    const double middle =
        static_cast<double>(bars->borders()[bar]) + static_cast<double>(bars->width(bar)) / 2;
    of_bars += static_cast<double>(probabilities[bar]) * middle;
  }
  if (!(gate > 0)) return of_bars;
  return of_bars + static_cast<double>(gate) * (static_cast<double>(copy.mean()) - of_bars);
}

// Bisection: slow and plain, the twin that the sweep is tested against.
double BarDistribution::quantile(double level) const {
  const auto mixed = [&](double of_bars, double y) {
    const double share = static_cast<double>(gate);
    return (1 - share) * of_bars + (gate > 0 ? share * copy.cdf(y) : 0);
  };
  double below = 0;
  size_t bar = 0;
  for (; bar + 1 < bars->count(); ++bar) {
    const double next = below + static_cast<double>(probabilities[bar]);
    if (mixed(next, static_cast<double>(bars->borders()[bar + 1])) >= level) break;
    below = next;
  }
  const double start = static_cast<double>(bars->borders()[bar]);
  const double width = static_cast<double>(bars->borders()[bar + 1]) - start;
  double low = 0, high = 1;  // of the bar
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = (low + high) / 2;
    const double of_bars = below + static_cast<double>(probabilities[bar]) * middle;
    (mixed(of_bars, start + width * middle) < level ? low : high) = middle;
  }
  return start + width * high;
}

double coverage_of_atom(double atom, double low, double high) {
  return atom > low ? (std::min(atom, high) - low) / atom : 0.0;
}

}  // namespace cmbo::network
