// SPDX-License-Identifier: Apache-2.0
#include "study/deliberation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace cmbo::study {

namespace {

// Full trainings that a search without any limit is expected to cost at most, as in the paper (300
// epochs of 50): the worst that its regret is measured by.
constexpr double kTypicalTrainings = 6.0;

double budget_of(const StudyFile& file) {
  double budget = file.limits.cost.value_or(std::numeric_limits<double>::infinity());
  if (file.limits.epochs && file.utility.unit == CostUnit::kEpochs) {
    budget = std::min(budget, static_cast<double>(*file.limits.epochs));
  }
  return budget;
}

double worst_cost_of(const StudyFile& file, double budget, std::vector<double> epoch_costs) {
  if (file.utility.budget != 1.0) return file.utility.budget;
  if (std::isfinite(budget)) return budget;
  if (epoch_costs.empty()) return kTypicalTrainings * file.fidelity.max;
  const auto middle = epoch_costs.begin() + static_cast<ptrdiff_t>(epoch_costs.size() / 2);
  std::nth_element(epoch_costs.begin(), middle, epoch_costs.end());
  return kTypicalTrainings * file.fidelity.max * *middle;
}

double pending_cost(const StudyFile& file, const Facts& facts) {
  std::map<uint64_t, double> expected;
  for (const Slice* slice : facts.open_slices()) expected[slice->id] = slice->expected_cost;
  for (const Observation& observation : facts.observations()) {
    const auto found = expected.find(observation.slice);
    if (found != expected.end()) found->second -= file.utility.cost_of(1.0, observation.seconds);
  }
  double pending = 0.0;
  for (const auto& [slice, cost] : expected) pending += std::max(0.0, cost);
  return pending;
}

// The mean of the first epochs stands for the value before training, which nobody reports.
float initial_value(const Facts& facts, const curves::Normalization& normalization) {
  double sum = 0.0;
  size_t count = 0;
  for (const Observation& observation : facts.observations()) {
    if (observation.step != 1) continue;
    sum += normalization.normalize(observation.value);
    ++count;
  }
  return count == 0 ? 0.0F : static_cast<float>(sum / static_cast<double>(count));
}

// In the metric's own units; a finite number, because JSON knows no other, even where the scale is
// open.
double in_own_units(const curves::Normalization& normalization, double y) {
  constexpr double kAlmost = 1e-6;
  const double value = normalization.invert(y);
  return std::isfinite(value) ? value : normalization.invert(std::clamp(y, kAlmost, 1.0 - kAlmost));
}

Json prospect_to_json(const decide::Prospect& prospect, const Situation& situation) {
  Json json = {{"trial", prospect.configuration},
               {"gain", prospect.acquisition},
               {"epochs", prospect.horizon + 1}};
  if (prospect.chance) json["chance"] = *prospect.chance;
  if (prospect.final_median) {
    json["final"] =
        in_own_units(situation.scale.normalization, static_cast<double>(*prospect.final_median));
  }
  return json;
}

// Seconds are those of trainings, start-ups left out.
Json outlook_to_json(const decide::Outlook& outlook, const decide::Decision& decision,
                     const Situation& situation) {
  double seconds = 0.0;
  for (const decide::Outlook::Share& share : outlook.shares) {
    seconds += share.epochs * situation.costs.epoch_seconds[share.configuration];
  }
  const curves::Normalization& normalization = situation.scale.normalization;
  const double best = in_own_units(normalization, outlook.best);
  const double before = in_own_units(normalization, outlook.best - outlook.rise);
  return {{"epochs", outlook.epochs},
          {"cost", outlook.cost},
          {"seconds", seconds},
          {"best", best},
          {"improvement", std::abs(best - before)},
          {"gain", outlook.utility - decision.utility},
          {"at_least", outlook.at_least}};
}

}  // namespace

bool Situation::affords(uint32_t trial, uint64_t steps) const {
  const double cost = static_cast<double>(steps) * budget().epoch_cost(trial);
  return budget().allows(spent + pending + cost);
}

