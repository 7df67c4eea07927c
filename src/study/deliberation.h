// SPDX-License-Identifier: Apache-2.0
//
// What to do next, as a pure function of the facts: the pool, what was observed (normalized by
// metric_scale.h) and what it cost become a decide::Loop, which decides by the same code as a
// replay. It is built anew for each decision, so that a metric's scale and the costs may change.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "curves/curve_table.h"
#include "decide/budget.h"
#include "decide/loop.h"
#include "decide/policy.h"
#include "decide/utility.h"
#include "study/cost_model.h"
#include "study/facts.h"
#include "study/metric_scale.h"
#include "study/study_file.h"

namespace cmbo::study {

// Makes the policy for one decision; what is dear (a model) is the factory's to keep.
using PolicyFactory = std::function<Result<std::unique_ptr<decide::Policy>>(
    const decide::Utility& utility, const decide::Budget& budget)>;

// Everything that a decision needs and a person may ask about.
struct Situation {
  MetricScale scale;
  CostModel costs;
  decide::Utility utility;
  decide::LoopOptions options;  // budget: limits.cost, or limits.epochs where costs are epochs
  double spent = 0.0;           // in the utility's unit, of what was recorded or has ended
  double pending = 0.0;         // expected of open slices, beyond what they have recorded

  decide::Budget budget() const { return {options.budget, options.epoch_costs}; }
  // Whether the budget allows so many more steps of a trial.
  bool affords(uint32_t trial, uint64_t steps) const;
};

// `pool`: the encoded configurations of the trials (encode_pool).
Result<Situation> situation_of(const StudyFile& file, const Facts& facts,
                               const curves::CurveTable& pool, double price_factor = 1.0);

// The configurations of all trials. An error if a stored one does not fit the space.
Result<curves::CurveTable> encode_pool(const StudyFile& file, const Facts& facts);

// A configuration as trials spell it: equal configurations have equal JSON. For Storage::enqueue().
Result<Json> canonical_parameters(const StudyFile& file, const Json& parameters);

// One more row.
Status add_to_pool(const StudyFile& file, const Trial& trial, curves::CurveTable& pool);

// Whether the trial has neither finished nor ended otherwise nor is running.
bool is_candidate(const StudyFile& file, const Facts& facts, uint32_t trial);

// The loop's decision. Trials that are not open, and those that run, are withheld; what running
// ones are expected to cost counts as spent. The reason to stop is the utility's or the budget's,
// or that nothing is left.
Result<decide::Decision> deliberate(const StudyFile& file, const Facts& facts,
                                    const curves::CurveTable& pool, const Situation& situation,
                                    const PolicyFactory& factory);

// The decision as it is stored; values in the user's units. `outlook` is what is expected until the
// study stops (decide/outlook.h): how many epochs, what they cost, seconds of training, the best
// value in the end and by how much that is better, and how far the utility is then from now.
Json decision_to_json(const decide::Decision& decision, const Situation& situation);

}  // namespace cmbo::study
