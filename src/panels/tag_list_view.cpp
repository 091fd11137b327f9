#include "panels/tag_list_view.h"

#include "document/text.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/amounts.h"
#include "text/elided_name.h"

#include <QDrag>
#include <QDragMoveEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <utility>

namespace sunder {
namespace {

constexpr int kUntaggedLeft = 24;
constexpr int kCodeLeft = 42;
constexpr int kTagNameLeft = 66; ///< from the left edge: after eye, color, and code
constexpr int kMarksRight = 23; ///< width for the lock at the right edge
constexpr int kOpsRight = 60 + kMarksRight; ///< from the right edge: before the bytes
constexpr int kMark = 14;

} // namespace

QRect TagDelegate::swatch(const QRect& row)
{
    return {row.left() + 24, row.center().y() - 5, 12, 12};
}

QRect TagDelegate::eye(const QRect& row)
{
    return {row.left() + 5, row.center().y() - kMark / 2, kMark, kMark};
}

QRect TagDelegate::lock(const QRect& row)
{
    return {row.right() - 19, row.center().y() - kMark / 2, kMark, kMark};
}

QColor TagDelegate::groundOf(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return index.data(TagModel::ActiveRole).toBool()
        ? activeRow(currentTheme(), index.data(Qt::DecorationRole).value<QColor>())
        : rowGround(currentTheme(), false, option.state.testFlag(QStyle::State_MouseOver));
}

/// An open lock is only visible on hover.
void TagDelegate::paintMarks(const Row& row, const QModelIndex& index)
{
    const Theme& theme = currentTheme();
    const bool isLocked = index.data(TagModel::LockedRole).toBool();
    const bool isHidden = index.data(TagModel::HiddenRole).toBool();
    if (isLocked || row.option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus))
        paintIcon(row.painter, isLocked ? QStringLiteral("lock") : QStringLiteral("unlock"), lock(row.option.rect),
                  isLocked ? theme.text : theme.faint);
    paintIcon(row.painter, isHidden ? QStringLiteral("eye-off") : QStringLiteral("eye"), eye(row.option.rect),
              isHidden ? theme.text : theme.faint);
}

void TagDelegate::paintUntagged(Row& row, const QModelIndex& index)
{
    const Theme& theme = currentTheme();
    const int right = row.rest.right();
    const qulonglong ops = index.data(TagModel::OpsRole).toULongLong();
    const bool isMissing = index.data(TagModel::MissingRole).toBool();
    const QColor color = isMissing ? theme.error : theme.dim;
    row.rest.setLeft(row.rest.left() + kUntaggedLeft);
    if (ops > 0) {
        row.rest.setRight(right - 12);
        row.paintRight(tr("N: next"), theme.dim);
    }
    row.rest.setRight(right - kOpsRight);
    row.paintRight(countText(ops, "op"), color);
    QFont font = row.font;
    if (isMissing)
        font.setWeight(QFont::DemiBold);
    row.setFont(font);
    row.paintLeft(index.data().toString(), color);
}

void TagDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    if (index.data(TagModel::UntaggedRole).toBool())
        return paintUntagged(row, index);
    const Theme& theme = currentTheme();
    const QRect whole = row.rest;
    const TagLook look = tagLooksOf(m_document, theme)[static_cast<std::size_t>(index.row())];
    paintMarks(row, index);
    row.painter.setPen(m_isHollow ? QPen(look.style.color, 1.5) : QPen(Qt::NoPen));
    row.painter.setBrush(m_isHollow ? QBrush(Qt::NoBrush) : tagBrush(look.style, theme));
    row.painter.drawRoundedRect(QRectF(swatch(whole)).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);

    QFont bold = row.font;
    bold.setWeight(QFont::Bold);
    row.setFont(bold);
    row.rest.setLeft(whole.left() + kCodeLeft);
    row.paintLeft(look.code, look.style.color, 6);
    row.rest.setLeft(std::max(row.rest.left(), whole.left() + kTagNameLeft));
    row.setFont(row.option.font);
    // The name takes precedence: if space is short, the ops are hidden, then the bytes.
    const QString ops = countText(index.data(TagModel::OpsRole).toULongLong(), "op");
    const QString bytes = bytesText(index.data(TagModel::BytesRole).toULongLong());
    // A backward tag is named after its forward tag, wherever it is in the list; the tooltip has the full name.
    const QString of = index.data(TagModel::BackwardOfRole).toString();
    const QString name = of.isEmpty() ? look.name : QStringLiteral("← ") + brief(of);
    const QFontMetrics metrics(row.font);
    const int wanted = metrics.horizontalAdvance(name);
    const auto roomBeside = [&](int figures) { return whole.right() - row.rest.left() - figures - 7; };
    const bool hasOps = wanted <= roomBeside(kOpsRight + metrics.horizontalAdvance(ops));
    const bool hasBytes = hasOps || wanted <= roomBeside(kMarksRight + metrics.horizontalAdvance(bytes));
    row.rest.setRight(whole.right() - kMarksRight);
    if (hasBytes)
        row.paintRight(bytes, theme.dim);
    if (hasOps) {
        row.rest.setRight(whole.right() - kOpsRight);
        row.paintRight(ops, theme.dim);
    }
    row.paintLeft(
        elidedName(name, QFontMetricsF(row.font), row.rest.width() - 8, of.isEmpty() ? namesBeside(index) : QStringList()),
        theme.text);
}

