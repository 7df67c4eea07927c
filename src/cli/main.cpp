// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>

#include "cli/app.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, not a silent death
  cmbo::cli::Terminal terminal(stdout, stderr);
  cmbo::cli::Context context{cmbo::real_file_system(), cmbo::system_clock(), terminal};
  return cmbo::cli::run(argc, argv, context);
}
