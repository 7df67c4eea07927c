// SPDX-License-Identifier: Apache-2.0
//
// The receipt of a study for a person: why it stopped, what was reached and spent, what was
// rejected.
#pragma once

#include <string>

#include "cli/study_directory.h"
#include "study/receipt.h"

namespace cmbo::cli {

// With the paths, in at most `width` columns.
std::string receipt_text(const study::Receipt& receipt, const study::StudyFile& file,
                         const study::Facts& facts, const StudyPaths& paths, size_t width);

}  // namespace cmbo::cli
