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
  // Flushes stdout; to be called once at the end, and where somebody waits for every line.
  void finish();
  // Whole lines that replace the block before, to stdout, which must be a terminal: fewer than its
  // height. Anything else that is printed leaves the block where it is.
  void show_block(std::string_view lines);

  // "cmbo: message", to stderr.
  void complain(std::string_view message);
  // A line that replaces the last status line, to stderr; ignored unless that is a terminal.
  void show_status(std::string_view line);
  void clear_status();

  bool out_is_terminal() const { return out_width_ > 0; }
  bool err_is_terminal() const { return err_width_ > 0; }
  // Columns; a generous default where output is not a terminal, so that files are not cut.
  size_t out_width() const;
  // Lines, likewise; measured now, as is the width from then on: windows change their size.
  size_t measure_height();
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
  size_t block_lines_ = 0;  // of the block that stands right above the cursor
};

}  // namespace cmbo::cli