Result<Situation> situation_of(const StudyFile& file, const Facts& facts,
                               const curves::CurveTable& pool, double price_factor) {
  MetricScale scale = metric_scale(file.metric, facts);
  CMBO_TRY(decide::Utility utility, utility_over(file.utility, scale.normalization, price_factor));
  Situation situation{.scale = std::move(scale),
                      .costs = cost_model(facts, pool),
                      .utility = std::move(utility),
                      .options = {},
                      .spent = standing_of(file, facts).cost,
                      .pending = pending_cost(file, facts)};
  decide::LoopOptions& options = situation.options;
  options.budget = budget_of(file);
  options.epoch_costs = situation.costs.epoch_costs(file.utility);
  options.foresee = true;
  options.worst_cost = worst_cost_of(file, options.budget, options.epoch_costs);
  return situation;
}

Result<curves::CurveTable> encode_pool(const StudyFile& file, const Facts& facts) {
  curves::CurveTable pool;
  pool.dimensions = file.space.encoded_size();
  pool.horizon = file.fidelity.max;
  for (const Trial& trial : facts.trials()) {
    CMBO_RETURN_IF_ERROR(add_to_pool(file, trial, pool));
  }
  return pool;
}

Result<Json> canonical_parameters(const StudyFile& file, const Json& parameters) {
  CMBO_TRY(const space::Configuration configuration,
           file.space.configuration_from_json(parameters));
  return file.space.configuration_to_json(configuration);
}

Status add_to_pool(const StudyFile& file, const Trial& trial, curves::CurveTable& pool) {
  const auto configuration = file.space.configuration_from_json(trial.parameters);
  if (!configuration.ok()) {
    return configuration.error().within(fmt::format("trial {}", trial.number));
  }
  std::vector<double> encoded(pool.dimensions);
  file.space.encode(*configuration, encoded);
  const curves::CurveTable::Row row = pool.add(0);
  std::transform(encoded.begin(), encoded.end(), row.x.begin(),
                 [](double number) { return static_cast<float>(number); });
  return {};
}

bool is_candidate(const StudyFile& file, const Facts& facts, uint32_t trial) {
  return is_open(facts.trials()[trial].state) && facts.steps(trial) < file.fidelity.max;
}

Result<decide::Decision> deliberate(const StudyFile& file, const Facts& facts,
                                    const curves::CurveTable& pool, const Situation& situation,
                                    const PolicyFactory& factory) {
  CMBO_TRY(const std::unique_ptr<decide::Policy> policy,
           factory(situation.utility, situation.budget()));
  const curves::Normalization& normalization = situation.scale.normalization;
  curves::CurveTable table = pool;
  table.initial = initial_value(facts, normalization);
  decide::Loop loop(std::move(table), situation.utility, situation.options, *policy);
  for (const Expense& expense : expenses_of(file, facts)) {
    if (expense.observation == nullptr) {
      loop.charge(expense.cost);
      continue;
    }
    const double y = normalization.normalize(expense.observation->value);
    loop.tell(expense.observation->trial, static_cast<float>(y), expense.cost);
  }
  loop.charge(situation.pending);
  for (uint32_t n = 0; n < facts.trials().size(); ++n) {
    if (!is_candidate(file, facts, n)) loop.withhold(n);
  }
  return loop.ask();
}

Json decision_to_json(const decide::Decision& decision, const Situation& situation) {
  Json json = {{"stop", decision.stop},
               {"reason", decision.reason},
               {"step", decision.step},
               {"utility", decision.utility},
               {"regret", decision.evidence.regret},
               {"threshold", decision.evidence.threshold},
               {"pending", situation.pending},
               {"scale", situation.scale.how}};
  const decide::Choice& choice = decision.choice;
  if (choice.probability) json["probability"] = *choice.probability;
  if (choice.prospect) json["chosen"] = prospect_to_json(*choice.prospect, situation);
  if (choice.prospect) {
    json["trust"] = choice.kept.fresh;
    json["kept"] = choice.kept.all;
  }
  if (choice.look) json["look"] = {{"gain", choice.look->gain}, {"price", choice.look->price}};
  if (decision.outlook) json["outlook"] = outlook_to_json(*decision.outlook, decision, situation);
  Json others = Json::array();
  for (const decide::Prospect& other : choice.runners_up) {
    others.push_back(prospect_to_json(other, situation));
  }
  json["runners_up"] = std::move(others);
  return json;
}

}  // namespace cmbo::study
