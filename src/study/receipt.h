// SPDX-License-Identifier: Apache-2.0
//
// Why a study stopped, for a person to check: stop.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "study/deliberation.h"
#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::study {

// A way to go on that was not worth it.
struct Rejected {
  uint32_t trial = 0;
  uint32_t from = 0;                          // its last step
  uint32_t epochs = 0;                        // of the best horizon
  double gain = 0.0;                          // expected, of the utility
  double cost = 0.0;                          // of these epochs, in the utility's unit
  std::optional<double> final_forecast = {};  // median at the last epoch, in the metric's units
};

struct Receipt {
  std::string reason = {};  // a sentence
  Standing standing = {};
  double utility = 0.0;
  std::string utility_text = {};
  std::string scale = {};               // how the metric was normalized
  std::vector<Rejected> rejected = {};  // best first, at most five; empty if the policy knows none
  // The largest share of the price, below 1, at which the same observations would not have stopped;
  // 0: only for free. Absent if it would have stopped even so, or did not stop by the utility.
  std::optional<double> price_factor = {};
  std::string price_text = {};  // the same in the utility's words; empty if absent
};

// After a stop. `price_factor` is found by bisection (to 1 %): the loop is rebuilt with all prices
// scaled and told the same observations, and the policy is asked again, about ten times.
Result<Receipt> make_receipt(const StudyFile& file, const Facts& facts,
                             const PolicyFactory& factory);

Json receipt_to_json(const Receipt& receipt, const StudyFile& file, const Facts& facts);

}  // namespace cmbo::study
