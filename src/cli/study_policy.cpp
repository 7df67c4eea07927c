// SPDX-License-Identifier: Apache-2.0
#include "cli/study_policy.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>
#include <vector>

#include "cli/model_file.h"
#include "decide/cmbo_policy.h"
#include "forecast/sampler.h"
#include "replay/methods.h"

namespace cmbo::cli {

namespace {

constexpr const char* kDefaultModel = "default.safetensors";
constexpr const char* kModelsVariable = "CMBO_MODELS";

std::vector<Path> model_directories() {
  if (const char* directory = std::getenv(kModelsVariable)) return {directory};
  std::error_code code;
  const Path program = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
  if (code) return {};
  return {program / "../share/cmbo/models", program / "../../../models"};
}

Result<Path> default_model(FileSystem& files) {
  std::string places;
  for (const Path& directory : model_directories()) {
    const Path path = (directory / kDefaultModel).lexically_normal();
    if (files.exists(path)) return path;
    places += fmt::format("{}{}", places.empty() ? "" : ", ", path.string());
  }
  return Error(
      fmt::format("the model that comes with cmbo is not there (looked for {}); set {} to the "
                  "directory that holds {}, or name a model in the study file: model: PATH",
                  places, kModelsVariable, kDefaultModel));
}

std::string methods_for_studies() {
  std::vector<std::string_view> names;
  for (const replay::Method& method : replay::methods()) {
    if (!method.needs_training) names.push_back(method.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<const replay::Method*> method_of(const std::string& name) {
  const replay::Method* const method = replay::find_method(name);
  if (method == nullptr) {
    return Error(fmt::format("there is no '{}'; choose one of {}", name, methods_for_studies()));
  }
  if (method->needs_training) {
    return Error(
        fmt::format("{} learns from earlier tasks with the same configurations, which a study does "
                    "not have; choose one of {}",
                    name, methods_for_studies()));
  }
  return method;
}

study::PolicyFactory policy_over(std::shared_ptr<const network::Model> model,
                                 std::shared_ptr<ThreadPool> threads) {
  const decide::Extrapolator extrapolator =
      [model = std::move(model), threads = std::move(threads)](
          const curves::CurveTable& history,
          std::span<const uint32_t> asked) -> Result<forecast::Samples> {
    return forecast::sample(*model, history, asked, {}, *threads);
  };
  return [extrapolator](const decide::Utility& utility,
                        const decide::Budget& budget) -> Result<std::unique_ptr<decide::Policy>> {
    return std::unique_ptr<decide::Policy>(std::make_unique<decide::CmboPolicy>(
        extrapolator, decide::CmboOptions{.utility = utility, .budget = budget}));
  };
}

// Whether `table` has the configurations of `pool` and perhaps more.
bool extends(const curves::CurveTable& table, const curves::CurveTable& pool) {
  return table.dimensions == pool.dimensions && table.horizon == pool.horizon &&
         table.x.size() >= pool.x.size() &&
         std::equal(pool.x.begin(), pool.x.end(), table.x.begin());
}

// A method that does not look at the utility, kept from one decision to the next as long as it is
// about the same pool.
class KeptMethod {
 public:
  KeptMethod(const replay::Method& method, uint64_t seed,
             std::shared_ptr<const network::Model> model)
      : method_(method), seed_(seed), model_(std::move(model)) {}

  Result<decide::Choice> choose(const decide::History& history, const decide::Utility& utility) {
    if (!policy_ || !extends(history.curves(), pool_)) {
      pool_ = history.curves();
      utility_ = utility;
      policy_ = method_.make(
          {.pool = pool_, .utility = *utility_, .seed = seed_, .prior_model = model_.get()});
    }
    return policy_->choose(history);
  }

 private:
  const replay::Method& method_;
  uint64_t seed_;
  std::shared_ptr<const network::Model> model_;
  curves::CurveTable pool_;
  std::optional<decide::Utility> utility_;
  std::unique_ptr<decide::Policy> policy_;
};

class KeptMethodPolicy : public decide::Policy {
 public:
  KeptMethodPolicy(std::shared_ptr<KeptMethod> method, decide::Utility utility)
      : method_(std::move(method)), utility_(std::move(utility)) {}

  Result<decide::Choice> choose(const decide::History& history) override {
    return method_->choose(history, utility_);
  }

 private:
  std::shared_ptr<KeptMethod> method_;
  decide::Utility utility_;
};

study::PolicyFactory policy_of_method(std::shared_ptr<KeptMethod> method) {
  return [method = std::move(method)](
             const decide::Utility& utility,
             const decide::Budget&) -> Result<std::unique_ptr<decide::Policy>> {
    return std::unique_ptr<decide::Policy>(std::make_unique<KeptMethodPolicy>(method, utility));
  };
}

}  // namespace

Result<std::shared_ptr<const network::Model>> model_of_study(const study::StudyFile& file,
                                                             const StudyPaths& paths,
                                                             Context& context) {
  Path path = paths.working_directory() / file.model;
  if (file.model.empty()) {
    CMBO_TRY(path, default_model(context.files));
  }
  CMBO_TRY(network::Model model, read_model(path.string(), context));
  const size_t wanted = file.space.encoded_size();
  const size_t most = model.network().config().dimensions;
  if (wanted > most) {
    return Error(fmt::format(
        "{}: the parameters take {} dimensions (a choice counts once for each of its values, a "
        "condition once more), the model {} takes {}; fix some parameters, mark choices as "
        "ordered, or train a larger model with cmbo train",
        paths.file.string(), wanted, path.filename().string(), most));
  }
  return std::make_shared<const network::Model>(std::move(model));
}

Result<study::PolicyFactory> policy_of_study(const study::StudyFile& file, const StudyPaths& paths,
                                             std::shared_ptr<ThreadPool> threads,
                                             Context& context) {
  auto method = method_of(file.method);
  if (!method.ok()) return method.error().within(paths.file.string() + ": method");
  std::shared_ptr<const network::Model> model;
  if ((*method)->needs_model || (*method)->needs_prior_model) {
    CMBO_TRY(model, model_of_study(file, paths, context));
  }
  if ((*method)->uses_utility) return policy_over(std::move(model), std::move(threads));
  return policy_of_method(std::make_shared<KeptMethod>(**method, file.seed, std::move(model)));
}

}  // namespace cmbo::cli
