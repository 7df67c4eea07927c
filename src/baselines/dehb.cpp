// SPDX-License-Identifier: Apache-2.0
#include "baselines/dehb.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "baselines/brackets.h"
#include "baselines/nearest.h"
#include "baselines/order.h"

namespace cmbo::baselines {

namespace {

constexpr size_t kParents = 3;  // of rand/1

bool all_set(const std::vector<bool>& marks) {
  return std::find(marks.begin(), marks.end(), false) == marks.end();
}

class DehbPlan : public Plan {
 public:
  DehbPlan(const curves::CurveTable& pool, const DehbOptions& options);

  std::optional<Job> next() override;
  void tell(float value) override;

 private:
  struct Member {
    uint32_t configuration;
    std::optional<float> value;  // at the population's fidelity
  };
  using Population = std::vector<Member>;
  struct Fidelity {
    uint32_t epochs = 1;
    Population population;
    size_t parent = 0;        // the next in turn
    std::vector<bool> taken;  // which were jobs
  };
  struct Pending {
    Job job;
    size_t fidelity, parent;
  };

  bool exhausted() const;
  size_t rung_size() const;
  void advance();
  std::optional<uint32_t> proposal(size_t fidelity, size_t parent);
  std::optional<uint32_t> promotion(size_t fidelity) const;
  std::optional<uint32_t> child(size_t fidelity, size_t parent);
  std::vector<uint32_t> mutation_pool(size_t fidelity);
  std::vector<double> mutant(std::vector<uint32_t> parents);

  const curves::CurveTable& pool_;
  const DehbOptions options_;
  std::vector<Bracket> brackets_;
  std::vector<Fidelity> fidelities_;  // ascending
  Random random_;
  size_t cycle_ = 0, bracket_ = 0, rung_ = 0, job_ = 0;
  std::optional<Pending> pending_;
};

DehbPlan::DehbPlan(const curves::CurveTable& pool, const DehbOptions& options)
    : pool_(pool),
      options_(options),
      brackets_(hyperband_brackets(pool.horizon, options.eta)),
      random_(options.seed) {
  const std::vector<uint32_t> order = random_order(pool.size(), options.seed);
  size_t drawn = 0;
  for (size_t k = 0; k < brackets_.size(); ++k) {
    Fidelity fidelity;
    fidelity.epochs = brackets_[0].rungs[k];
    fidelity.taken.assign(pool.size(), false);
    for (size_t i = 0; i < brackets_[k].configurations; ++i) {
      fidelity.population.push_back({order[drawn++ % order.size()], std::nullopt});
    }
    fidelities_.push_back(std::move(fidelity));
  }
}

bool DehbPlan::exhausted() const {
  return std::all_of(fidelities_.begin(), fidelities_.end(),
                     [](const Fidelity& fidelity) { return all_set(fidelity.taken); });
}

size_t DehbPlan::rung_size() const {
  size_t size = brackets_[bracket_].configurations;
  for (size_t i = 0; i < rung_; ++i) size = promoted(size, options_.eta);
  return size;
}

void DehbPlan::advance() {
  if (++job_ < rung_size()) return;
  job_ = 0;
  if (++rung_ < brackets_[bracket_].rungs.size()) return;
  rung_ = 0;
  if (++bracket_ < brackets_.size()) return;
  bracket_ = 0;
  ++cycle_;
}

std::optional<Job> DehbPlan::next() {
  while (!pending_) {
    if (exhausted()) return std::nullopt;
    const size_t f = bracket_ + rung_;
    Fidelity& fidelity = fidelities_[f];
    const size_t parent = fidelity.parent;
    fidelity.parent = (parent + 1) % fidelity.population.size();
    const std::optional<uint32_t> n = proposal(f, parent);
    if (n) {
      fidelity.taken[*n] = true;
      pending_ = Pending{{*n, fidelity.epochs}, f, parent};
    }
    advance();
  }
  return pending_->job;
}

void DehbPlan::tell(float value) {
  CHECK(next().has_value(), "a value is of a job");
  Member& parent = fidelities_[pending_->fidelity].population[pending_->parent];
  if (!parent.value || value >= *parent.value) parent = {pending_->job.configuration, value};
  pending_.reset();
}

// nullopt if every configuration was a job of this fidelity.
std::optional<uint32_t> DehbPlan::proposal(size_t fidelity, size_t parent) {
  const uint32_t self = fidelities_[fidelity].population[parent].configuration;
  const bool first = cycle_ == 0 && bracket_ == 0 && rung_ == 0;
  if (first && !fidelities_[fidelity].taken[self]) return self;
  if (cycle_ == 0 && rung_ > 0) {
    const std::optional<uint32_t> n = promotion(fidelity);
    if (n) return n;
  }
  return child(fidelity, parent);
}

std::optional<uint32_t> DehbPlan::promotion(size_t fidelity) const {
  std::optional<Member> best;
  for (const Member& member : fidelities_[fidelity - 1].population) {
    if (!member.value || fidelities_[fidelity].taken[member.configuration]) continue;
    if (!best || *member.value > *best->value) best = member;
  }
  return best ? std::optional(best->configuration) : std::nullopt;
}

std::vector<uint32_t> DehbPlan::mutation_pool(size_t fidelity) {
  Population below = fidelities_[rung_ == 0 ? fidelity : fidelity - 1].population;
  std::stable_sort(below.begin(), below.end(), [](const Member& a, const Member& b) {
    return a.value.value_or(-1.0F) > b.value.value_or(-1.0F);
  });
  below.resize(std::min(below.size(), rung_size()), Member{});
  std::vector<uint32_t> chosen;
  for (const Member& member : below) chosen.push_back(member.configuration);
  while (chosen.size() < kParents) {
    const Population& any = fidelities_[random_.index(fidelities_.size())].population;
    chosen.push_back(any[random_.index(any.size())].configuration);
  }
  return chosen;
}

std::vector<double> DehbPlan::mutant(std::vector<uint32_t> parents) {
  random_.shuffle(std::span(parents));
  const auto a = pool_.configuration(parents[0]), b = pool_.configuration(parents[1]),
             c = pool_.configuration(parents[2]);
  std::vector<double> v(pool_.dimensions);
  for (size_t i = 0; i < v.size(); ++i) {
    v[i] = static_cast<double>(a[i]) + options_.mutation * static_cast<double>(b[i] - c[i]);
    if (v[i] < 0.0 || v[i] > 1.0) v[i] = random_.uniform();
  }
  return v;
}

std::optional<uint32_t> DehbPlan::child(size_t fidelity, size_t parent) {
  const std::vector<double> v = mutant(mutation_pool(fidelity));
  const auto x = pool_.configuration(fidelities_[fidelity].population[parent].configuration);
  std::vector<double> made(x.begin(), x.end());
  const size_t certain = made.empty() ? 0 : random_.index(made.size());
  for (size_t i = 0; i < made.size(); ++i) {
    if (random_.chance(options_.crossover) || i == certain) made[i] = v[i];
  }
  return nearest(pool_, made, fidelities_[fidelity].taken);
}

}  // namespace

Dehb::Dehb(const DehbOptions& options)
    : PlannedPolicy([options](const curves::CurveTable& pool) {
        return std::make_unique<DehbPlan>(pool, options);
      }) {}

}  // namespace cmbo::baselines
