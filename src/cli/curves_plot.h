// SPDX-License-Identifier: Apache-2.0
//
// A picture of all learning curves of a task.
#pragma once

#include <string>

#include "chart/axis.h"
#include "curves/task.h"

namespace cmbo::cli {

// The axis of the metric. It leaves out the worst few percent of the values if they would flatten
// the rest.
chart::Axis value_axis(const curves::Task& task);

// All curves as thin lines, the `highlighted` best ones (by their last value) in colour and named
// in the legend by their configuration; crosses where curves diverge. The subtitle says how many
// curves leave the picture.
std::string curves_svg(const curves::Task& task, size_t highlighted);

}  // namespace cmbo::cli
