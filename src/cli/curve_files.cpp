// SPDX-License-Identifier: Apache-2.0
#include "cli/curve_files.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "cli/progress_bar.h"
#include "cli/text.h"
#include "curves/jsonl_format.h"
#include "curves/reader.h"
#include "space/yaml.h"

namespace cmbo::cli {

using curves::CurveSet;
using curves::Task;

namespace {

Result<curves::ReadOptions> read_options(const InputOptions& input, Context& context) {
  curves::ReadOptions options;
  options.format = *curves::format_from_name(input.format);
  options.goal = curves::goal_from_name(input.goal);
  options.metric = input.metric;
  if (!input.space.empty()) {
    CMBO_TRY(const std::string text, read_file(context.files, input.space, space::kMaxYamlBytes));
    auto parsed = space::Space::from_yaml(text);
    if (!parsed.ok()) return parsed.error().within(input.space);
    options.space = std::move(parsed).value();
  }
  return options;
}

Status keep_tasks(CurveSet& set, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  for (const std::string& name : names) {
    if (set.find(name) == nullptr) {
      return Error(fmt::format("there is no task '{}'; there are:{}", name, known_tasks(set)));
    }
  }
  std::erase_if(set.tasks, [&](const Task& task) {
    return std::find(names.begin(), names.end(), task.name()) == names.end();
  });
  return {};
}

// A task's name as a file name: nothing that could leave the directory or upset a shell.
std::string file_name_of(const Task& task) {
  std::string name = task.name();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; },
      '_');
  if (name.starts_with('.')) name[0] = '_';
  constexpr size_t kLongest = 200;
  name.resize(std::min(name.size(), kLongest));
  return name + ".jsonl";
}

Result<Task> every_second(const Task& task, size_t first) {
  CMBO_TRY(Task half, Task::create(task.header()));
  for (size_t n = first; n < task.size(); n += 2) {
    CMBO_RETURN_IF_ERROR(half.add(task.configuration(n), task.curve(n)));
  }
  if (half.size() > 0) return half;
  return Error(
      fmt::format("task '{}' has too few configurations to take every second one", task.name()));
}

}  // namespace

void InputOptions::add_to(CLI::App& command, const char* path_name) {
  CLI::Option* option = command.add_option(
      path_name, path, "a file of learning curves, or a directory of such files");
  if (path_name[0] != '-') option->required();
  command.add_option("--format", format, "how the files are written")
      ->check(CLI::IsMember({"auto", "jsonl", "lcbench", "taskset", "pd1", "csv"}))
      ->capture_default_str();
  command.add_option("--goal", goal, "csv: which values are better")
      ->check(CLI::IsMember({"maximize", "minimize"}));
  command.add_option("--metric", metric, "csv: what the values are called")->capture_default_str();
  command.add_option("--space", space,
                     "csv: YAML or JSON file of the parameters (else inferred from the values)");
  command.add_option("--tasks", tasks, "only these tasks, separated by commas")->delimiter(',');
  command
      .add_option("--configurations", configurations,
                  "all, or every second one of each task: half to train on, half to judge on")
      ->check(CLI::IsMember({"all", "even", "odd"}))
      ->capture_default_str();
}

std::string known_tasks(const CurveSet& set) {
  std::string names;
  for (const Task& task : set.tasks) names += "\n  " + task.name();
  return names;
}

std::string configuration_text(const space::Space& space, const space::Configuration& values) {
  std::string text;
  for (size_t i = 0; i < space.size(); ++i) {
    if (!values.is_active(i)) continue;
    const Json value = space.parameters()[i].value_to_json(values[i]);
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", space.parameters()[i].name,
                        value.is_number_float() ? fmt::format("{:.3g}", value.get<double>())
                        : value.is_string()     ? value.get<std::string>()
                                                : value.dump());
  }
  return text;
}

size_t count_curves(const CurveSet& set) {
  size_t count = 0;
  for (const Task& task : set.tasks) count += task.size();
  return count;
}

Result<CurveSet> read_input(const InputOptions& input, Context& context) {
  CMBO_TRY(curves::ReadOptions options, read_options(input, context));
  ProgressBar bar(context.terminal, context.clock, "reading " + input.path);
  options.progress = [&](uint64_t done, uint64_t total) { bar.update(done, total); };
  CMBO_TRY(CurveSet set, curves::read_curves(context.files, input.path, options));
  CMBO_RETURN_IF_ERROR(keep_tasks(set, input.tasks));
  if (input.configurations != "all") {
    for (Task& task : set.tasks) {
      CMBO_TRY(task, every_second(task, input.configurations == "odd" ? 1 : 0));
    }
  }
  return set;
}

Status write_set(const CurveSet& set, const Path& directory, bool overwrite, Context& context) {
  std::vector<Path> paths;
  for (const Task& task : set.tasks) {
    const Path path = directory / file_name_of(task);
    if (std::find(paths.begin(), paths.end(), path) != paths.end()) {
      return Error(
          fmt::format("{}: two tasks would get this file name; rename one of them", path.string()));
    }
    if (!overwrite && context.files.exists(path)) {
      return Error(fmt::format("{}: exists already; choose another --out or add --overwrite",
                               path.string()));
    }
    paths.push_back(path);
  }
  CMBO_RETURN_IF_ERROR(context.files.create_directories(directory));
  ProgressBar bar(context.terminal, context.clock, "writing " + directory.string());
  for (size_t i = 0; i < paths.size(); ++i) {
    Status written = context.files.write_atomically(paths[i], curves::task_to_jsonl(set.tasks[i]));
    if (!written.ok()) {
      for (size_t j = 0; j < i; ++j) (void)context.files.remove(paths[j]);
      return written;
    }
    bar.update(i + 1, paths.size());
  }
  return {};
}

void report_written(const CurveSet& set, const std::string& directory, bool json,
                    Context& context) {
  if (json) {
    Json names = Json::array();
    for (const Task& task : set.tasks) names.push_back(task.name());
    const Json report = {{"out", directory}, {"curves", count_curves(set)}, {"tasks", names}};
    context.terminal.print(report.dump(2) + "\n");
    return;
  }
  context.terminal.print(fmt::format("{}: {}, {}\n", directory, plural(set.tasks.size(), "task"),
                                     plural(count_curves(set), "curve")));
}

}  // namespace cmbo::cli
