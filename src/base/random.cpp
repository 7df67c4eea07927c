// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace cmbo {

namespace {
constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15u;
}  // namespace

uint64_t mix_bits(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

Random::Random(uint64_t seed) : seed_(seed) {
  uint64_t counter = seed;
  for (uint64_t& word : state_) word = mix_bits(counter += kGoldenGamma);
}

Random Random::fork(uint64_t stream) const {
  return Random(mix_bits(mix_bits(seed_ + kGoldenGamma) ^ (stream * kGoldenGamma + 1)));
}

uint64_t Random::next() {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

size_t Random::index(size_t count) {
  CHECK(count > 0, "index() needs something to choose from");
  const uint64_t n = count;
  const uint64_t rejected = (0 - n) % n;  // 2^64 mod n: drawing below it would favour small results
  uint64_t drawn = next();
  while (drawn < rejected) drawn = next();
  return static_cast<size_t>(drawn % n);
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace cmbo
