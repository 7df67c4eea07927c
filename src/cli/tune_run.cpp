// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"
#include "cli/interrupt.h"
#include "cli/study_policy.h"
#include "cli/study_summary.h"
#include "cli/text.h"
#include "cli/tune_view.h"

namespace cmbo::cli {

namespace {

constexpr double kSecondsBetweenLooks = 0.25;
constexpr double kSecondsBetweenScreens = 0.1;

// With the time in front; further lines, as of a script's complaints, are indented.
std::string timed_lines(double seconds, const std::string& text) {
  std::string all = fmt::format("{:>7}  ", duration_text(seconds));
  const std::string indent(all.size(), ' ');
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    all += (begin == 0 ? "" : indent) + clean_text(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return all;
}

class Watcher {
 public:
  Watcher(StudyDrive& drive, const StudyPaths& paths, Watching watching, Context& context)
      : drive_(drive),
        paths_(paths),
        context_(context),
        quiet_(watching == Watching::kQuiet),
        screen_(!quiet_ && context.terminal.out_is_terminal()) {}

  Result<std::optional<std::string>> run() {
    const InterruptGuard guard;
    std::optional<std::string> reason;
    show("running");
    while (!reason && !guard.interrupted()) {
      CMBO_TRY(reason, drive_.advance(kSecondsBetweenLooks));
      show(std::string(study::state_name(drive_.study().facts().study().state)));
    }
    if (!reason) {
      show("freezing; Ctrl-C again ends at once");
      CMBO_RETURN_IF_ERROR(drive_.freeze());
      show("frozen");
    }
    const study::Study& study = drive_.study();
    CMBO_RETURN_IF_ERROR(write_summary(study.file(), study.facts(), paths_, context_.files));
    return reason;
  }

 private:
  void show(const std::string& status) {
    for (const Note& note : drive_.take_notes()) tell(note);
    if (!screen_) {
      context_.terminal.finish();
      return;
    }
    const double now = context_.clock.monotonic_seconds();
    if (status == status_ && now < drawn_at_ + kSecondsBetweenScreens) return;
    status_ = status;
    drawn_at_ = now;
    draw();
  }

  void draw() {
    const study::Study& study = drive_.study();
    const size_t height = context_.terminal.measure_height();
    const TuneView view{study.file(),         study.facts(), study.last_decision(),
                        paths_.file.string(), status_,       last_warning_};
    context_.terminal.show_block(tune_screen(
        view, {context_.terminal.out_width() - 1, height, context_.terminal.has_colours()}));
  }

  void tell(const Note& note) {
    const bool warning = note.kind == Note::Kind::kWarning;
    if (screen_) {
      if (warning) last_warning_ = note.text;
    } else if (!quiet_) {
      const double elapsed = drive_.study().facts().study().wall_seconds;
      context_.terminal.print(timed_lines(elapsed, note.text));
    } else if (warning) {
      context_.terminal.complain(note.text);
    }
  }

  StudyDrive& drive_;
  const StudyPaths& paths_;
  Context& context_;
  bool quiet_;
  bool screen_;
  std::string last_warning_;
  std::string status_;  // on the screen
  double drawn_at_ = 0.0;
};

}  // namespace

Result<std::optional<OpenedStudy>> open_for_driving(const std::string& argument, Context& context) {
  const StudyPaths paths = study_paths(argument, context.files);
  CMBO_TRY(Definition definition, read_definition(paths, context.files));
  CMBO_TRY(auto policy,
           policy_of_study(definition.file, paths, std::make_shared<ThreadPool>(), context));
  CMBO_RETURN_IF_ERROR(context.files.create_directories(paths.directory));
  auto storage = storage::SqliteStorage::open(paths.database());
  if (!storage.ok()) {
    const std::optional<Driver> driver = driver_of(paths);
    if (!driver) return storage.error();
    context.terminal.complain(
        fmt::format("{}: {} runs this study already; wait for it, or end it with 'cmbo stop {}'",
                    paths.file.string(), driver_text(*driver), paths.file.string()));
    return std::optional<OpenedStudy>();
  }
  return std::optional(
      OpenedStudy{paths, std::move(definition), std::move(policy), std::move(storage).value()});
}

Result<std::optional<std::string>> watch(StudyDrive& drive, const StudyPaths& paths,
                                         Watching watching, Context& context) {
  return Watcher(drive, paths, watching, context).run();
}

}  // namespace cmbo::cli
