#include "canvas/timeline_painter.h"

#include "canvas/label_painter.h"
#include "text/amounts.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

constexpr double kNarrow = 2;      ///< pixels; narrower actions are mixed
constexpr double kGapped = 4;      ///< pixels; wider actions have a gap behind them
constexpr double kHatched = 6;     ///< pixels; wider actions show their kind by lines
constexpr double kHatchStep = 6;
constexpr double kLabelPadding = 3;
constexpr double kLabelDistance = 400; ///< pixels between the labels of a long action
constexpr double kDetailBaseline = 3.5; ///< below the middle of a line of 9.5 px
constexpr int kTickRoom = 96;      ///< pixels between ticks

/// The colors of actions that are narrower than a pixel, mixed per column of pixels.
class MixedColumns {
public:
    /// Columns start at whole pixels from `anchor`, so that a moved picture has the same columns.
    MixedColumns(double anchor, const QRectF& part)
        : m_left(anchor + std::floor(part.left() - anchor)),
          m_columns(static_cast<std::size_t>(std::max(1.0, std::ceil(part.right() - m_left) + 1)))
    {
    }

    void add(double from, double to, const TimelineFill& fill)
    {
        const double end = m_left + static_cast<double>(m_columns.size());
        from = std::max(from, m_left);
        to = std::min(to, end);
        while (from < to) {
            const auto at = std::min(static_cast<std::size_t>(from - m_left), m_columns.size() - 1);
            const double next = std::min(to, m_left + static_cast<double>(at) + 1);
            if (next <= from)
                break;
            Column& column = m_columns[at];
            const float share = static_cast<float>(next - from);
            column.red += share * fill.red;
            column.green += share * fill.green;
            column.blue += share * fill.blue;
            column.share += share;
            from = next;
        }
    }

    /// Calls `fill(left, width, color)` for each run of equal columns.
    template <typename Fill>
    void paint(const QColor& ground, Fill fill) const
    {
        for (std::size_t at = 0; at < m_columns.size();) {
            const QRgb color = colorOf(m_columns[at], ground);
            std::size_t end = at + 1;
            while (end < m_columns.size() && (m_columns[end].share > 0) == (m_columns[at].share > 0)
                   && colorOf(m_columns[end], ground) == color)
                ++end;
            if (m_columns[at].share > 0)
                fill(m_left + static_cast<double>(at), static_cast<double>(end - at), QColor(color));
            at = end;
        }
    }

private:
    struct Column {
        float red = 0;
        float green = 0;
        float blue = 0;
        float share = 0; ///< of the column that is busy
    };

    static QRgb colorOf(const Column& column, const QColor& ground)
    {
        const float idle = std::max(0.0F, 1 - column.share);
        const auto mix = [&](float sum, double under) {
            return std::clamp(static_cast<int>(std::lround(255 * (sum + idle * static_cast<float>(under)))), 0, 255);
        };
        return qRgb(mix(column.red, ground.redF()), mix(column.green, ground.greenF()), mix(column.blue, ground.blueF()));
    }

    double m_left;
    std::vector<Column> m_columns;
};

QColor idleGround(const Theme& theme)
{
    return mixed(theme.canvas, theme.soft, 0.7);
}

QColor textOn(const QColor& ground)
{
    const QColor dark(0x14, 0x17, 0x1b);
    return contrast(Qt::white, ground) >= contrast(dark, ground) ? QColor(Qt::white) : dark;
}

/// Returns the share of the tag's color in the fill of an action.
double strengthOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::forward: return 1;
    case ActionKind::backward: return 0.5;
    case ActionKind::inputGradient: return 0.5;
    case ActionKind::weightGradient: break;
    }
    return 0.24;
}

} // namespace

double tickDistance(double least)
{
    if (!(least > 0) || !std::isfinite(least))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least)
            return power * factor;
    return 10 * power;
}

