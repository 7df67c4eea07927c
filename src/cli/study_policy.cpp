// SPDX-License-Identifier: Apache-2.0
#include "cli/study_policy.h"

#include <cstdlib>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "cli/model_file.h"
#include "decide/cmbo_policy.h"
#include "forecast/sampler.h"

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

}  // namespace cmbo::cli
