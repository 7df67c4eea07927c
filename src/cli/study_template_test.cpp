// SPDX-License-Identifier: Apache-2.0
#include "cli/study_template.h"

#include <gtest/gtest.h>

#include "study/study_file.h"

namespace cmbo::cli {
namespace {

TEST(StudyTemplateTest, IsAValidStudy) {
  const auto file = study::study_file_from_yaml(study_template("python train.py"));
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_EQ(file->command.size(), 1u);
  EXPECT_TRUE(file->command[0].starts_with("python train.py --lr {lr}")) << file->command[0];
  EXPECT_EQ(file->fidelity.max, 50u);
  EXPECT_EQ(file->limits.wall, 8 * 3600.0);
}

TEST(StudyTemplateTest, TakesAnyCommand) {
  const std::string command = R"(sh -c "echo \"{lr}\" # {layers}: 'x'" && true)";
  const auto file = study::study_file_from_yaml(study_template(command));
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_EQ(file->command[0], command);
}

}  // namespace
}  // namespace cmbo::cli
