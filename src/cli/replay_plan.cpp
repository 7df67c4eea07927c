// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/hash.h"
#include "cli/model_file.h"
#include "cli/text.h"
#include "curves/mixup.h"
#include "curves/normalization.h"
#include "curves/splits.h"

namespace cmbo::cli {

namespace {

using curves::CurveSet;
using curves::CurveTable;
using Names = std::vector<std::string>;

constexpr size_t kQuickTasks = 3;

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string hash_text(const Fnv1a& hash) {
  return fmt::format("{:016x}", hash.value());
}

std::string hash_of(std::span<const CurveTable* const> tables) {
  Fnv1a hash;
  for (const CurveTable* table : tables) {
    hash.add(bytes_of(table->x));
    hash.add(bytes_of(table->y));
    hash.add(fmt::format("{} {}", table->horizon, table->initial));
  }
  return hash_text(hash);
}

template <typename T>
Status check_once(const std::vector<T>& items, const char* option) {
  const std::set<T> distinct(items.begin(), items.end());
  if (distinct.size() == items.size()) return {};
  return Error(fmt::format("{} {}: the same twice; name each once", option, fmt::join(items, ",")));
}

class Planner {
 public:
  Planner(const ReplayOptions& options, Context& context) : options_(options), context_(context) {}

  Result<ReplayPlan> plan() {
    CMBO_RETURN_IF_ERROR(check_options());
    InputOptions everything = options_.input;
    everything.tasks.clear();
    CMBO_TRY(set_, read_input(everything, context_));
    Path path = Path(options_.input.path).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    const bool is_file = !context_.files.is_directory(path);
    plan_.benchmark = (is_file ? path.stem() : path.filename()).string();
    CMBO_RETURN_IF_ERROR(load_models());
    CMBO_RETURN_IF_ERROR(choose_training());
    CMBO_TRY(Names names, chosen_tasks());
    if (options_.quick) names.resize(std::min(names.size(), kQuickTasks));
    for (const std::string& name : names) CMBO_RETURN_IF_ERROR(add_task(name));
    for (const double alpha : options_.alphas) add_jobs(alpha);
    return std::move(plan_);
  }

 private:
  Status check_options() {
    CMBO_RETURN_IF_ERROR(check_once(options_.methods, "--method"));
    CMBO_RETURN_IF_ERROR(check_once(options_.alphas, "--alpha"));
    for (const double alpha : options_.alphas) {
      const auto utility = decide::Utility::linear(alpha);
      if (!utility.ok()) return utility.error().within("--alpha");
    }
    for (const std::string& name : options_.methods) {
      methods_.push_back(replay::find_method(name));
      needs_training_ |= methods_.back()->needs_training;
      needs_prior_model_ |= methods_.back()->needs_prior_model;
      if (!methods_.back()->needs_model || !options_.models.empty()) continue;
      return Error(
          fmt::format("{} needs a model; give --model, or other methods by --method", name));
    }
    return {};
  }

  Result<std::unique_ptr<const LoadedModel>> load_model(const std::string& path) {
    CMBO_TRY(network::Model model, read_model(path, context_));
    Fnv1a hash;
    hash.add(network::model_to_bytes(model));
    Names names = trained_on(model);
    return std::make_unique<const LoadedModel>(
        LoadedModel{std::move(model), std::move(names), hash_text(hash)});
  }

  Status load_models() {
    for (const std::string& path : options_.models) {
      CMBO_TRY(auto model, load_model(path));
      plan_.models.push_back(std::move(model));
    }
    if (!needs_prior_model_) return {};
    auto prior = load_model(options_.prior_model);
    if (!prior.ok()) return prior.error().within("--prior-model");
    plan_.prior_model = std::move(*prior);
    if (plan_.prior_model->trained_on.empty()) return {};
    return Error(
        fmt::format("--prior-model {}: it was trained on recorded tasks; give one of "
                    "`cmbo train --prior 1`",
                    options_.prior_model));
  }

  // The training tasks that do not depend on a model.
  Status choose_training() {
    training_ = options_.train_tasks;
    for (const std::string& name : training_) CMBO_RETURN_IF_ERROR(check_known(name));
    if (options_.split.empty()) return {};
    for (const std::string_view name : curves::find_split(options_.split)->train) {
      if (set_.find(name) != nullptr) training_.emplace_back(name);
    }
    if (!training_.empty()) return {};
    return Error(
        fmt::format("--split {}: the data hold none of its training tasks; use other "
                    "data or --train-tasks",
                    options_.split));
  }

  Status check_known(const std::string& name) const {
    if (set_.find(name) != nullptr) return {};
    return Error(fmt::format("there is no task '{}'; there are:{}", name, known_tasks(set_)));
  }

  Result<Names> chosen_tasks() const {
    Names names;
    for (const std::string& name : options_.input.tasks) {
      CMBO_RETURN_IF_ERROR(check_known(name));
      if (!contains(names, name)) names.push_back(name);
    }
    if (!names.empty()) return names;
    for (const curves::Task& task : set_.tasks) {
      if (!contains(training_, task.name())) names.push_back(task.name());
    }
    if (names.empty()) return Error("no task is left to replay; name fewer to train on");
    return names;
  }

