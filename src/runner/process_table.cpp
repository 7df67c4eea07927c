// SPDX-License-Identifier: Apache-2.0
#include "runner/process_table.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/clock.h"

namespace cmbo::runner {

namespace {

constexpr auto kLeftoverTick = std::chrono::milliseconds(10);
constexpr double kAfterKillSeconds = 5;

std::vector<pid_t> all_processes() {
  std::vector<pid_t> found;
  std::error_code code;
  std::filesystem::directory_iterator entry("/proc", code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size()) found.push_back(pid);
  }
  return found;
}

// Empty if it cannot be read: the process is over, or somebody else's.
std::string read_proc_file(pid_t pid, std::string_view name) {
  std::ifstream file(fmt::format("/proc/{}/{}", pid, name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct ProcessState {
  char state = 'X';  // Z = zombie
  pid_t group = 0;
};

// From "pid (name) state parent group ...", where the name may hold anything.
std::optional<ProcessState> state_of(pid_t pid) {
  const std::string text = read_proc_file(pid, "stat");
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  ProcessState found;
  int parent = 0;
  // NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers
  if (std::sscanf(text.c_str() + name_end + 1, " %c %d %d", &found.state, &parent, &found.group) !=
      3) {
    return std::nullopt;
  }
  return found;
}

bool is_alive(const ProcessState& process) {
  return process.state != 'Z' && process.state != 'X';
}

// Whether the process reports to a file below `trials`, which ends with a slash.
bool reports_below(pid_t pid, const std::string& trials) {
  const std::string environment = std::string(1, '\0') + read_proc_file(pid, "environ");
  const std::string wanted = std::string("\0CMBO_REPORT=", 13) + trials;
  return environment.find(wanted) != std::string::npos;
}

// As system calls: the C library's header forgets to say that these are C functions.
int open_handle(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

bool signal_by_handle(int handle, int number) {
  return ::syscall(SYS_pidfd_send_signal, handle, number, nullptr, 0) == 0;
}

// Sends it to all leftovers and returns how many there are. The handle is taken before the process
// is looked at, so the signal cannot reach one that got its number meanwhile.
size_t signal_leftovers(const std::string& trials, int number) {
  size_t count = 0;
  for (const pid_t pid : all_processes()) {
    const int handle = pid == ::getpid() ? -1 : open_handle(pid);
    if (handle < 0) continue;
    if (reports_below(pid, trials) && signal_by_handle(handle, number)) ++count;
    ::close(handle);
  }
  return count;
}

// Whether none is left before `seconds` are over.
bool leftovers_end_within(const std::string& trials, double seconds) {
  const double begin = system_clock().monotonic_seconds();
  while (signal_leftovers(trials, 0) > 0) {
    if (system_clock().monotonic_seconds() - begin >= seconds) return false;
    std::this_thread::sleep_for(kLeftoverTick);
  }
  return true;
}

}  // namespace

bool group_is_alive(pid_t group) {
  for (const pid_t pid : all_processes()) {
    const auto process = state_of(pid);
    if (process && process->group == group && is_alive(*process)) return true;
  }
  return false;
}

Result<size_t> end_leftovers(const Path& trials, double grace_seconds) {
  const std::string below = (std::filesystem::absolute(trials).lexically_normal() / "").string();
  const size_t count = signal_leftovers(below, SIGTERM);
  if (count == 0 || leftovers_end_within(below, grace_seconds)) return count;
  signal_leftovers(below, SIGKILL);
  if (leftovers_end_within(below, kAfterKillSeconds)) return count;
  return Error(
      fmt::format("{}: a training of an earlier run does not end; look for it with: "
                  "grep -al CMBO_REPORT={} /proc/[0-9]*/environ",
                  trials.string(), below));
}

}  // namespace cmbo::runner
