// SPDX-License-Identifier: Apache-2.0
//
// Our own format: JSON lines, one file for each task. The first line is the header,
//
//   {"task":"mnist","metric":"val_acc","goal":"maximize","fidelity":"epoch","first_epoch":0,
//    "last_epoch":50,"range":[0,1],"parameters":{"lr":{"type":"float","low":1e-5,"high":0.1,
//    "log":true}}}
//
// every other line a configuration with its values from first_epoch on; null = not finite:
//
//   {"config":{"lr":0.01},"curve":[0.1,0.72,null]}
//
// `fidelity` and `range` (an open end is null) may be left out; further keys of the header are kept
// as notes. A parameter that some configuration lacks without a stated condition is optional.
#pragma once

#include <string>

#include "curves/formats.h"
#include "curves/task.h"

namespace cmbo::curves {

// The file that read_jsonl() reads back as the same task.
std::string task_to_jsonl(const Task& task);

}  // namespace cmbo::curves
