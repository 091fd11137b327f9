#include "panes/sequence/load_bars.h"

#include "models/balance_model.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "support/format.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr std::size_t kMostRows = 8;
constexpr int kLoadBarWidth = 96;
constexpr int kColumnGap = 8;
constexpr double kUnchangedLoad = 1e-9; ///< relative difference that is rounding

bool isSameLoad(double a, double b)
{
    return std::abs(a - b) <= kUnchangedLoad * std::max(std::abs(a), std::abs(b));
}

/// Returns e.g. "+1.2 ms", with a minus sign; empty if nothing changed.
QString secondsChange(double before, double now)
{
    if (isSameLoad(before, now))
        return {};
    return (now > before ? QStringLiteral("+") : QStringLiteral("−")) + text(formatSeconds(std::abs(now - before)));
}

QString memoryText(double before, double now, double available)
{
    QString line =
        tr("%1 of %2").arg(bytesText(static_cast<std::uint64_t>(now)), bytesText(static_cast<std::uint64_t>(available)));
    if (!isSameLoad(before, now))
        line += QStringLiteral(" (%1%2)").arg(now > before ? QStringLiteral("+") : QStringLiteral("−"),
                                              bytesText(static_cast<std::uint64_t>(std::abs(now - before))));
    return line;
}

/// Returns the load of a tag before the move; nothing without one.
const BalanceLoad* loadOfTag(const std::optional<CutLoads>& cut, std::int32_t tag)
{
    if (!cut)
        return nullptr;
    const auto at = std::ranges::find(cut->tags, tag);
    return at == cut->tags.end() ? nullptr : &cut->result.loads[static_cast<std::size_t>(at - cut->tags.begin())];
}

std::size_t largestStage(const CutLoads& cut)
{
    return static_cast<std::size_t>(std::ranges::max_element(cut.result.loads, {}, &BalanceLoad::load)
                                    - cut.result.loads.begin());
}

/// Returns the stages to show: those next to the boundary and the largest first, then others that changed.
std::vector<std::size_t> stagesToShow(const std::optional<CutLoads>& before, const CutLoads& now,
                                      const std::vector<std::int32_t>& nearby)
{
    const auto rank = [&](std::size_t stage) {
        if (std::ranges::find(nearby, now.tags[stage]) != nearby.end() || stage == largestStage(now))
            return 0;
        const BalanceLoad* old = loadOfTag(before, now.tags[stage]);
        return old != nullptr && !isSameLoad(old->load, now.result.loads[stage].load) ? 1 : 2;
    };
    std::vector<std::size_t> shown;
    for (const int wanted : {0, 1})
        for (std::size_t stage = 0; stage < now.tags.size() && shown.size() < kMostRows; ++stage)
            if (rank(stage) == wanted)
                shown.push_back(stage);
    std::ranges::sort(shown);
    return shown;
}

} // namespace

QStringList LoadWords::lines() const
{
    QStringList all;
    for (const Row& row : rows)
        all << tr("%1: %2%3, limited by %4")
                   .arg(row.stage, row.load, row.change.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(row.change),
                        row.limit);
    for (const QString& line : {largest, note})
        if (!line.isEmpty())
            all << line;
    return all;
}

LoadWords loadWords(const BalancePlan& problem, const std::optional<CutLoads>& before, const CutLoads& now,
                    const std::vector<TagLook>& looks, const std::vector<std::int32_t>& nearby)
{
    LoadWords words;
    const double most = std::max(now.result.load, before ? before->result.load : 0);
    for (const std::size_t stage : stagesToShow(before, now, nearby)) {
        const BalanceLoad& load = now.result.loads[stage];
        const BalanceLoad* old = loadOfTag(before, now.tags[stage]);
        const Device& device = problem.devices[now.result.deviceOf[stage]];
        const QString name = brief(looks[static_cast<std::size_t>(now.tags[stage])].name, 24);
        const bool hasMemory = std::isfinite(device.availableBytes);
        LoadWords::Row row{.stage = hasMemory && !device.name.empty() ? tr("%1 on %2").arg(name, brief(text(device.name), 24))
                                                                      : name,
                           .load = text(formatSeconds(load.load)),
                           .change = old != nullptr ? secondsChange(old->load, load.load) : QString(),
                           .limit = bindingText(now.bindings[stage]),
                           .share = most > 0 ? load.load / most : 0,
                           .before = old != nullptr && most > 0 ? old->load / most : 0};
        if (hasMemory)
            row.limit = tr("%1 · %2").arg(
                row.limit, memoryText(old != nullptr ? old->bytes : load.bytes, load.bytes, device.availableBytes));
        words.rows.push_back(std::move(row));
    }
    if (now.tags.empty())
        return words;
    words.largest = tr("Largest load %1, %2")
                        .arg(text(formatSeconds(now.result.load)),
                             brief(looks[static_cast<std::size_t>(now.tags[largestStage(now)])].name, 24));
    if (before) {
        if (const QString change = secondsChange(before->result.load, now.result.load); !change.isEmpty()) {
            words.largest += QStringLiteral(" (%1)").arg(change);
            words.trend = now.result.load - before->result.load;
        }
    }
    return words;
}

void LoadBars::setRows(std::vector<LoadWords::Row> rows)
{
    m_rows = std::move(rows);
    setVisible(!m_rows.empty());
    updateGeometry();
    update();
}

LoadBars::Columns LoadBars::columns() const
{
    Columns columns;
    const QFontMetrics metrics = fontMetrics();
    for (const LoadWords::Row& row : m_rows) {
        columns.stage = std::max(columns.stage, metrics.horizontalAdvance(row.stage));
        columns.load = std::max(columns.load, metrics.horizontalAdvance(row.load));
        columns.change = std::max(columns.change, metrics.horizontalAdvance(row.change));
        columns.limit = std::max(columns.limit, metrics.horizontalAdvance(row.limit));
    }
    return columns;
}

QSize LoadBars::sizeHint() const
{
    const Columns at = columns();
    return {at.stage + kLoadBarWidth + at.load + at.change + at.limit + 4 * kColumnGap,
            static_cast<int>(m_rows.size()) * (fontMetrics().height() + 4)};
}

void LoadBars::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const Columns at = columns();
    const int height = fontMetrics().height() + 4;
    int y = 0;
    for (const LoadWords::Row& row : m_rows) {
        int x = 0;
        const auto write = [&](const QString& words, int width, Qt::Alignment side, const QColor& color) {
            painter.setPen(color);
            painter.drawText(QRect(x, y, width, height), int(side | Qt::AlignVCenter) | Qt::TextSingleLine, words);
            x += width + kColumnGap;
        };
        write(row.stage, at.stage, Qt::AlignLeft, theme.text);
        const QRectF bar(x, y + 3, kLoadBarWidth, height - 6);
        paintBar(painter, bar, row.share, mixed(theme.panel, theme.selection, 0.6));
        painter.fillRect(QRectF(bar.left() + row.before * bar.width() - 1, y + 1, 2, height - 2), theme.text);
        x += kLoadBarWidth + kColumnGap;
        write(row.load, at.load, Qt::AlignRight, theme.text);
        write(row.change, at.change, Qt::AlignRight, theme.dim);
        write(row.limit, at.limit, Qt::AlignLeft, theme.dim);
        y += height;
    }
}

} // namespace sunder

#include "moc_load_bars.cpp"
