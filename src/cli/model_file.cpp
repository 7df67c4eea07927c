// SPDX-License-Identifier: Apache-2.0
#include "cli/model_file.h"

#include <fmt/format.h>

namespace cmbo::cli {

Result<network::Model> read_model(const std::string& path, Context& context) {
  CMBO_TRY(const std::string bytes, read_file(context.files, path, network::kMaxModelBytes));
  auto model = network::model_from_bytes(bytes);
  if (!model.ok()) return model.error().within(path);
  return model;
}

Status check_fits(const network::Model& model, const std::string& task,
                  const curves::CurveTable& table) {
  const size_t most = model.network().config().dimensions;
  if (table.dimensions <= most) return {};
  return Error(fmt::format("'{}' has {} dimensions, the model takes {}; train one for such data",
                           task, table.dimensions, most));
}

std::vector<std::string> trained_on(const network::Model& model) {
  std::vector<std::string> names;
  for (const Json& name : model.card().value("trained_on", Json::array())) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace cmbo::cli
