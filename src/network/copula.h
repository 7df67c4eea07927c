// SPDX-License-Identifier: Apache-2.0
//
// How the values of one curve at different epochs go together, given the distribution F_t of each:
//
//   z_t = Phi^-1(F_t(y_t)) = sqrt(1 - noise) u_t + sqrt(noise) e_t
//   corr(u_s, u_t) = exp(-|tau_s - tau_t| / length),   tau_t = log(1 + t - last observed epoch)
//
// a smooth part u, a stationary Gauss-Markov process in the logarithm of the distance from the last
// observation (what is uncertain far ahead changes slowly), and an independent part e.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cmbo::network {

// noise 0 and an infinite length make curves comonotone: one level for all epochs.
struct Copula {
  double noise = 0.0;   // in [0,1)
  double length = 1e6;  // in units of tau, > 0

  bool operator==(const Copula&) const = default;
};

// One curve's normal scores z at `ahead` epochs after the last observation, ascending and each
// once.
struct CurveScores {
  std::vector<uint32_t> ahead;
  std::vector<double> z;
};

// The logarithm of the copula's density at all scores: 0 if epochs are independent.
double log_likelihood(const Copula& copula, std::span<const CurveScores> curves);

// The most likely copula; without a curve of two epochs, the comonotone one.
Copula fit_copula(std::span<const CurveScores> curves);

// Sampled curves as places in a grid of levels: at every epoch each of S levels is taken by one of
// S curves, so that the distribution at every epoch is exact and only the order is drawn.
class CurveRanks {
 public:
  // Curves that go on for `epochs` epochs. The same seed serves all lengths: a shorter future
  // begins with the same random numbers.
  CurveRanks(const Copula& copula, size_t epochs, size_t curves, uint64_t seed);

  // The level's place 0..S-1 of each curve, `ahead` = 1..epochs after the last observation.
  std::span<const uint16_t> at(size_t ahead) const {
    return std::span(ranks_).subspan((ahead - 1) * curves_, curves_);
  }

 private:
  size_t curves_;
  std::vector<uint16_t> ranks_;  // [epochs][S]
};

}  // namespace cmbo::network
