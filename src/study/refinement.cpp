// SPDX-License-Identifier: Apache-2.0
#include "study/refinement.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "space/neighbour.h"

namespace cmbo::study {

namespace {

constexpr double kFirstWidth = 0.1;
constexpr size_t kMostDraws = 20;  // for each wanted configuration
constexpr uint64_t kRefinementStream = 0x7265666e;

size_t rounds_due(const Facts& facts) {
  const auto trained = static_cast<size_t>(
      std::count_if(facts.trials().begin(), facts.trials().end(),
                    [&](const Trial& trial) { return facts.steps(trial.number) > 0; }));
  size_t rounds = 0;
  while (rounds < kMostRefinements && trained >= kFirstRefinement << rounds) ++rounds;
  return rounds;
}

space::Configuration configuration_of(const StudyFile& file, const Trial& trial) {
  return file.space.configuration_from_json(trial.parameters).value();
}

// Best first.
std::vector<space::Configuration> parents(const StudyFile& file, const Facts& facts) {
  std::vector<space::Configuration> best;
  for (const uint32_t trial : best_first(file, facts)) {
    if (best.size() == kRefinedAround || !std::isfinite(goodness(file, facts, trial))) break;
    best.push_back(configuration_of(file, facts.trials()[trial]));
  }
  return best;
}

std::unordered_set<space::Configuration, space::Configuration::Hash> known_configurations(
    const StudyFile& file, const Facts& facts) {
  std::unordered_set<space::Configuration, space::Configuration::Hash> known;
  for (const Trial& trial : facts.trials()) known.insert(configuration_of(file, trial));
  return known;
}

}  // namespace

std::vector<Trial> refinement(const StudyFile& file, const Facts& facts) {
  const size_t rounds = file.refine ? rounds_due(facts) : 0;
  const size_t at_once = std::min(file.pool / kRefinedShare, kMostRefinedAtOnce);
  const auto refined = static_cast<size_t>(
      std::count_if(facts.trials().begin(), facts.trials().end(),
                    [](const Trial& trial) { return trial.origin == TrialOrigin::kRefined; }));
  if (rounds * at_once <= refined) return {};
  const std::vector<space::Configuration> around = parents(file, facts);
  if (around.empty()) return {};
  const size_t wanted = rounds * at_once - refined;
  const double width = kFirstWidth * std::pow(2.0, -0.5 * static_cast<double>(rounds - 1));
  Random random = Random(file.seed).fork(kRefinementStream).fork(refined);
  auto known = known_configurations(file, facts);
  std::vector<Trial> added;
  for (size_t draw = 0; draw < kMostDraws * wanted && added.size() < wanted; ++draw) {
    const space::Configuration& parent = around[random.index(1 + random.index(around.size()))];
    space::Configuration near = space::neighbour(file.space, parent, width, random);
    if (!known.insert(near).second) continue;
    added.push_back({.number = static_cast<uint32_t>(facts.trials().size() + added.size()),
                     .parameters = file.space.configuration_to_json(near),
                     .origin = TrialOrigin::kRefined});
  }
  return added;
}

}  // namespace cmbo::study
