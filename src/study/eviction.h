// SPDX-License-Identifier: Apache-2.0
//
// Which checkpoints go when the disk quota is exceeded. A pure function.
//
// What is finished without being the best goes first (nobody will thaw it), then what is least
// likely to be thawed: the smallest expected gain of utility, and among equals the worst best
// value, the larger file. Never one that runs, never the `keep_best` best. A frozen trial whose
// checkpoint is evicted is dropped: its observations stay, but it is not trained again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::study {

struct Eviction {
  uint32_t trial = 0;
  uint64_t bytes = 0;
};

struct EvictionPlan {
  uint64_t used = 0;                     // bytes of all checkpoints now
  uint64_t quota = 0;                    // bytes
  std::vector<Eviction> evictions = {};  // in their order; empty if the quota holds
  bool enough = true;                    // false: even without all of these the quota is exceeded
};

// `gains`: of each trial, the expected gain of utility by going on; 0 where it has none.
EvictionPlan plan_evictions(const StudyFile& file, const Facts& facts,
                            std::span<const double> gains, uint64_t quota);

}  // namespace cmbo::study
