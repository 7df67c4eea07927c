// SPDX-License-Identifier: Apache-2.0
#include "chart/figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "chart/legend.h"
#include "chart/plot.h"
#include "chart/svg.h"

namespace cmbo::chart {
namespace {

constexpr Font kTitleFont = {20.0, true};
constexpr Font kSubtitleFont = {13.5};
constexpr Font kPanelTitleFont = {13.5, true};
constexpr Font kYLabelFont = {12.5};
constexpr double kMargin = 28.0;
constexpr double kContentWidth = kFigureWidth - 2.0 * kMargin;
constexpr double kColumnGap = 26.0;
constexpr double kRowGap = 26.0;
constexpr double kRightInset = 6.0;
constexpr double kLegendGap = 14.0;  // above a legend
constexpr int kMostLegendRows = 4;
constexpr int kMostPanelLegendRows = 3;
constexpr size_t kMostColumns = 6;
// Of a panel with its title and axis labels, by the number of columns.
constexpr double kPanelHeights[] = {400.0, 310.0, 240.0, 200.0, 180.0, 160.0};

size_t default_columns(size_t panels) {
  if (panels <= 3) return std::max<size_t>(panels, 1);
  return panels == 4 ? 2 : (panels <= 9 ? 3 : 4);
}

// The room around a plot, the same for all plots of a figure.
struct Insets {
  double left = 0.0, right = kRightInset, top = 0.0, bottom = kTickLabelHeight;
};

class FigureDrawing {
 public:
  FigureDrawing(const std::string& title, const std::string& subtitle,
                std::span<const Panel> panels, size_t columns);

  std::string draw() const;

 private:
  void choose_legends();
  void measure_plots();
  double header_height() const;
  double row_height() const { return cell_.height + panel_legend_height_; }
  double panels_height() const;
  double total_height() const;
  Pixel cell_origin(size_t index) const;

  void draw_header(SvgWriter& svg) const;
  void draw_clip_path(SvgWriter& svg) const;
  void draw_panel(SvgWriter& svg, size_t index) const;

