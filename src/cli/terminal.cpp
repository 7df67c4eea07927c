// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

namespace cmbo::cli {

namespace {

constexpr size_t kUnlimitedWidth = 1000;

struct WindowSize {
  size_t columns = 0, lines = 0;
};

// Of the terminal behind `file`; 0 if there is none.
WindowSize window_size(std::FILE* file) {
  const int descriptor = ::fileno(file);
  if (descriptor < 0 || ::isatty(descriptor) == 0) return {};
  struct winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return {80, 24};
  }
  return {size.ws_col, size.ws_row};
}

bool wants_colours() {
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return std::getenv("NO_COLOR") == nullptr && !dumb;
}

}  // namespace

Terminal::Terminal(std::FILE* out, std::FILE* err)
    : out_(out),
      err_(err),
      out_width_(window_size(out).columns),
      err_width_(window_size(err).columns),
      colours_(out_width_ > 0 && wants_colours()) {}

void Terminal::print(std::string_view text) {
  clear_status();
  block_lines_ = 0;
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) broken_ = true;
}

void Terminal::finish() {
  clear_status();
  if (std::fflush(out_) != 0) broken_ = true;
}

void Terminal::show_block(std::string_view lines) {
  std::string text = block_lines_ > 0 ? fmt::format("\r\x1b[{}A", block_lines_) : "";
  size_t count = 0;
  for (size_t begin = 0; begin < lines.size(); ++count) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    text += fmt::format("\x1b[2K{}\n", lines.substr(begin, end - begin));
    begin = end + 1;
  }
  print(text + "\x1b[J");
  std::fflush(out_);
  block_lines_ = count;
}

void Terminal::complain(std::string_view message) {
  clear_status();
  block_lines_ = 0;
  // Messages quote files, and files may hold anything; only the line breaks are ours.
  std::string text = "cmbo: ";
  for (size_t begin = 0; begin <= message.size();) {
    const size_t end = std::min(message.find('\n', begin), message.size());
    text += clean_text(message.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  std::fwrite(text.data(), 1, text.size(), err_);
}

void Terminal::show_status(std::string_view line) {
  if (!err_is_terminal()) return;
  fmt::print(err_, "\r\x1b[K{}", line);
  std::fflush(err_);
  has_status_ = true;
}

void Terminal::clear_status() {
  if (!has_status_) return;
  fmt::print(err_, "\r\x1b[K");
  std::fflush(err_);
  has_status_ = false;
}

size_t Terminal::measure_height() {
  if (!out_is_terminal()) return kUnlimitedWidth;
  const WindowSize size = window_size(out_);
  out_width_ = size.columns;
  return size.lines;
}

size_t Terminal::out_width() const {
  return out_is_terminal() ? out_width_ : kUnlimitedWidth;
}

}  // namespace cmbo::cli
