// SPDX-License-Identifier: Apache-2.0
#include "forecast/maximum.h"

#include <algorithm>
#include <cmath>

#include "network/bars.h"

namespace cmbo::forecast {

namespace {

// The sampled maxima, ascending.
std::vector<float> sampled_maxima(const Samples& samples, size_t q, size_t epochs) {
  std::vector<float> maxima(samples.count, 0.0F);
  for (size_t ahead = 1; ahead <= epochs; ++ahead) {
    const auto values = samples.at(q, samples.lengths[q] + ahead);
    for (size_t s = 0; s < samples.count; ++s) maxima[s] = std::max(maxima[s], values[s]);
  }
  std::sort(maxima.begin(), maxima.end());
  return maxima;
}

// E|X - y| - E|X - X'| / 2 of the samples.
double crps(const std::vector<float>& sorted, double y) {
  const auto S = static_cast<double>(sorted.size());
  double distance = 0.0, spread = 0.0;
  for (size_t s = 0; s < sorted.size(); ++s) {
    const auto x = static_cast<double>(sorted[s]);
    distance += std::abs(x - y);
    spread += x * (2.0 * static_cast<double>(s) + 1.0 - S);
  }
  return distance / S - spread / (S * S);
}

// Between the order statistics, of which the i-th of S stands for the level i / (S + 1).
float quantile(const std::vector<float>& sorted, double level) {
  const auto last = static_cast<double>(sorted.size() - 1);
  const double at = std::clamp(level * (last + 2.0) - 1.0, 0.0, last);
  const auto from = static_cast<size_t>(at);
  const size_t to = std::min(from + 1, sorted.size() - 1);
  return std::lerp(sorted[from], sorted[to], static_cast<float>(at - std::floor(at)));
}

// How much of the truth y lies within the central `share`; see network::coverage_of_atom().
double within(const std::vector<float>& sorted, double share, float y, float diverged) {
  const double tail = (1.0 - share) / 2.0;
  if (y <= 0.0F) {
    const auto atom = std::upper_bound(sorted.begin(), sorted.end(), diverged) - sorted.begin();
    return network::coverage_of_atom(static_cast<double>(atom) / static_cast<double>(sorted.size()),
                                     tail, 1.0 - tail);
  }
  return y >= quantile(sorted, tail) && y <= quantile(sorted, 1.0 - tail) ? 1.0 : 0.0;
}

}  // namespace

void MaximumScores::add(const MaximumScores& other) {
  if (other.count == 0) return;
  const double share = static_cast<double>(other.count) / static_cast<double>(count + other.count);
  crps = std::lerp(crps, other.crps, share);
  coverage50 = std::lerp(coverage50, other.coverage50, share);
  coverage90 = std::lerp(coverage90, other.coverage90, share);
  count += other.count;
}

MaximumScores score_maximum(const Samples& samples, const curves::CurveTable& truth, size_t epochs,
                            float diverged) {
  MaximumScores sum;
  for (size_t q = 0; q < samples.asked.size(); ++q) {
    const uint32_t row = samples.asked[q];
    const size_t seen = samples.lengths[q], known = truth.lengths[row];
    if (known <= seen) continue;
    const size_t ahead = std::min(epochs, known - seen);
    const auto future = truth.curve(row).subspan(seen, ahead);
    const float y = *std::max_element(future.begin(), future.end());
    const std::vector<float> maxima = sampled_maxima(samples, q, ahead);
    sum.add({crps(maxima, static_cast<double>(y)), within(maxima, 0.5, y, diverged),
             within(maxima, 0.9, y, diverged), 1});
  }
  return sum;
}

}  // namespace cmbo::forecast
