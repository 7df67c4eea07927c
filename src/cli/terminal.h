// SPDX-License-Identifier: Apache-2.0
//
// Where the program prints: results on stdout, progress and complaints on stderr. Nothing else in
// the project prints.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace cmbo::cli {

// Not thread-safe.
class Terminal {
 public:
  // The files stay open longer than the terminal.
  Terminal(std::FILE* out, std::FILE* err);

  // To stdout.
  void print(std::string_view text);
  // Whether stdout could not be written (a full disk, a closed pipe).
  bool out_is_broken() const { return broken_; }
  // Flushes stdout; to be called once at the end.
  void finish();

  // "cmbo: message", to stderr.
  void complain(std::string_view message);
  // A line that replaces the last status line, to stderr; ignored unless that is a terminal.
  void show_status(std::string_view line);
  void clear_status();

  bool out_is_terminal() const { return out_width_ > 0; }
  bool err_is_terminal() const { return err_width_ > 0; }
  // Columns; a generous default where output is not a terminal, so that files are not cut.
  size_t out_width() const;
  size_t err_width() const { return err_width_ > 0 ? err_width_ : 80; }
  bool has_colours() const { return colours_; }

 private:
  std::FILE* out_;
  std::FILE* err_;
  size_t out_width_;  // 0 = not a terminal
  size_t err_width_;
  bool colours_;
  bool broken_ = false;
  bool has_status_ = false;
};

}  // namespace cmbo::cli
