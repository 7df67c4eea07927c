// SPDX-License-Identifier: Apache-2.0
//
// The program: parses the command line, runs the chosen command, turns its end into an exit code.
#pragma once

#include "cli/command.h"

namespace cmbo::cli {

// Returns the process's exit code (see ExitCode). Prints through context.terminal only.
int run(int argc, const char* const* argv, Context& context);

}  // namespace cmbo::cli
