// SPDX-License-Identifier: Apache-2.0
//
// The runner that trains a study's configurations.
#pragma once

#include <memory>

#include "cli/command.h"
#include "cli/study_directory.h"
#include "runner/runner.h"

namespace cmbo::cli {

runner::ReportRules report_rules(const study::StudyFile& file);

// An error, which names the study file, if its command makes no sense.
Result<std::unique_ptr<runner::Runner>> make_runner(const study::StudyFile& file,
                                                    const StudyPaths& paths, Context& context);

}  // namespace cmbo::cli
