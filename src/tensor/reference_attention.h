// SPDX-License-Identifier: Apache-2.0
//
// For tests: the naive twin of attention.h, as reference.h. Rows have no gaps.
#pragma once

#include "tensor/reference.h"

namespace cmbo::tensor::reference {

struct Attention {
  size_t Q, C, H, D;
  std::vector<bool> visible;  // [C]

  size_t E() const { return H * D; }
  double scale() const { return 1.0 / std::sqrt(static_cast<double>(D)); }
};

// The keys that query i sees: pairs of array (0 = context, 1 = self) and row.
struct Key {
  bool self;
  size_t row;
};

inline std::vector<Key> keys_of(const Attention& a, size_t i, bool has_self) {
  std::vector<Key> keys;
  for (size_t j = 0; j < a.C; ++j) {
    if (a.visible[j]) keys.push_back({false, j});
  }
  if (has_self) keys.push_back({true, i});
  return keys;
}

// x = q, k, v and possibly self_k, self_v. The part of head h of a row of one of them.
inline const double* head_of(const Attention& a, const Array& x, size_t row, size_t h) {
  return x.data() + row * a.E() + h * a.D;
}

inline double dot(const double* a, const double* b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Probabilities of query i and head h over keys_of(i).
inline Array attention_row(const Attention& a, const Arrays& x, size_t i, size_t h) {
  Array s;
  for (const Key& key : keys_of(a, i, x.size() > 3)) {
    const double* k = head_of(a, x[key.self ? 3 : 1], key.row, h);
    s.push_back(dot(head_of(a, x[0], i, h), k, a.D) * a.scale());
  }
  return s.empty() ? s : softmax(s, s.size());
}

inline Array attention(const Attention& a, const Arrays& x) {
  Array out(a.Q * a.E());
  for (size_t i = 0; i < a.Q; ++i) {
    const std::vector<Key> keys = keys_of(a, i, x.size() > 3);
    for (size_t h = 0; h < a.H; ++h) {
      const Array p = attention_row(a, x, i, h);
      for (size_t j = 0; j < keys.size(); ++j) {
        const double* v = head_of(a, x[keys[j].self ? 4 : 2], keys[j].row, h);
        for (size_t d = 0; d < a.D; ++d) out[i * a.E() + h * a.D + d] += p[j] * v[d];
      }
    }
  }
  return out;
}

// Adds the gradients of query i and head h to d, which is laid out as x.
inline void attention_row_backward(const Attention& a, const Arrays& x, size_t i, size_t h,
                                   const double* dout, Arrays& d) {
  const std::vector<Key> keys = keys_of(a, i, x.size() > 3);
  const Array p = attention_row(a, x, i, h);
  double delta = 0.0;
  Array dp;
  for (size_t j = 0; j < keys.size(); ++j) {
    dp.push_back(dot(dout, head_of(a, x[keys[j].self ? 4 : 2], keys[j].row, h), a.D));
    delta += p[j] * dp[j];
  }
  const size_t query = i * a.E() + h * a.D;
  for (size_t j = 0; j < keys.size(); ++j) {
    const size_t row = keys[j].row * a.E() + h * a.D;
    const size_t k = keys[j].self ? 3 : 1;
    const double ds = p[j] * (dp[j] - delta) * a.scale();
    for (size_t c = 0; c < a.D; ++c) {
      d[0][query + c] += ds * x[k][row + c];
      d[k][row + c] += ds * x[0][query + c];
      d[k + 1][row + c] += p[j] * dout[c];
    }
  }
}

inline Arrays attention_backward(const Attention& a, const Arrays& x, const Array& dout) {
  Arrays d;
  for (const Array& array : x) d.emplace_back(array.size());
  for (size_t i = 0; i < a.Q; ++i) {
    for (size_t h = 0; h < a.H; ++h) {
      attention_row_backward(a, x, i, h, head_of(a, dout, i, h), d);
    }
  }
  return d;
}

}  // namespace cmbo::tensor::reference
