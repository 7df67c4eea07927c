// SPDX-License-Identifier: Apache-2.0
//
// A study as tables for spreadsheets: one row for each trial that was trained, and one for each
// epoch.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"
#include "cli/study_directory.h"
#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::cli {

// trial,state,origin,steps,best,best_step,last,seconds,checkpoint_bytes,note,<parameters...>
std::string trials_csv(const study::StudyFile& file, const study::Facts& facts);
// trial,step,value,seconds,slice, in the order of recording; nan = diverged
std::string epochs_csv(const study::Facts& facts);

// Both into the study's directory.
Status write_summary(const study::StudyFile& file, const study::Facts& facts,
                     const StudyPaths& paths, FileSystem& files);

}  // namespace cmbo::cli
