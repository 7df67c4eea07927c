// SPDX-License-Identifier: Apache-2.0
#include "network/copula.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/random.h"

namespace cmbo::network {

namespace {

constexpr int kBits = 20;    // of precision of a line search
constexpr int kRounds = 12;  // over both parameters
// Ranges of the search: of noise on the logistic scale, of length on the logarithmic one.
constexpr double kLowNoise = -9.0, kHighNoise = 5.0;
constexpr double kLowLength = -3.0, kHighLength = 9.0;

double distance(size_t ahead) {
  return std::log1p(static_cast<double>(ahead));
}

double logistic(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

// What the smooth part keeps from one epoch to the next.
double kept(const Copula& copula, size_t from, size_t to) {
  return std::exp((distance(from) - distance(to)) / copula.length);
}

// By a Kalman filter over the smooth part, whose variance is 1 a priori.
double log_likelihood(const Copula& copula, const CurveScores& curve) {
  double mean = 0.0, variance = 1.0, sum = 0.0;
  const double gain = std::sqrt(1.0 - copula.noise);
  for (size_t i = 0; i < curve.z.size(); ++i) {
    if (i > 0) {
      const double keep = kept(copula, curve.ahead[i - 1], curve.ahead[i]);
      mean *= keep;
      variance = keep * keep * variance + 1.0 - keep * keep;
    }
    const double z = curve.z[i], error = z - gain * mean;
    const double spread = gain * gain * variance + copula.noise;
    sum += 0.5 * (z * z - error * error / spread - std::log(spread));
    const double weight = gain * variance / spread;
    mean += weight * error;
    variance -= weight * gain * variance;
  }
  return sum;
}

}  // namespace

double log_likelihood(const Copula& copula, std::span<const CurveScores> curves) {
  double sum = 0.0;
  for (const CurveScores& curve : curves) sum += log_likelihood(copula, curve);
  return sum;
}

Copula fit_copula(std::span<const CurveScores> curves) {
  const bool pairs = std::any_of(curves.begin(), curves.end(),
                                 [](const CurveScores& curve) { return curve.z.size() > 1; });
  if (!pairs) return {};
  const auto copula = [](double noise, double length) {
    return Copula{.noise = logistic(noise), .length = std::exp(length)};
  };
  const auto best = [&](const auto& loss, double low, double high) {
    return boost::math::tools::brent_find_minima(loss, low, high, kBits).first;
  };
  double noise = -1.0, length = 1.0;
  for (int round = 0; round < kRounds; ++round) {
    noise = best([&](double x) { return -log_likelihood(copula(x, length), curves); }, kLowNoise,
                 kHighNoise);
    length = best([&](double x) { return -log_likelihood(copula(noise, x), curves); }, kLowLength,
                  kHighLength);
  }
  return copula(noise, length);
}

CurveRanks::CurveRanks(const Copula& copula, size_t epochs, size_t curves, uint64_t seed)
    : curves_(curves), ranks_(epochs * curves) {
  CHECK(curves <= UINT16_MAX, "too many curves for their ranks");
  std::vector<double> smooth(curves), z(curves);
  const double smooth_share = std::sqrt(1.0 - copula.noise), noise_share = std::sqrt(copula.noise);
  for (size_t ahead = 1; ahead <= epochs; ++ahead) {
    Random random = Random(seed).fork(ahead);
    const double keep = ahead == 1 ? 0.0 : kept(copula, ahead - 1, ahead);
    const double fresh = std::sqrt(1.0 - keep * keep);
    for (size_t s = 0; s < curves; ++s) {
      smooth[s] = keep * smooth[s] + fresh * random.normal();
      z[s] = smooth_share * smooth[s] + noise_share * random.normal();
    }
    std::vector<uint16_t> order(curves);
    std::iota(order.begin(), order.end(), uint16_t{0});
    std::sort(order.begin(), order.end(), [&](uint16_t a, uint16_t b) { return z[a] < z[b]; });
    uint16_t* const rank = ranks_.data() + (ahead - 1) * curves;
    for (size_t place = 0; place < curves; ++place) {
      rank[order[place]] = static_cast<uint16_t>(place);
    }
  }
}

}  // namespace cmbo::network
