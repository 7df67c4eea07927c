// SPDX-License-Identifier: Apache-2.0
#include "tensor/blas.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <string_view>

#include "tensor/isa.h"

namespace cmbo::tensor {
namespace {

TEST(BlasTest, UsesTheInstructionsOfTheProcessor) {
  if (active_isa() == Isa::kBaseline) GTEST_SKIP() << "this processor has no AVX2";
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is set";
  const std::string_view core = blas().core;
  EXPECT_TRUE(core == "SkylakeX" || core == "Haswell") << core;
}

TEST(BlasTest, LeavesTheEnvironmentAsItWas) {
  ASSERT_NE(blas().sgemm, nullptr);
  std::ifstream file("/proc/self/environ");  // as the program was started with
  const std::string started{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(started.empty());
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE") != nullptr,
            started.find("OPENBLAS_CORETYPE=") != std::string::npos);
}

}  // namespace
}  // namespace cmbo::tensor
