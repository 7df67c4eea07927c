// SPDX-License-Identifier: Apache-2.0
#include "study/receipt.h"

#include <cmath>
#include <utility>

namespace cmbo::study {

namespace {

constexpr size_t kMostRejected = 5;
constexpr double kSmallestFactor = 1e-4;  // below it, for free
constexpr double kFactorPrecision = 1.01;

class ReceiptMaker {
 public:
  ReceiptMaker(const StudyFile& file, const Facts& facts, const PolicyFactory& factory)
      : file_(file), facts_(facts), factory_(factory) {}

  Result<Receipt> make() {
    CMBO_TRY(pool_, encode_pool(file_, facts_));
    CMBO_TRY(const Situation situation, situation_of(file_, facts_, pool_));
    CMBO_TRY(const decide::Decision decision,
             deliberate(file_, facts_, pool_, situation, factory_));
    Receipt receipt;
    receipt.reason = facts_.study().reason;
    receipt.standing = standing_of(file_, facts_);
    receipt.utility = decision.utility;
    receipt.utility_text = utility_text(file_.utility, file_.metric);
    receipt.scale = situation.scale.how;
    receipt.rejected = rejected(decision.choice, situation);
    if (decision.by_rule) {
      CMBO_TRY(receipt.price_factor, find_factor());
    }
    if (receipt.price_factor) {
      receipt.price_text = utility_text(file_.utility, file_.metric, *receipt.price_factor);
    }
    return receipt;
  }

 private:
  std::vector<Rejected> rejected(const decide::Choice& choice, const Situation& situation) const {
    std::vector<Rejected> all;
    if (!choice.prospect) return all;
    std::vector<decide::Prospect> prospects = {*choice.prospect};
    prospects.insert(prospects.end(), choice.runners_up.begin(), choice.runners_up.end());
    const decide::Budget budget = situation.budget();
    for (const decide::Prospect& prospect : prospects) {
      if (all.size() == kMostRejected) break;
      Rejected entry{.trial = prospect.configuration,
                     .from = facts_.steps(prospect.configuration),
                     .epochs = prospect.horizon + 1,
                     .gain = prospect.acquisition};
      entry.cost = entry.epochs * budget.epoch_cost(entry.trial);
      if (prospect.final_median) {
        entry.final_forecast =
            situation.scale.normalization.invert(static_cast<double>(*prospect.final_median));
      }
      all.push_back(entry);
    }
    return all;
  }

  Result<bool> goes_on(double factor) const {
    CMBO_TRY(const Situation situation, situation_of(file_, facts_, pool_, factor));
    CMBO_TRY(const decide::Decision decision,
             deliberate(file_, facts_, pool_, situation, factory_));
    return !decision.stop;
  }

  // Halves the price until it would go on, then closes in on where that begins.
  Result<std::optional<double>> find_factor() const {
    double on = 1.0, off = 1.0;
    for (bool found = false; !found;) {
      off = std::exchange(on, on < kSmallestFactor ? 0.0 : on / 4.0);
      CMBO_TRY(found, goes_on(on));
      if (!found && on == 0.0) return std::optional<double>();
    }
    while (on > 0.0 && off / on > kFactorPrecision) {
      const double middle = std::sqrt(on * off);
      CMBO_TRY(const bool found, goes_on(middle));
      (found ? on : off) = middle;
    }
    return std::optional<double>(on);
  }

  const StudyFile& file_;
  const Facts& facts_;
  const PolicyFactory& factory_;
  curves::CurveTable pool_;
};

Json rejected_to_json(const Rejected& entry, const Facts& facts) {
  Json json = {{"trial", entry.trial}, {"parameters", facts.trials()[entry.trial].parameters},
               {"from", entry.from},   {"epochs", entry.epochs},
               {"gain", entry.gain},   {"cost", entry.cost}};
  if (entry.final_forecast) json["final_forecast"] = *entry.final_forecast;
  return json;
}

Json best_to_json(const Standing& standing, const Facts& facts) {
  if (!standing.best_trial) return nullptr;
  const Trial& trial = facts.trials()[*standing.best_trial];
  return {{"trial", trial.number},
          {"step", standing.best_step},
          {"value", standing.best_value},
          {"parameters", trial.parameters}};
}

}  // namespace

Result<Receipt> make_receipt(const StudyFile& file, const Facts& facts,
                             const PolicyFactory& factory) {
  return ReceiptMaker(file, facts, factory).make();
}

Json receipt_to_json(const Receipt& receipt, const StudyFile& file, const Facts& facts) {
  Json rejected = Json::array();
  for (const Rejected& entry : receipt.rejected) rejected.push_back(rejected_to_json(entry, facts));
  Json json = {{"reason", receipt.reason},
               {"metric", file.metric.name},
               {"goal", curves::goal_name(file.metric.goal)},
               {"best", best_to_json(receipt.standing, facts)},
               {"utility", receipt.utility},
               {"utility_text", receipt.utility_text},
               {"scale", receipt.scale},
               {"cost", receipt.standing.cost},
               {"cost_unit", cost_unit_name(file.utility.unit)},
               {"epochs", receipt.standing.epochs},
               {"train_seconds", receipt.standing.train_seconds},
               {"wall_seconds", receipt.standing.wall_seconds},
               {"rejected", std::move(rejected)}};
  json["would_go_on"] = nullptr;
  if (receipt.price_factor) {
    json["would_go_on"] = {{"price_factor", *receipt.price_factor}, {"text", receipt.price_text}};
    if (file.utility.kind == UtilitySpec::Kind::kAlpha) {
      json["would_go_on"]["alpha"] = file.utility.stated_alpha() * *receipt.price_factor;
    }
  }
  return json;
}

}  // namespace cmbo::study
