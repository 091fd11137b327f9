#include "panes/partition_dag/dag_view.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_accessible.h"
#include "support/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

constexpr double kLeastZoom = 0.35;
constexpr double kMostZoom = 3;
constexpr double kReadable = 0.85; ///< smaller only when the person wants it

} // namespace

DagView::DagView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAcceptDrops(true);
    setAccessibleName(tr("Parts in order of execution"));
    setObjectName(QStringLiteral("dagView"));
    installDagAccessibility();
}

void DagView::setContent(DagContent content)
{
    const DagPlace before = current();
    m_content = std::move(content);
    m_marks.selectedOps.assign(m_content.boxes.size(), 0);
    m_marks.hoveredBoxes.assign(m_content.boxes.size(), 0);
    m_marks.box = m_marks.ribbon = m_marks.openRibbon = m_marks.target = -1;
    m_marks.currentBox = m_marks.currentRibbon = -1;
    arrange();
    const int boxes = static_cast<int>(m_content.boxes.size());
    setCurrent(before.kind == DagPlace::Kind::box && before.index < boxes ? before
               : boxes > 0                                                ? DagPlace{DagPlace::Kind::box, 0}
                                                                          : DagPlace());
    dagPlacesChanged(this);
}

void DagView::arrange()
{
    if (m_isFitted) {
        m_zoom = 1;
        const double height = layOut(m_content, viewport()->width()).size.height();
        if (height > viewport()->height())
            m_zoom = m_content.boxes.size() > 12 ? 1.0 : std::clamp(viewport()->height() / height, kReadable, 1.0);
    }
    m_layout = layOut(m_content, viewport()->width() / m_zoom);
    const QSizeF size = m_layout.size * m_zoom;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.width())) - viewport()->width()));
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.height())) - viewport()->height()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    verticalScrollBar()->setPageStep(viewport()->height());
    horizontalScrollBar()->setSingleStep(24);
    verticalScrollBar()->setSingleStep(24);
    viewport()->update();
}

void DagView::setSelectedOps(std::vector<std::size_t> perBox)
{
    m_marks.selectedOps = std::move(perBox);
    viewport()->update();
}

void DagView::setHoveredBoxes(std::vector<char> perBox)
{
    if (m_marks.hoveredBoxes == perBox)
        return;
    m_marks.hoveredBoxes = std::move(perBox);
    viewport()->update();
}

void DagView::setOpenRibbon(int ribbon)
{
    m_marks.openRibbon = ribbon;
    viewport()->update();
}

void DagView::setTarget(int box, bool isLegal)
{
    m_marks.target = box;
    m_marks.targetIsLegal = isLegal;
    viewport()->update();
}

DagPlace DagView::current() const
{
    if (m_marks.currentRibbon >= 0)
        return {DagPlace::Kind::ribbon, m_marks.currentRibbon};
    return m_marks.currentBox >= 0 ? DagPlace{DagPlace::Kind::box, m_marks.currentBox} : DagPlace();
}

void DagView::setCurrent(DagPlace place)
{
    m_marks.currentBox = place.kind == DagPlace::Kind::box ? place.index : -1;
    m_marks.currentRibbon = place.kind == DagPlace::Kind::ribbon ? place.index : -1;
    viewport()->update();
    if (hasFocus())
        dagFocusMoved(this);
}

QPointF DagView::toContent(QPointF at) const
{
    return (at + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value())) / m_zoom;
}

DagPlace DagView::placeAt(QPoint at) const
{
    const QPointF there = toContent(at);
    const int label = [&] {
        for (std::size_t i = 0; i < m_layout.ribbons.size(); ++i)
            if (m_layout.ribbons[i].label.contains(there))
                return static_cast<int>(i);
        return -1;
    }();
    if (label >= 0)
        return {DagPlace::Kind::ribbon, label};
    if (const int box = m_layout.boxAt(there); box >= 0)
        return {DagPlace::Kind::box, box};
    const int ribbon = m_layout.ribbonAt(there);
    return ribbon >= 0 ? DagPlace{DagPlace::Kind::ribbon, ribbon} : DagPlace();
}

QRectF DagView::viewRectOf(DagPlace place) const
{
    QRectF at;
    if (place.kind == DagPlace::Kind::box)
        at = m_layout.boxes[static_cast<std::size_t>(place.index)];
    else if (place.kind == DagPlace::Kind::ribbon) {
        const std::size_t ribbon = static_cast<std::size_t>(place.index);
        at = m_layout.ribbons[ribbon].label.isEmpty() ? m_layout.labelOf(ribbon, 60) : m_layout.ribbons[ribbon].label;
    }
    const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
    return {at.topLeft() * m_zoom - scrolled, at.size() * m_zoom};
}

