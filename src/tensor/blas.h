// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS: the products that this program takes from it. All of them run in the calling thread.
//
// The library is loaded before main() and not by the linker, because it chooses its code for a
// processor while it is being loaded, and a processor that is newer than the library is one of 2004
// to it, at a quarter of the speed. So it is told what to choose by the instructions that are
// there, unless the user has told it already (OPENBLAS_CORETYPE).
#pragma once

#include <cblas.h>

namespace cmbo::tensor {

struct Blas {
  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
  decltype(&cblas_dtrsm) dtrsm;
  decltype(&cblas_dsyrk) dsyrk;
  const char* core;  // what its code was written for
};

// Ends the program with a message if there is no OpenBLAS.
const Blas& blas();

}  // namespace cmbo::tensor
