// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -mavx2 -mfma on x86-64 (CMakeLists.txt); elsewhere there is no such table.
#ifdef __AVX2__
#define CMBO_KERNELS avx2
#include "tensor/kernel_table.h"

namespace cmbo::tensor {
const Kernels* const kAvx2Kernels = &avx2::kTable;
}  // namespace cmbo::tensor

#else
#include "tensor/kernels.h"

namespace cmbo::tensor {
const Kernels* const kAvx2Kernels = nullptr;
}  // namespace cmbo::tensor
#endif
