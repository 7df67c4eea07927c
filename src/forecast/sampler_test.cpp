// SPDX-License-Identifier: Apache-2.0
#include "forecast/sampler.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "forecast/test_model.h"

namespace cmbo::forecast {
namespace {

const std::vector<uint32_t> kAsked = {0, 4, 9, 33};

Samples draw(Sampling sampling, uint64_t seed = 1) {
  ThreadPool pool(2);
  return sample(test_model({.noise = 0.3, .length = 2.0}), test_history(), kAsked,
                {.sampling = sampling, .count = 32, .seed = seed}, pool);
}

std::vector<float> sorted(std::span<const float> values) {
  std::vector<float> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

TEST(SamplerTest, CoherentSamplesHaveTheQuantilesOfEveryEpoch) {
  const Samples comonotone = draw(Sampling::kComonotone), copula = draw(Sampling::kCopula);
  EXPECT_EQ(copula.lengths, (std::vector<uint32_t>{0, 4, 9, 0}));
  bool reordered = false;
  for (size_t q = 0; q < kAsked.size(); ++q) {
    for (size_t epoch = copula.lengths[q] + 1; epoch <= copula.horizon; ++epoch) {
      const auto quantiles = comonotone.at(q, epoch), values = copula.at(q, epoch);
      EXPECT_TRUE(std::is_sorted(quantiles.begin(), quantiles.end()));
      ASSERT_EQ(sorted(values), sorted(quantiles));
      reordered |= !std::is_sorted(values.begin(), values.end());
    }
  }
  EXPECT_TRUE(reordered);
}

TEST(SamplerTest, ObservedEpochsHaveNoSamples) {
  for (const Sampling sampling :
       {Sampling::kComonotone, Sampling::kCopula, Sampling::kIndependent}) {
    EXPECT_TRUE(std::isnan(draw(sampling).at(1, 4)[0]));
    EXPECT_FALSE(std::isnan(draw(sampling).at(1, 5)[0]));
  }
}

TEST(SamplerTest, IndependentSamplesAreMeansOfFive) {
  const Samples quantiles = draw(Sampling::kComonotone), means = draw(Sampling::kIndependent);
  const auto spread = [](std::span<const float> values) {
    const float mean = std::accumulate(values.begin(), values.end(), 0.0F) / 32.0F;
    float sum = 0.0F;
    for (const float value : values) sum += (value - mean) * (value - mean);
    return sum;
  };
  float ratio = 0.0F;
  for (size_t epoch = 1; epoch <= 12; ++epoch) {
    ratio += spread(means.at(0, epoch)) / spread(quantiles.at(0, epoch)) / 12.0F;
  }
  EXPECT_NEAR(ratio, 0.2F, 0.05F);
}

TEST(SamplerTest, TheSeedDecides) {
  EXPECT_EQ(sorted(draw(Sampling::kCopula).at(0, 3)), sorted(draw(Sampling::kCopula, 2).at(0, 3)));
  const Samples first = draw(Sampling::kCopula), again = draw(Sampling::kCopula),
                other = draw(Sampling::kCopula, 2);
  const auto same = [&](const Samples& b) {
    return std::ranges::equal(first.at(0, 3), b.at(0, 3));
  };
  EXPECT_TRUE(same(again));
  EXPECT_FALSE(same(other));
}

TEST(SamplerTest, KnowsItsNames) {
  EXPECT_EQ(sampling_of("copula"), Sampling::kCopula);
  EXPECT_EQ(sampling_of("comonotone"), Sampling::kComonotone);
  EXPECT_EQ(sampling_of("independent"), Sampling::kIndependent);
  EXPECT_EQ(sampling_of("gauss"), std::nullopt);
}

}  // namespace
}  // namespace cmbo::forecast