  Result<const CurveTable*> table_of(const std::string& name) {
    const auto known = plan_.tables.find(name);
    if (known != plan_.tables.end()) return &known->second;
    const curves::Task& task = *set_.find(name);
    CMBO_TRY(const curves::Normalization normalization, curves::normalization_of(task));
    CurveTable table = curves::to_table(task, normalization);
    if (table.size() == 0) {
      return Error(fmt::format("'{}' has no curves; leave it out by --tasks", name));
    }
    for (size_t n = 0; n < table.size(); ++n) {
      if (table.lengths[n] == table.horizon) continue;
      return Error(
          fmt::format("'{}': curve {} ends at epoch {} of {}; a replay needs curves to the last "
                      "epoch, so remove it from the data or the task by --tasks",
                      name, n + 1, table.lengths[n], table.horizon));
    }
    return &plan_.tables.emplace(name, std::move(table)).first->second;
  }

  Status add_task(const std::string& name) {
    ReplayTask task{.name = name};
    CMBO_TRY(task.table, table_of(name));
    CMBO_TRY(task.model, model_for(task));
    task.prior_model = plan_.prior_model.get();
    if (task.prior_model != nullptr) {
      CMBO_RETURN_IF_ERROR(check_fits(task.prior_model->model, name, *task.table));
    }
    if (needs_training_) CMBO_RETURN_IF_ERROR(add_training(task));
    task.hash = hash_of(std::vector<const CurveTable*>{task.table});
    task.training_hash = hash_of(task.training_tables);
    plan_.tasks.push_back(std::make_unique<const ReplayTask>(std::move(task)));
    return {};
  }

  // The first that has not seen the task; nullptr if there are no models at all.
  Result<const LoadedModel*> model_for(const ReplayTask& task) const {
    for (const auto& model : plan_.models) {
      if (contains(model->trained_on, task.name)) continue;
      CMBO_RETURN_IF_ERROR(check_fits(model->model, task.name, *task.table));
      return model.get();
    }
    if (plan_.models.empty()) return nullptr;
    return Error(
        fmt::format("{} trained on '{}'; choose others by --tasks, or add a --model that "
                    "was not",
                    plan_.models.size() == 1 ? "the model was" : "all models were", task.name));
  }

  Names training_names(const ReplayTask& task) const {
    if (!training_.empty() || task.model == nullptr) return training_;
    Names names = task.model->trained_on;
    std::erase_if(names, [&](const std::string& name) { return set_.find(name) == nullptr; });
    return names;
  }

  Status add_training(ReplayTask& task) {
    const Names names = training_names(task);
    if (names.empty()) {
      return Error(
          fmt::format("no task to rank the configurations of '{}' by; give --train-tasks, "
                      "--split, or a --model that was trained on tasks of the data",
                      task.name));
    }
    for (const std::string& name : names) {
      if (name == task.name) {
        return Error(
            fmt::format("'{}' cannot be trained on and replayed; take it from --tasks or "
                        "from --train-tasks",
                        name));
      }
      CMBO_TRY(const CurveTable* table, table_of(name));
      if (!curves::share_configurations(*table, *task.table)) {
        return Error(
            fmt::format("'{}' and '{}' do not have the same configurations in the same "
                        "order, so one cannot rank those of the other; leave out "
                        "--method ranking",
                        name, task.name));
      }
      task.training_tables.push_back(table);
    }
    return {};
  }

  // All that decides a run, apart from what the key names itself.
  Json conditions(const ReplayTask& task, const replay::Method& method) const {
    const decide::StoppingRule& stopping = options_.stopping;
    Json json = {{"budget", options_.budget},
                 {"stop", stopping.enabled},
                 {"rule", options_.rule},
                 {"beta", stopping.beta},
                 {"data", task.hash}};
    if (method.needs_model) {
      json["model"] = task.model->hash;
      json["acquisition"] = options_.acquisition;
      json["commitment"] = options_.commitment;
      json["patience"] = options_.patience;
      json["depth"] = options_.depth;
      json["hindsight"] = options_.hindsight;
      json["samples"] = options_.samples;
    }
    if (method.needs_model || method.needs_prior_model) json["curves"] = options_.curves;
    if (method.needs_prior_model) json["prior_model"] = task.prior_model->hash;
    if (method.needs_training) json["training"] = task.training_hash;
    return json;
  }

  void add_jobs(double alpha) {
    for (const auto& task : plan_.tasks) {
      for (const replay::Method* method : methods_) {
        const Json given = conditions(*task, *method);
        const size_t seeds = method->draws && !options_.quick ? options_.seeds : 1;
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
          plan_.jobs.push_back(
              {{plan_.benchmark, task->name, std::string(method->name), alpha, seed, given},
               task.get(),
               method});
        }
      }
    }
  }

  const ReplayOptions& options_;
  Context& context_;
  CurveSet set_;
  Names training_;
  std::vector<const replay::Method*> methods_;
  bool needs_training_ = false, needs_prior_model_ = false;
  ReplayPlan plan_;
};

}  // namespace

Result<ReplayPlan> plan_replay(const ReplayOptions& options, Context& context) {
  return Planner(options, context).plan();
}

}  // namespace cmbo::cli
