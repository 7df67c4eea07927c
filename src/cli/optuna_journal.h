// SPDX-License-Identifier: Apache-2.0
//
// A study as a journal of Optuna (JournalStorage with JournalFileBackend), so that optuna-dashboard
// and other tools can open it. A journal is JSON lines, each an operation: first one that creates
// the study (0), then one for each trial (4) with everything that is known of it.
//
// Optuna knows no frozen trials. A trial with a finite value is COMPLETE with its best value, so
// that study.best_value is ours; its steps are intermediate values and its state is the user
// attribute `cmbo_state`. Enqueued ones are WAITING, untrained ones of the pool are left out.
#pragma once

#include <string>

#include "cli/study_view.h"

namespace cmbo::cli {

std::string study_to_optuna_journal(const StudyView& view, const std::string& name);

}  // namespace cmbo::cli
