// SPDX-License-Identifier: Apache-2.0
#define CMBO_KERNELS baseline
#include "tensor/kernel_table.h"

namespace cmbo::tensor {

const Kernels* const kBaselineKernels = &baseline::kTable;

}  // namespace cmbo::tensor
