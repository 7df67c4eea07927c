// SPDX-License-Identifier: Apache-2.0
//
// The policy of a study: ours, over the forecasts of a model, or another of the methods that can be
// replayed.
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

// The method that the study file names. Shares the model, if the method needs one, and the threads
// between all decisions; a method that learns keeps what it has learned. An error if there is no
// such method, if it needs earlier tasks, and where model_of_study() says so.
Result<study::PolicyFactory> policy_of_study(const study::StudyFile& file, const StudyPaths& paths,
                                             std::shared_ptr<ThreadPool> threads, Context& context);

}  // namespace cmbo::cli