QString tickText(double time, double distance, bool isInSeconds)
{
    struct Unit {
        double seconds;
        const char* name;
    };
    constexpr std::array<Unit, 4> kUnits = {{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
    constexpr double kLeastOfUnit = 0.01; // "0.05 ms" rather than "50 µs" on an axis of milliseconds
    std::size_t unit = 0;
    while (isInSeconds && unit + 1 < kUnits.size() && distance < kLeastOfUnit * kUnits[unit].seconds * 10)
        ++unit;
    const double step = distance / kUnits[unit].seconds;
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    const QString number = QString::number(time / kUnits[unit].seconds, 'f', decimals);
    return isInSeconds ? QStringLiteral("%1 %2").arg(number, QString::fromUtf8(kUnits[unit].name)) : number;
}

TimelinePainter::TimelinePainter(QPainter& painter, const Theme& theme, const TimelineContent& content,
                                 const TimelineScale& scale, const TimelineMarks& marks)
    : m_painter(painter), m_theme(theme), m_content(content), m_scale(scale), m_marks(marks)
{
    if (content.plan)
        m_hasSeveralStages = content.plan->order.sizes.stages > content.plan->order.sizes.ranks;
}

void TimelinePainter::paintLanes(const QRectF& part)
{
    if (!m_content.plan)
        return;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    paintGrid(part);
    for (std::uint32_t rank = 0; rank < m_content.rankCount(); ++rank) {
        const double top = m_scale.laneTop(rank);
        if (top < part.bottom() && top + m_scale.laneHeight() > part.top())
            paintLane(rank, part);
    }
}

void TimelinePainter::paintLane(std::uint32_t rank, const QRectF& part)
{
    const double bottom = m_scale.laneTop(rank) + m_scale.laneHeight();
    m_painter.fillRect(QRectF(part.left(), bottom - 1, part.width(), 1), m_theme.line);
    const double from = std::max(part.left(), m_scale.x(0));
    const double to = std::min(part.right(), m_scale.x(m_content.step()));
    if (to <= from)
        return;
    const TimelineScale::Band compute = m_scale.band(rank, TimelineRow::compute);
    paintIdle({from, compute.top, to - from, compute.height});
    paintRow(rank, TimelineRow::compute, {from, compute.top, to - from, compute.height});
    if (m_scale.hasTransfers)
        for (const TimelineRow row : {TimelineRow::send, TimelineRow::receive}) {
            const TimelineScale::Band band = m_scale.band(rank, row);
            m_painter.fillRect(QRectF(from, band.top, to - from, band.height), idleGround(m_theme));
            paintRow(rank, row, {from, band.top, to - from, band.height});
        }
    if (m_scale.memory > 0) {
        const TimelineScale::Band band = m_scale.memoryBand(rank);
        paintMemory(rank, {from, band.top, to - from, band.height});
    }
}

/// The ground below the actions: what stays visible is idle time.
void TimelinePainter::paintIdle(const QRectF& row)
{
    constexpr double kStep = 8;
    m_painter.fillRect(row, idleGround(m_theme));
    m_painter.save();
    m_painter.setClipRect(row, Qt::IntersectClip);
    m_painter.setPen(QPen(mixed(idleGround(m_theme), m_theme.faint, 0.45), 1));
    const double anchor = m_scale.x(0);
    const double first = anchor + std::floor((row.left() - row.height() - anchor) / kStep) * kStep;
    for (double x = first; x < row.right(); x += kStep) {
        m_painter.drawLine(QPointF(x, row.bottom()), QPointF(x + row.height(), row.top()));
    }
    m_painter.restore();
}

/// Returns the fill of an action or a transfer. Computed once for each stage and kind: there may be 100,000 actions.
const TimelineFill& TimelinePainter::fillOf(TimelinePlace place)
{
    constexpr std::size_t kKinds = 6; // of actions, then values and gradients in transfers
    const std::uint32_t stage = stageOf(m_content, place);
    std::size_t kind = 0;
    double strength = 0;
    if (place.row != TimelineRow::compute) {
        const auto& lane = (*m_content.lanes)[place.rank];
        const auto at = (place.row == TimelineRow::send ? lane.sends : lane.receives)[static_cast<std::size_t>(place.index)];
        const bool isGradient = m_content.plan->times.transfers[at].isGradient();
        kind = isGradient ? 5 : 4;
        strength = isGradient ? 0.45 : 0.85;
    } else {
        const ActionKind of = m_content.plan->times.actions[place.rank][static_cast<std::size_t>(place.index)].action.kind;
        kind = static_cast<std::size_t>(of);
        strength = strengthOf(of);
    }
    const std::size_t at = stage * kKinds + kind;
    if (at >= m_fills.size())
        m_fills.resize(std::max(at + 1, m_content.stages.size() * kKinds));
    TimelineFill& fill = m_fills[at];
    if (!fill.color.isValid()) {
        const QColor color = stage < m_content.stages.size() ? m_content.stages[stage].style.color : m_theme.dim;
        fill.color = mixed(m_theme.canvas, color, strength);
        fill.red = static_cast<float>(fill.color.redF());
        fill.green = static_cast<float>(fill.color.greenF());
        fill.blue = static_cast<float>(fill.color.blueF());
    }
    return fill;
}

void TimelinePainter::paintRow(std::uint32_t rank, TimelineRow row, const QRectF& part)
{
    const auto count = static_cast<std::int64_t>(countIn(m_content, rank, row));
    const double from = m_scale.timeAt(part.left());
    std::int64_t at = 0; // the first one that ends later
    for (std::int64_t size = count; size > 0;) {
        const std::int64_t half = size / 2;
        if (spanOf(m_content, {rank, row, at + half}).end < from) {
            at += half + 1;
            size -= half + 1;
        } else
            size = half;
    }
    MixedColumns narrow(m_scale.x(0), part);
    std::vector<TimelinePlace> marked; // over their neighbors
    for (; at < count; ++at) {
        const TimelinePlace place{rank, row, at};
        const TimeSpan span = spanOf(m_content, place);
        const double left = m_scale.x(span.start);
        const double right = m_scale.x(span.end);
        if (left > part.right())
            break;
        if (right - left < kNarrow) {
            narrow.add(left, right, fillOf(place));
            if (place == m_marks.current)
                marked.push_back(place);
            continue;
        }
        const QRectF rect(left, part.top(), right - left, part.height());
        paintAction(place, rect);
        const bool isSameBatch = m_marks.current.isValid()
            && microBatchOf(m_content, place) == microBatchOf(m_content, m_marks.current);
        if (place == m_marks.hovered || isSameBatch)
            marked.push_back(place);
    }
    narrow.paint(idleGround(m_theme), [&](double left, double width, const QColor& color) {
        m_painter.fillRect(QRectF(left, part.top(), width, part.height()), color);
    });
    for (const TimelinePlace& place : marked)
        paintMarks(place, m_scale.rectOf(m_content, place));
}

void TimelinePainter::paintAction(TimelinePlace place, const QRectF& rect)
{
    const QRectF body = rect.width() > kGapped ? rect.adjusted(0, 0, -1, 0) : rect;
    const QColor fill = fillOf(place).color;
    m_painter.fillRect(body, fill);
    const std::uint32_t stage = stageOf(m_content, place);
    if (place.row == TimelineRow::compute) {
        const ActionKind kind = m_content.plan->times.actions[place.rank][static_cast<std::size_t>(place.index)].action.kind;
        const QColor color = stage < m_content.stages.size() ? m_content.stages[stage].style.color : m_theme.dim;
        if (body.width() > kHatched && kind != ActionKind::forward)
            paintHatch(body, kind, mixed(fill, color, 0.45));
        m_painter.fillRect(QRectF(body.left(), body.bottom() - 2, body.width(), 2), color);
        paintLabel(place, body, fill);
    }
    if (stage < m_marks.selectedStages.size() && m_marks.selectedStages[stage] != 0) {
        const double height = place.row == TimelineRow::compute ? 3 : 2;
        m_painter.fillRect(QRectF(body.left(), body.top(), body.width(), height), m_theme.selection);
    }
}

/// Lines tell backward passes from forward passes without color: rising for gradients of inputs and weights, falling for those of
/// inputs, level for those of weights.
void TimelinePainter::paintHatch(const QRectF& rect, ActionKind kind, const QColor& color)
{
    m_painter.save();
    const QRectF old = m_painter.clipBoundingRect();
    m_painter.setClipRect(rect, Qt::IntersectClip);
    m_painter.setPen(QPen(color, 1));
    if (kind == ActionKind::weightGradient) {
        for (double y = rect.top() + 3; y < rect.bottom() - 2; y += 4)
            m_painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    } else {
        const double start = std::max(rect.left(), old.left());
        const double first = rect.left() + std::floor((start - rect.height() - rect.left()) / kHatchStep) * kHatchStep;
        for (double x = first; x < std::min(rect.right(), old.right()); x += kHatchStep) {
            const bool isRising = kind == ActionKind::backward;
            m_painter.drawLine(QPointF(x, isRising ? rect.bottom() : rect.top()),
                               QPointF(x + rect.height(), isRising ? rect.top() : rect.bottom()));
        }
    }
    m_painter.restore();
}

void TimelinePainter::paintLabel(TimelinePlace place, const QRectF& rect, const QColor& ground)
{
    const PipelineAction& action = m_content.plan->times.actions[place.rank][static_cast<std::size_t>(place.index)].action;
    const QString letter = letterOf(action.kind);
    const QString batch = QString::number(action.microBatch);
    const QFont& font = pictureFonts().code;
    const double room = rect.width() - 2;
    QString label = m_hasSeveralStages ? QString::number(action.stage) + letter + batch : letter + batch;
    double width = LabelPainter::width(label, font, 1);
    for (const QString& shorter : {letter + batch, batch, letter}) {
        if (width <= room)
            break;
        label = shorter;
        width = LabelPainter::width(label, font, 1);
    }
    if (width > room)
        return;
    const bool isHatched = action.kind != ActionKind::forward && rect.width() > kHatched;
    // A long action repeats its label, at places that do not depend on the visible part.
    const auto labels = static_cast<int>(std::max(1.0, std::floor(rect.width() / kLabelDistance)));
    const double distance = rect.width() / labels;
    const QRectF seen = m_painter.clipBoundingRect();
    const int first = std::max(0, static_cast<int>((seen.left() - rect.left()) / distance) - 1);
    for (int i = first; i < labels && rect.left() + i * distance < seen.right(); ++i) {
        const double left = rect.left() + (i + 0.5) * distance - width / 2;
        const double middle = rect.center().y() - 1;
        if (isHatched)
            m_painter.fillRect(QRectF(left - 2, middle - 6, width + 4, 12), ground);
        LabelPainter(m_painter).paint(label, font, 1, {left, middle + kDetailBaseline}, width + 1, textOn(ground));
    }
}

void TimelinePainter::paintMarks(TimelinePlace place, const QRectF& rect)
{
    const bool isCurrent = place == m_marks.current;
    const double line = isCurrent ? 2 : 1;
    const QColor color = isCurrent && m_marks.hasFocus ? m_theme.selection : m_theme.text;
    const QRectF frame = isCurrent ? rect.adjusted(-1, -2, 0, 2) : rect.adjusted(0, 0, -1, 0);
    for (const QRectF& side : {QRectF(frame.left(), frame.top(), frame.width(), line),
                               QRectF(frame.left(), frame.bottom() - line, frame.width(), line),
                               QRectF(frame.left(), frame.top(), line, frame.height()),
                               QRectF(frame.right() - line, frame.top(), line, frame.height())})
        m_painter.fillRect(side, color);
}

/// Returns the outline of the memory curve with the largest value of each column of pixels. `top`: bytes at the upper edge.
QPolygonF TimelinePainter::memoryCurve(std::uint32_t rank, const QRectF& row, double top) const
{
    const std::vector<MemoryAt>& points = m_content.plan->times.memory[rank];
    const auto yOf = [&](std::uint64_t bytes) {
        return row.bottom() - row.height() * std::min(1.0, static_cast<double>(bytes) / top);
    };
    auto next = std::ranges::upper_bound(points, m_scale.timeAt(row.left()), {}, &MemoryAt::time);
    std::uint64_t bytes = next == points.begin() ? 0 : std::prev(next)->bytes;
    QPolygonF curve{QPointF(row.left(), row.bottom()), QPointF(row.left(), yOf(bytes))};
    const double anchor = m_scale.x(0);
    while (next != points.end() && m_scale.x(next->time) < row.right()) {
        const double column = std::max(row.left(), anchor + std::floor(m_scale.x(next->time) - anchor));
        curve << QPointF(column, yOf(bytes));
        std::uint64_t most = bytes;
        for (; next != points.end() && m_scale.x(next->time) < column + 1; ++next) {
            bytes = next->bytes;
            most = std::max(most, bytes);
        }
        curve << QPointF(column, yOf(most)) << QPointF(column + 1, yOf(most)) << QPointF(column + 1, yOf(bytes));
    }
    curve << QPointF(row.right(), yOf(bytes)) << QPointF(row.right(), row.bottom());
    return curve;
}

void TimelinePainter::paintMemory(std::uint32_t rank, const QRectF& part)
{
    const TimelineLane& lane = (*m_content.lanes)[rank];
    const QPolygonF curve = memoryCurve(rank, part, lane.memoryTop);
    const auto heightOf = [&](double bytes) { return part.height() * std::min(1.0, bytes / lane.memoryTop); };
    m_painter.save();
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(mixed(m_theme.canvas, m_theme.dim, 0.32));
    m_painter.drawPolygon(curve);
    const double held = rank < m_content.plan->costs.held.size() ? static_cast<double>(m_content.plan->costs.held[rank]) : 0;
    m_painter.fillRect(QRectF(part.left(), part.bottom() - heightOf(held), part.width(), heightOf(held)),
                       mixed(m_theme.canvas, m_theme.dim, 0.55));
    if (lane.available && *lane.available <= lane.memoryTop) {
        const double limit = part.bottom() - heightOf(*lane.available);
        if (lane.isOver) {
            m_painter.setClipRect(QRectF(part.left(), part.top(), part.width(), limit - part.top()), Qt::IntersectClip);
            m_painter.setBrush(mixed(m_theme.canvas, m_theme.error, 0.75));
            m_painter.drawPolygon(curve);
        }
        m_painter.restore();
        m_painter.save();
        constexpr double kDash = 8;
        const double first = m_scale.x(0) + std::floor((part.left() - m_scale.x(0)) / kDash) * kDash;
        for (double x = std::max(first, part.left()); x < part.right(); x += kDash)
            m_painter.fillRect(QRectF(x, limit - 1, std::min(kDash * 0.6, part.right() - x), 1.5), m_theme.error);
    }
    m_painter.restore();
}

void TimelinePainter::paintGrid(const QRectF& part)
{
    const double distance = tickDistance(kTickRoom / m_scale.perSecond);
    const double first = std::max(0.0, std::ceil(m_scale.timeAt(part.left()) / distance));
    for (double tick = first; m_scale.x(tick * distance) <= part.right(); ++tick)
        m_painter.fillRect(QRectF(m_scale.x(tick * distance), part.top(), 1, part.height()),
                           mixed(m_theme.canvas, m_theme.line, 0.8));
}

void TimelinePainter::paintAxis(double left, double right)
{
    if (!m_content.plan)
        return;
    const QRectF axis(left, m_scale.top, right - left, TimelineScale::kAxis);
    m_painter.fillRect(axis, m_theme.panel);
    m_painter.fillRect(QRectF(left, axis.bottom() - 1, axis.width(), 1), m_theme.line);
    const double distance = tickDistance(kTickRoom / m_scale.perSecond);
    const double lanes = std::max(left, TimelineScale::kNames);
    const double first = std::max(0.0, std::ceil(m_scale.timeAt(lanes) / distance));
    LabelPainter labels(m_painter);
    for (double tick = first; m_scale.x(tick * distance) < right; ++tick) {
        const double x = m_scale.x(tick * distance);
        m_painter.fillRect(QRectF(x, axis.bottom() - 6, 1, 5), m_theme.dim);
        const QString label = tickText(tick * distance, distance, m_content.plan->model != nullptr);
        if (const double width = LabelPainter::width(label, pictureFonts().detail, 1); x + 5 + width < right)
            labels.paint(label, pictureFonts().detail, 1, {x + 4, axis.center().y() + kDetailBaseline}, width + 1, m_theme.dim);
    }
}

void TimelinePainter::paintNames(double left, double bottom)
{
    if (!m_content.plan)
        return;
    constexpr double kStripe = 5;
    constexpr double kPadding = 10;
    const double width = TimelineScale::kNames;
    m_painter.fillRect(QRectF(left, m_scale.top, width, bottom - m_scale.top), m_theme.panel);
    m_painter.fillRect(QRectF(left + width - 1, m_scale.top, 1, bottom - m_scale.top), m_theme.line);
    m_painter.fillRect(QRectF(left, m_scale.lanesTop() - 1, width, 1), m_theme.line);
    const PictureFonts& fonts = pictureFonts();
    LabelPainter labels(m_painter);
    m_painter.save();
    m_painter.setClipRect(QRectF(left, m_scale.lanesTop(), width, bottom - m_scale.lanesTop()), Qt::IntersectClip);
    for (std::uint32_t rank = 0; rank < m_content.rankCount(); ++rank) {
        const double top = m_scale.laneTop(rank);
        if (top > bottom || top + m_scale.laneHeight() < m_scale.lanesTop())
            continue;
        const TimelineLane& lane = (*m_content.lanes)[rank];
        const TimelineScale::Band compute = m_scale.band(rank, TimelineRow::compute);
        QStringList codes;
        std::vector<QColor> colors;
        for (std::uint32_t stage = 0; stage < m_content.stages.size(); ++stage)
            if (m_content.plan->order.rankOf[stage] == rank) {
                codes << m_content.stages[stage].code;
                colors.push_back(m_content.stages[stage].style.color);
            }
        const double share = compute.height / static_cast<double>(std::max<std::size_t>(1, colors.size()));
        for (std::size_t i = 0; i < colors.size(); ++i)
            m_painter.fillRect(QRectF(left, compute.top + static_cast<double>(i) * share, kStripe, share), colors[i]);
        const double room = width - kPadding - 6;
        labels.paint(lane.device, fonts.title, 1, {left + kPadding, compute.top + 10}, room, m_theme.text, Qt::ElideMiddle);
        labels.paint(QStringLiteral("%1 · %2").arg(codes.join(QStringLiteral(", ")), lane.use), fonts.detail, 1,
                     {left + kPadding, compute.top + 22.5}, room, m_theme.dim);
        if (m_scale.hasTransfers)
            for (const auto& [row, word] :
                 {std::pair(TimelineRow::send, tr("send")), std::pair(TimelineRow::receive, tr("receive"))})
                labels.paintRight(word, fonts.detail, 0.9,
                                  {left + width - 6, m_scale.band(rank, row).top + TimelineScale::kTransfers / 2 + 3}, room,
                                  m_theme.dim);
        if (m_scale.memory > 0) {
            const TimelineScale::Band band = m_scale.memoryBand(rank);
            const QColor color = lane.isOver ? m_theme.error : m_theme.dim;
            constexpr double kTwoLines = 24;
            const QStringList lines = band.height >= kTwoLines
                ? QStringList{tr("peak %1").arg(lane.peak), lane.limit}
                : QStringList{tr("peak %1 %2").arg(lane.peak, lane.limit).trimmed()};
            for (qsizetype line = 0; line < lines.size(); ++line)
                labels.paint(lines[line], fonts.detail, 1, {left + kPadding, band.top + 10 + 12 * static_cast<double>(line)},
                             room, color);
        }
        m_painter.fillRect(QRectF(left, top + m_scale.laneHeight() - 1, width, 1), m_theme.line);
    }
    m_painter.restore();
}

} // namespace sunder
