// SPDX-License-Identifier: Apache-2.0
//
// The pool refined around the best: as a study goes on, configurations near the best ones join it.
//
// Round k = 0 .. kMostRefinements - 1 is due once kFirstRefinement 2^k trials were trained: the
// best of a few are not worth a closer look. Each adds a kRefinedShare-th of the pool, at most
// kMostRefinedAtOnce, so that decisions stay quick: steps away from the kRefinedAround best trials
// (space/neighbour.h), the better a trial the more often, in each round narrower by sqrt(2). A pure
// function of the facts: after a crash, the same again.
#pragma once

#include <cstdint>
#include <vector>

#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::study {

inline constexpr size_t kFirstRefinement = 16;  // trained trials
inline constexpr size_t kMostRefinements = 4;
inline constexpr size_t kRefinedShare = 32;
inline constexpr size_t kMostRefinedAtOnce = 32;
inline constexpr size_t kRefinedAround = 4;

// The trials to add now, none of them known already; usually none. Nothing without `refine`, and
// where no new configuration is found nearby. The stored configurations fit the space.
std::vector<Trial> refinement(const StudyFile& file, const Facts& facts);

}  // namespace cmbo::study