QString DagView::describe(DagPlace place) const
{
    if (place.kind == DagPlace::Kind::box)
        return sunder::describe(m_content, m_content.boxes[static_cast<std::size_t>(place.index)]);
    if (place.kind == DagPlace::Kind::ribbon)
        return sunder::describe(m_content, m_content.ribbons[static_cast<std::size_t>(place.index)]);
    return {};
}

void DagView::ensureShown(DagPlace place)
{
    if (place.kind == DagPlace::Kind::none)
        return;
    constexpr double kRoom = 12;
    const QRectF at = viewRectOf(place).adjusted(-kRoom, -kRoom, kRoom, kRoom);
    const auto shift = [](double low, double high, int extent) {
        return low < 0 ? low : high > extent ? std::min(low, high - extent) : 0.0;
    };
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + static_cast<int>(shift(at.left(), at.right(), viewport()->width())));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(shift(at.top(), at.bottom(), viewport()->height())));
}

void DagView::setZoom(double zoom, QPointF keep)
{
    m_isFitted = false;
    const QPointF at = toContent(keep);
    m_zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
    arrange();
    const QPointF scrolled = at * m_zoom - keep;
    horizontalScrollBar()->setValue(static_cast<int>(scrolled.x()));
    verticalScrollBar()->setValue(static_cast<int>(scrolled.y()));
}

void DagView::fit()
{
    m_isFitted = true;
    arrange();
}

// Painting ----------------------------------------------------------------------------------------

void DagView::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.canvas);
    m_marks.hasFocus = hasFocus();
    painter.save();
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    painter.scale(m_zoom, m_zoom);
    DagPainter(painter, theme, m_content, m_layout, m_marks).paint(QRectF(toContent({0, 0}), QSizeF(viewport()->size()) / m_zoom));
    painter.restore();
    paintChips(painter);
}

std::array<std::size_t, 2> DagView::hiddenSelected() const
{
    std::array<std::size_t, 2> hidden{0, 0};
    for (std::size_t i = 0; i < m_marks.selectedOps.size() && i < m_layout.boxes.size(); ++i) {
        if (m_marks.selectedOps[i] == 0)
            continue;
        const QRectF at = viewRectOf({DagPlace::Kind::box, static_cast<int>(i)});
        if (at.bottom() < 4)
            hidden[0] += m_marks.selectedOps[i];
        else if (at.top() > viewport()->height() - 4)
            hidden[1] += m_marks.selectedOps[i];
    }
    return hidden;
}

QRectF DagView::chipRect(bool below) const
{
    constexpr double kWidth = 150;
    constexpr double kHeight = 20;
    return {(viewport()->width() - kWidth) / 2, below ? viewport()->height() - kHeight - 6 : 6.0, kWidth, kHeight};
}

void DagView::paintChips(QPainter& painter)
{
    const Theme& theme = currentTheme();
    const std::array<std::size_t, 2> hidden = hiddenSelected();
    for (const bool below : {false, true}) {
        if (hidden[below ? 1 : 0] == 0)
            continue;
        const QRectF at = chipRect(below);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.selection, 1));
        painter.setBrush(mixed(theme.panel, theme.selection, 0.14));
        painter.drawRoundedRect(at, 10, 10);
        painter.setPen(theme.text);
        painter.setFont(font());
        const QString count = text(formatCount(hidden[below ? 1 : 0], "op"));
        painter.drawText(at, Qt::AlignCenter, below ? tr("↓ %1 below").arg(count) : tr("↑ %1 above").arg(count));
    }
}

bool DagView::clickChip(QPointF at)
{
    const std::array<std::size_t, 2> hidden = hiddenSelected();
    for (const bool below : {false, true}) {
        if (hidden[below ? 1 : 0] == 0 || !chipRect(below).contains(at))
            continue;
        for (std::size_t i = 0; i < m_marks.selectedOps.size(); ++i) {
            const std::size_t box = below ? i : m_marks.selectedOps.size() - 1 - i; // the nearest
            const QRectF rect = viewRectOf({DagPlace::Kind::box, static_cast<int>(box)});
            if (m_marks.selectedOps[box] > 0 && (below ? rect.top() > viewport()->height() - 4 : rect.bottom() < 4)) {
                ensureShown({DagPlace::Kind::box, static_cast<int>(box)});
                return true;
            }
        }
    }
    return false;
}

} // namespace sunder
