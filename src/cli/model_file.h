// SPDX-License-Identifier: Apache-2.0
//
// Model files on the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "curves/curve_table.h"
#include "network/model.h"

namespace cmbo::cli {

Result<network::Model> read_model(const std::string& path, Context& context);

// Whether the model takes configurations as large as those of the task.
Status check_fits(const network::Model& model, const std::string& task,
                  const curves::CurveTable& table);

// The tasks that a model's card names; one without any has seen none.
std::vector<std::string> trained_on(const network::Model& model);

}  // namespace cmbo::cli
