// SPDX-License-Identifier: Apache-2.0
//
// Which tasks a model is trained on and which it is judged on, as in the paper's appendix. A task
// that a model was trained on is never a task that it is judged on.
#pragma once

#include <span>
#include <string_view>

namespace cmbo::curves {

struct Split {
  std::string_view name;
  std::span<const std::string_view> train;
  std::span<const std::string_view> test;
};

// lcbench, taskset and pd1.
std::span<const Split> splits();

// nullptr if there is none of that name.
const Split* find_split(std::string_view name);

}  // namespace cmbo::curves