  const std::string& title_;
  const std::string& subtitle_;
  std::span<const Panel> panels_;
  size_t columns_;
  size_t rows_;
  Size cell_;
  Insets insets_;
  Size plot_;
  std::string clip_;
  std::optional<Legend> shared_legend_;
  std::vector<Legend> panel_legends_;  // none if there is a shared one
  double panel_legend_height_ = 0.0;
};

FigureDrawing::FigureDrawing(const std::string& title, const std::string& subtitle,
                             std::span<const Panel> panels, size_t columns)
    : title_(title), subtitle_(subtitle), panels_(panels), columns_(columns) {
  rows_ = (panels.size() + columns - 1) / columns;
  const double gaps = kColumnGap * static_cast<double>(columns - 1);
  cell_ = {(kContentWidth - gaps) / static_cast<double>(columns), kPanelHeights[columns - 1]};
  choose_legends();
  if (panels.size() == 1) cell_.height += kSinglePanelHeight - total_height();
  measure_plots();
}

void FigureDrawing::choose_legends() {
  if (const auto entries = shared_entries(panels_)) {
    shared_legend_.emplace(*entries, kContentWidth, kMostLegendRows);
    return;
  }
  for (const Panel& panel : panels_) {
    panel_legends_.emplace_back(legend_entries(panel), cell_.width, kMostPanelLegendRows);
    const double height = panel_legends_.back().height() + kLegendGap;
    panel_legend_height_ = std::max(panel_legend_height_, height);
  }
}

void FigureDrawing::measure_plots() {
  const auto any = [&](const auto& text_of) {
    return std::any_of(panels_.begin(), panels_.end(),
                       [&](const Panel& panel) { return !text_of(panel).empty(); });
  };
  if (any([](const Panel& panel) { return panel.title(); })) insets_.top += 20.0;
  if (any([](const Panel& panel) { return panel.y_axis().label; })) insets_.top += 18.0;
  insets_.top += 8.0;
  if (any([](const Panel& panel) { return panel.x_axis().label; })) insets_.bottom += kXLabelHeight;
  plot_.height = cell_.height - insets_.top - insets_.bottom;
  for (const Panel& panel : panels_) {
    insets_.left = std::max(insets_.left, tick_label_width(panel, plot_.height) + kTickLabelGap);
  }
  plot_.width = cell_.width - insets_.left - insets_.right;
  // Named after its size: figures that share an HTML page cannot clip each other wrongly.
  clip_ = fmt::format("plot-{:.0f}x{:.0f}", 10.0 * plot_.width, 10.0 * plot_.height);
}

double FigureDrawing::header_height() const {
  return (title_.empty() ? 0.0 : 26.0) + (subtitle_.empty() ? 0.0 : 22.0) + 16.0;
}

double FigureDrawing::panels_height() const {
  if (rows_ == 0) return 0.0;
  return static_cast<double>(rows_) * (row_height() + kRowGap) - kRowGap;
}

double FigureDrawing::total_height() const {
  const double legend = shared_legend_ ? shared_legend_->height() : 0.0;
  const double legend_gap = legend > 0.0 ? kLegendGap : 0.0;
  return 2.0 * kMargin + header_height() + panels_height() + legend_gap + legend;
}

Pixel FigureDrawing::cell_origin(size_t index) const {
  const size_t column = index % columns_, row = index / columns_;
  return {kMargin + static_cast<double>(column) * (cell_.width + kColumnGap),
          kMargin + header_height() + static_cast<double>(row) * (row_height() + kRowGap)};
}

void FigureDrawing::draw_header(SvgWriter& svg) const {
  double baseline = kMargin;
  if (!title_.empty()) {
    baseline += 16.0;
    svg.text({kMargin, baseline}, shorten(title_, kTitleFont, kContentWidth),
             {kTitleFont, "#222222"});
    baseline += 8.0;
  }
  svg.text({kMargin, baseline + 15.0}, shorten(subtitle_, kSubtitleFont, kContentWidth),
           {kSubtitleFont, "#777777"});
}

// A pixel larger than the plot, so that lines along its edge keep their width.
void FigureDrawing::draw_clip_path(SvgWriter& svg) const {
  svg.open("clipPath", {{"id", clip_}});
  svg.element(
      "rect",
      {{"x", -1.0}, {"y", -1.0}, {"width", plot_.width + 2.0}, {"height", plot_.height + 2.0}});
  svg.close();
}

void FigureDrawing::draw_panel(SvgWriter& svg, size_t index) const {
  const Panel& panel = panels_[index];
  const Pixel origin = cell_origin(index);
  const double plot_top = origin.y + insets_.top;
  svg.text({origin.x, origin.y + 12.0}, shorten(panel.title(), kPanelTitleFont, cell_.width),
           {kPanelTitleFont, "#333333"});
  svg.text({origin.x, plot_top - 13.0}, shorten(panel.y_axis().label, kYLabelFont, cell_.width),
           {kYLabelFont});
  svg.open("g", {{"transform", fmt::format("translate({} {})", svg_number(origin.x + insets_.left),
                                           svg_number(plot_top))}});
  draw_plot(svg, panel, plot_, clip_);
  svg.close();
  if (!panel_legends_.empty()) {
    panel_legends_[index].draw(svg, {origin.x, origin.y + cell_.height + kLegendGap});
  }
}

std::string FigureDrawing::draw() const {
  SvgWriter svg(kFigureWidth, total_height(), title_);
  draw_header(svg);
  draw_clip_path(svg);
  for (size_t i = 0; i < panels_.size(); ++i) draw_panel(svg, i);
  if (shared_legend_) {
    const double top = kMargin + header_height() + panels_height() + kLegendGap;
    shared_legend_->draw(svg, {kMargin, top});
  }
  return std::move(svg).finish();
}

}  // namespace

Figure::Figure(std::string title, std::string subtitle)
    : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Figure::add_panel(Panel panel) {
  panels_.push_back(std::move(panel));
}

void Figure::set_columns(size_t columns) {
  CHECK(columns <= kMostColumns, "too many columns to be readable");
  columns_ = columns;
}

std::string Figure::to_svg() const {
  const size_t columns = columns_ > 0 ? columns_ : default_columns(panels_.size());
  return FigureDrawing(title_, subtitle_, panels_, columns).draw();
}

}  // namespace cmbo::chart
