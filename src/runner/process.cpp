// SPDX-License-Identifier: Apache-2.0
#include "runner/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "runner/process_table.h"

namespace cmbo::runner {

namespace {

// A file descriptor that is closed at the end of its scope.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number = -1) : number_(number) {}
  ~OwnedDescriptor() { reset(); }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

// What the child needs, made before the fork: between fork and exec it may not allocate.
struct ChildPlan {
  int input = -1, output = -1, errors = -1;
  int failure = -1;  // where to write why it could not be executed; closed by success
  const char* directory = nullptr;
  char* const* words = nullptr;
  char* const* environment = nullptr;
  pid_t parent = 0;
};

struct ChildFailure {
  enum Stage { kSetUp, kDirectory, kExecute } stage;
  int code;
};

[[noreturn]] void fail_in_child(const ChildPlan& plan, ChildFailure::Stage stage) {
  const ChildFailure failure{stage, errno};
  [[maybe_unused]] const ssize_t written = ::write(plan.failure, &failure, sizeof failure);
  ::_exit(127);
}

void reset_signals() {
  // Ignored signals and the mask survive exec; the training must hear these.
  for (const int number : {SIGTERM, SIGINT, SIGPIPE}) std::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent) ::_exit(127);  // it died before we could ask for its signal
  reset_signals();
  if (::dup2(plan.input, 0) < 0 || ::dup2(plan.output, 1) < 0 || ::dup2(plan.errors, 2) < 0) {
    fail_in_child(plan, ChildFailure::kSetUp);
  }
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (plan.directory != nullptr && ::chdir(plan.directory) != 0) {
    fail_in_child(plan, ChildFailure::kDirectory);
  }
  ::execvpe(plan.words[0], plan.words, plan.environment);
  fail_in_child(plan, ChildFailure::kExecute);
}

std::vector<std::string> merged_environment(const Variables& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& variable : added) replaced = replaced || variable.first == name;
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Error start_error(const std::string& what, int code, std::string_view remedy) {
  return Error(fmt::format("{}: {}; {}", what, std::strerror(code), remedy));
}

Status open_log(const Path& path, OwnedDescriptor& log) {
  log.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log.number() >= 0) return {};
  return start_error(path.string() + ": cannot open", errno, "check the study's directory");
}

// The child's stdin, and our end of it if it is a channel. A socket, because writing to one whose
// reader is gone can be asked not to raise SIGPIPE.
Status open_input(bool channel, OwnedDescriptor& theirs, OwnedDescriptor& ours) {
  int pair[2] = {-1, -1};
  if (!channel) {
    pair[0] = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  } else if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    pair[0] = -1;
  }
  if (pair[0] < 0) return start_error("the training's input", errno, "start fewer at a time");
  theirs.reset(pair[0]);
  ours.reset(pair[1]);
  return {};
}

Status explain(const ChildFailure& failure, const ProcessOptions& options) {
  if (failure.stage == ChildFailure::kDirectory) {
    return start_error(options.working_directory.string() + ": cannot be the working directory",
                       failure.code, "name a directory that is there");
  }
  if (failure.stage == ChildFailure::kExecute) {
    return start_error(options.words.front() + ": cannot be executed", failure.code,
                       "check the first word of the command, and PATH");
  }
  return start_error("the training's output", failure.code, "start fewer at a time");
}

// Waits until the child runs its program, or says why it cannot.
Status await_execution(int failure_end, const ProcessOptions& options) {
  ChildFailure failure = {};
  ssize_t got = 0;
  do {
    got = ::read(failure_end, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof failure) return {};
  return explain(failure, options);
}

int wait_for(pid_t pid, int flags, int& status) {
  int got = 0;
  do {
    got = ::waitpid(pid, &status, flags);
  } while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

Result<Process> Process::start(const ProcessOptions& options) {
  CHECK(!options.words.empty(), "a command has words");
  OwnedDescriptor output, errors, input, our_input, failure_read, failure_write;
  CMBO_RETURN_IF_ERROR(open_log(options.stdout_log, output));
  CMBO_RETURN_IF_ERROR(open_log(options.stderr_log, errors));
  CMBO_RETURN_IF_ERROR(open_input(options.with_input, input, our_input));
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return start_error("a pipe", errno, "start fewer at a time");
  failure_read.reset(ends[0]);
  failure_write.reset(ends[1]);

  std::vector<std::string> words = options.words;
  std::vector<std::string> environment = merged_environment(options.environment);
  const std::vector<char*> word_pointers = pointers_to(words);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  ChildPlan plan;
  plan.input = input.number();
  plan.output = output.number();
  plan.errors = errors.number();
  plan.failure = failure_write.number();
  if (!options.working_directory.empty()) plan.directory = options.working_directory.c_str();
  plan.words = word_pointers.data();
  plan.environment = environment_pointers.data();
  plan.parent = ::getpid();

  const pid_t pid = ::fork();
  if (pid < 0) return start_error("a new process", errno, "start fewer at a time");
  if (pid == 0) run_child(plan);
  ::setpgid(pid, pid);  // here too: whoever comes first
  Process process(pid, our_input.release());
  failure_write.reset();
  CMBO_RETURN_IF_ERROR(await_execution(failure_read.number(), options));
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      input_(std::exchange(other.input_, -1)),
      exit_(other.exit_) {}

Process::~Process() {
  close_input();
  if (pid_ == 0) return;
  signal(SIGKILL);
  int status = 0;
  if (!exit_) wait_for(pid_, 0, status);
}

std::optional<Exit> Process::exited() {
  if (exit_) return exit_;
  int status = 0;
  const int got = wait_for(pid_, WNOHANG, status);
  if (got == 0) return std::nullopt;
  exit_ = Exit{};
  if (got < 0) {
    exit_->signal = SIGKILL;  // lost: somebody else has waited for it
  } else if (WIFSIGNALED(status)) {
    exit_->signal = WTERMSIG(status);
  } else {
    exit_->code = WEXITSTATUS(status);
  }
  return exit_;
}

// The number of a group is not given to a new process as long as the group has a member.
bool Process::gone() {
  if (pid_ == 0) return true;
  CHECK(exit_.has_value(), "gone() comes after exited()");
  const bool alive = ::kill(-pid_, 0) == 0 && group_is_alive(pid_);
  if (!alive) pid_ = 0;
  return !alive;
}

void Process::signal(int number) {
  if (pid_ == 0 || (exit_ && gone())) return;
  ::kill(-pid_, number);
}

bool Process::send_line(const std::string& line) {
  const std::string text = line + "\n";
  const ssize_t sent = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent == static_cast<ssize_t>(text.size());
}

void Process::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

}  // namespace cmbo::runner
