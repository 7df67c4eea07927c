// SPDX-License-Identifier: Apache-2.0
#include "decide/outlook.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/check.h"
#include "base/random.h"

namespace cmbo::decide {

namespace {

constexpr size_t kPlays = 16;
constexpr size_t kMostDecisions = 40;  // of a play
constexpr uint64_t kPlaySeed = 1;

// One way that the rest of the search may go.
class Play {
 public:
  Play(const OutlookInput& input, Random random)
      : input_(input),
        futures_(input.futures),
        standing_(input.standing),
        best_utility_(input.best_utility),
        random_(random),
        known_(futures_.asked.size(), false) {}

  // False if it had to be cut short.
  bool run() {
    for (size_t i = 0; i < kMostDecisions; ++i) {
      const std::optional<size_t> chosen = choose();
      if (!chosen) return false;
      const size_t q = *chosen;
      if (is_over(q)) return true;
      const uint32_t epochs = known_[q] ? prospects_[q].horizon + 1 : 1;
      if (!known_[q]) reveal(q);
      for (uint32_t epoch = 0; epoch < epochs; ++epoch) train(q);
    }
    return false;
  }

  const Standing& standing() const { return standing_; }
  // Of the asked configuration q.
  uint32_t epochs(size_t q) const { return futures_.lengths[q] - input_.futures.lengths[q]; }

 private:
  // Nothing if all are trained to the end.
  std::optional<size_t> choose() {
    prospects_ = prospects(futures_, standing_, input_.utility, input_.budget);
    std::optional<size_t> best;
    for (size_t q = 0; q < prospects_.size(); ++q) {
      if (futures_.lengths[q] == futures_.horizon) continue;
      prospects_[q].acquisition *= input_.kept.of(futures_.lengths[q] == 0);
      if (!best || prospects_[q].acquisition > prospects_[*best].acquisition) best = q;
    }
    return best;
  }

  bool is_over(size_t q) const {
    const double cost = standing_.spent + input_.budget.epoch_cost(futures_.asked[q]);
    if (!input_.budget.allows(cost)) return true;
    const double probability = input_.kept.all * probability_of_gain(futures_, q, standing_,
                                                                     input_.utility, input_.budget);
    StoppingEvidence evidence;
    evidence.regret = estimated_regret(best_utility_, standing_.utility, input_.worst_utility);
    evidence.threshold = threshold(input_.stopping, probability);
    evidence.look = look_at(futures_, q, standing_, input_.utility, input_.budget);
    evidence.look->gain *= input_.kept.of(futures_.lengths[q] == 0);
    return should_stop(input_.stopping, evidence);
  }

  // From now on one of its sampled curves is certain.
  void reveal(size_t q) {
    const size_t truth = random_.index(futures_.count);
    for (size_t epoch = futures_.lengths[q] + 1; epoch <= futures_.horizon; ++epoch) {
      const auto begin =
          futures_.values.begin() +
          static_cast<ptrdiff_t>((q * futures_.horizon + epoch - 1) * futures_.count);
      const float value = begin[static_cast<ptrdiff_t>(truth)];
      std::fill_n(begin, futures_.count, value);
    }
    known_[q] = true;
  }

  void train(size_t q) {
    const uint32_t epoch = ++futures_.lengths[q];
    standing_.spent += input_.budget.epoch_cost(futures_.asked[q]);
    standing_.best = std::max(standing_.best, futures_.at(q, epoch)[0]);
    standing_.utility = input_.utility(standing_.spent, static_cast<double>(standing_.best));
    best_utility_ = std::max(best_utility_, standing_.utility);
  }

  const OutlookInput& input_;
  forecast::Samples futures_;  // as they are known by now
  Standing standing_;
  double best_utility_;
  Random random_;
  std::vector<bool> known_;
  std::vector<Prospect> prospects_;  // of the last choice
};

}  // namespace

Outlook foresee(const OutlookInput& input) {
  CHECK(!input.futures.asked.empty(), "an outlook needs candidates");
  Outlook outlook;
  std::vector<Outlook::Share> shares;
  for (const uint32_t n : input.futures.asked) shares.push_back({n, 0.0});
  const double share = 1.0 / double{kPlays};
  size_t cut = 0;
  for (size_t i = 0; i < kPlays; ++i) {
    Play play(input, Random(kPlaySeed).fork(i));
    if (!play.run()) ++cut;
    outlook.cost += share * (play.standing().spent - input.standing.spent);
    outlook.best += share * static_cast<double>(play.standing().best);
    outlook.rise += share * static_cast<double>(play.standing().best - input.standing.best);
    outlook.utility += share * play.standing().utility;
    for (size_t q = 0; q < shares.size(); ++q) shares[q].epochs += share * play.epochs(q);
  }
  for (const Outlook::Share& part : shares) {
    if (part.epochs == 0.0) continue;
    outlook.epochs += part.epochs;
    outlook.shares.push_back(part);
  }
  outlook.at_least = 4 * cut >= kPlays;
  return outlook;
}

}  // namespace cmbo::decide
