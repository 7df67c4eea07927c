// SPDX-License-Identifier: Apache-2.0
#include "tensor/isa.h"

#include <gtest/gtest.h>

namespace cmbo::tensor {
namespace {

TEST(IsaTest, TheBestSupportedIsTheDefault) {
  EXPECT_EQ(supported_isas().front(), Isa::kBaseline);
  EXPECT_EQ(active_isa(), supported_isas().back());
}

TEST(IsaTest, CanBeOverridden) {
  const Isa before = active_isa();
  use_isa(Isa::kBaseline);
  EXPECT_EQ(active_isa(), Isa::kBaseline);
  use_isa(before);
  EXPECT_EQ(active_isa(), before);
}

TEST(IsaTest, NamesDiffer) {
  EXPECT_STRNE(isa_name(Isa::kBaseline), isa_name(Isa::kAvx2));
}

}  // namespace
}  // namespace cmbo::tensor
