// SPDX-License-Identifier: Apache-2.0
//
// cmbo check
#include <fmt/format.h>

#include "cli/study_policy.h"
#include "cli/study_runner.h"
#include "cli/text.h"
#include "cli/tune_view.h"
#include "runner/resume_run.h"
#include "space/pool.h"
#include "study/study.h"

namespace cmbo::cli {

namespace {

struct CheckOptions {
  std::string study = kStudyFile;
  bool json = false;
};

// The default configuration, or the first of the pool.
Json checked_configuration(const study::StudyFile& file) {
  const auto preferred = file.space.default_configuration();
  return file.space.configuration_to_json(
      preferred ? *preferred : space::sobol_pool(file.space, 1, file.seed).front());
}

// A directory for trainings that nobody needs afterwards.
class CheckDirectory {
 public:
  explicit CheckDirectory(const StudyPaths& paths) : path_(paths.directory / "check") {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ~CheckDirectory() {
    if (kept_) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    std::filesystem::remove(path_.parent_path(), ignored);  // if nothing else is in it
  }
  CheckDirectory(const CheckDirectory&) = delete;
  CheckDirectory& operator=(const CheckDirectory&) = delete;

  void keep() { kept_ = true; }
  const Path& path() const { return path_; }

 private:
  Path path_;
  bool kept_ = false;
};

std::string check_text(const runner::ResumeVerdict& verdict, const CheckDirectory& directory) {
  if (verdict.resumes()) {
    return fmt::format("The script resumes: {}\n", verdict.explanation);
  }
  return fmt::format("The script does not resume as it should: {}\n{}\nIts output is below {}\n",
                     verdict.explanation, verdict.remedy, directory.path().string());
}

Json check_json(const runner::ResumeVerdict& verdict) {
  return {{"resumes", verdict.resumes()},
          {"explanation", verdict.explanation},
          {"remedy", verdict.remedy}};
}

Outcome run_check(const CheckOptions& options, Context& context) {
  const StudyPaths paths = study_paths(options.study, context.files);
  CMBO_TRY(const Definition definition, read_definition(paths, context.files));
  const study::StudyFile& file = definition.file;
  CMBO_RETURN_IF_ERROR(policy_of_study(file, paths, std::make_shared<ThreadPool>(1), context));
  CMBO_TRY(const auto runner, make_runner(file, paths, context));
  const Json parameters = checked_configuration(file);
  if (!options.json) {
    context.terminal.print(
        fmt::format("{} is valid: {}, {}.\nTraining {}: two {}s in one go, and again with a freeze "
                    "between ...\n",
                    paths.file.string(), plural(file.space.size(), "parameter"),
                    plural(file.fidelity.max, file.fidelity.name), parameters_text(parameters),
                    file.fidelity.name));
    context.terminal.finish();
  }
  if (file.fidelity.max < 2) {
    return Error(
        fmt::format("{}: fidelity.max is 1, so nothing can be frozen; there is nothing to "
                    "check",
                    paths.file.string()));
  }
  CheckDirectory directory(paths);
  runner::SliceRequest request{.trial = 0,
                               .params = parameters,
                               .directory = directory.path(),
                               .max_step = file.fidelity.max,
                               .seed = file.seed,
                               .gpu = file.gpus.empty() ? "" : file.gpus.front()};
  if (file.limits.trial_timeout) request.timeout_seconds = *file.limits.trial_timeout;
  CMBO_TRY(const runner::ResumeVerdict verdict, runner::check_resumption(*runner, request));
  if (!verdict.resumes()) directory.keep();
  context.terminal.print(options.json ? check_json(verdict).dump(2) + "\n"
                                      : check_text(verdict, directory));
  return verdict.resumes() ? kOk : kFailed;
}

}  // namespace

void add_check_command(CLI::App& app, Action& chosen) {
  add_command<CheckOptions>(
      app, chosen, "check", "whether a study file makes sense and its script resumes", run_check,
      [](CLI::App& command, CheckOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->capture_default_str();
        command.add_flag("--json", options.json, "print the verdict as JSON");
      });
}

}  // namespace cmbo::cli
