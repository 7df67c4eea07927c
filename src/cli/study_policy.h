// SPDX-License-Identifier: Apache-2.0
//
// The policy of a study: ours, over the forecasts of a model.
#pragma once

#include <memory>

#include "base/thread_pool.h"
#include "cli/command.h"
#include "cli/study_directory.h"
#include "network/model.h"
#include "study/deliberation.h"

namespace cmbo::cli {

// The model that the study file names, or the one that comes with cmbo: default.safetensors in
// $CMBO_MODELS, else in ../share/cmbo/models beside the program, else in models/ of the project
// that it was built in. An error if it is not there, or takes fewer dimensions than the study has.
Result<std::shared_ptr<const network::Model>> model_of_study(const study::StudyFile& file,
                                                             const StudyPaths& paths,
                                                             Context& context);

// Shares the model and the threads between all decisions.
study::PolicyFactory policy_over(std::shared_ptr<const network::Model> model,
                                 std::shared_ptr<ThreadPool> threads);

}  // namespace cmbo::cli