QWidget* TagDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto* editor = new QLineEdit(parent);
    editor->setAccessibleName(m_editsCode ? tr("Code of the tag") : tr("Name of the tag"));
    constexpr int kLongestCode = 3;
    if (m_editsCode)
        editor->setMaxLength(kLongestCode);
    editor->setStyleSheet(QStringLiteral("padding: 0 2px; border-radius: 3px;"));
    return editor;
}

void TagDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const
{
    constexpr int kCodeWidth = 52;
    if (m_editsCode)
        editor->setGeometry(
            QRect(option.rect.left() + kCodeLeft - 4, option.rect.top() + 1, kCodeWidth, option.rect.height() - 2));
    else
        editor->setGeometry(option.rect.adjusted(kTagNameLeft - 4, 1, -8, -1));
}

void TagDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* line = static_cast<QLineEdit*>(editor);
    line->setText(index.data(m_editsCode ? static_cast<int>(TagModel::CodeRole) : static_cast<int>(Qt::EditRole)).toString());
    line->selectAll();
}

void TagDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    const QString typed = static_cast<QLineEdit*>(editor)->text();
    const int role = m_editsCode ? static_cast<int>(TagModel::CodeRole) : static_cast<int>(Qt::EditRole);
    if (m_editsCode ? typed != index.data(role).toString() : true)
        model->setData(index, typed, role);
}

TagListView::TagListView(QWidget* parent) : QListView(parent)
{
    setDropIndicatorShown(false); // paintEvent() draws a line that is visible in every style
}

TagListView::Mark TagListView::markAt(const QPoint& at) const
{
    const QModelIndex index = indexAt(at);
    if (!index.isValid() || index.data(TagModel::UntaggedRole).toBool())
        return Mark::none;
    constexpr int kReach = 3; // tolerance, because the marks are small
    const auto isOn = [&](const QRect& mark) { return mark.adjusted(-kReach, -kReach, kReach, kReach).contains(at); };
    const QRect row = visualRect(index);
    // The color of an inactive tag belongs to its row: the first click activates the tag.
    if (isOn(TagDelegate::swatch(row)) && index.data(TagModel::ActiveRole).toBool())
        return Mark::swatch;
    return isOn(TagDelegate::eye(row)) ? Mark::eye : isOn(TagDelegate::lock(row)) ? Mark::lock : Mark::none;
}

void TagListView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? markAt(event->pos()) : Mark::none;
    if (m_pressed == Mark::none)
        QListView::mousePressEvent(event);
}

void TagListView::mouseReleaseEvent(QMouseEvent* event)
{
    const Mark pressed = std::exchange(m_pressed, Mark::none);
    if (pressed == Mark::none) {
        QListView::mouseReleaseEvent(event);
        return;
    }
    if (markAt(event->pos()) != pressed)
        return; // releasing elsewhere cancels
    const int row = indexAt(event->pos()).row();
    switch (pressed) {
    case Mark::swatch: emit swatchClicked(row); break;
    case Mark::lock: emit lockClicked(row); break;
    case Mark::eye: emit eyeClicked(row, event->modifiers().testFlag(Qt::AltModifier)); break;
    case Mark::none: break;
    }
}

/// A double click on a mark is two clicks, and does not start renaming.
void TagListView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (markAt(event->pos()) == Mark::none)
        QListView::mouseDoubleClickEvent(event);
    else
        mousePressEvent(event);
}

/// Drags a square in the tag's color, because an image of the row would cover the drop line.
void TagListView::startDrag(Qt::DropActions actions)
{
    constexpr int kSide = 14;
    const QModelIndex row = currentIndex();
    if (!row.isValid() || row.data(TagModel::UntaggedRole).toBool())
        return;
    QPixmap square(kSide, kSide);
    square.fill(row.data(Qt::DecorationRole).value<QColor>());
    auto* drag = new QDrag(this);
    drag->setMimeData(model()->mimeData({row}));
    drag->setPixmap(square);
    drag->setHotSpot({-kSide, -kSide});
    drag->exec(actions, Qt::MoveAction);
}

void TagListView::dragMoveEvent(QDragMoveEvent* event)
{
    QListView::dragMoveEvent(event);
    m_dragged = event->position().toPoint();
    viewport()->update();
}

int TagListView::gapAt(const QPoint& at) const
{
    const QModelIndex over = indexAt(at);
    const QRect row = over.isValid() ? visualRect(over) : visualRect(model()->index(model()->rowCount() - 1, 0));
    if (!over.isValid() || over.data(TagModel::UntaggedRole).toBool())
        return row.top(); // after the last tag
    // The rule of the drop. dropIndicatorPosition() is only updated if the style's own indicator is shown.
    return at.y() < row.center().y() ? row.top() : row.bottom() + 1;
}

void TagListView::paintEvent(QPaintEvent* event)
{
    QListView::paintEvent(event);
    if (state() != QAbstractItemView::DraggingState)
        return;
    const int line = gapAt(m_dragged);
    QPainter painter(viewport());
    painter.fillRect(QRect(4, std::max(0, line - 1), viewport()->width() - 8, 2), currentTheme().selection);
}

void TagListView::setRefusal(CellRefusal::Refusal refusal)
{
    m_refusal = new CellRefusal(*this, std::move(refusal));
}

void TagListView::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    if (m_refusal == nullptr || !m_refusal->holds(editor, hint))
        QListView::closeEditor(editor, hint);
}

} // namespace sunder

#include "moc_tag_list_view.cpp"
