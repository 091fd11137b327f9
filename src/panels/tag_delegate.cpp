#include "panels/tag_delegate.h"

#include "document/text.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/amounts.h"
#include "text/elided_name.h"

#include <QLineEdit>
#include <QPainter>

namespace sunder {
namespace {

constexpr int kTagRow = 24;
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

/// An open lock is only visible on hover.
void TagDelegate::paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isLocked = index.data(TagModel::LockedRole).toBool();
    const bool isHidden = index.data(TagModel::HiddenRole).toBool();
    if (isLocked || option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus))
        paintIcon(painter, isLocked ? QStringLiteral("lock") : QStringLiteral("unlock"), lock(option.rect),
                  isLocked ? theme.text : theme.faint);
    paintIcon(painter, isHidden ? QStringLiteral("eye-off") : QStringLiteral("eye"), eye(option.rect),
              isHidden ? theme.text : theme.faint);
}

void TagDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const QRect row = option.rect;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QString ops = countText(index.data(TagModel::OpsRole).toULongLong(), "op");
    const QRect opsRect(row.right() - kOpsRight - 70, row.top(), 70, row.height());

    if (index.data(TagModel::UntaggedRole).toBool()) {
        const bool any = index.data(TagModel::OpsRole).toULongLong() > 0;
        if (option.state & QStyle::State_MouseOver)
            painter->fillRect(row, theme.soft);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        const bool isMissing = index.data(TagModel::MissingRole).toBool();
        painter->setPen(isMissing ? theme.error : theme.dim);
        painter->setFont(isMissing ? bold : option.font);
        painter->drawText(row.adjusted(24, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->setFont(option.font);
        painter->drawText(opsRect, Qt::AlignRight | Qt::AlignVCenter, ops);
        painter->setPen(theme.dim);
        if (any)
            painter->drawText(row.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, tr("N: next"));
        painter->restore();
        return;
    }

    const TagLook look = tagLooksOf(m_document, theme)[static_cast<std::size_t>(index.row())];
    const QColor ground = index.data(TagModel::ActiveRole).toBool()
        ? activeRow(theme, look.style.color)
        : rowGround(theme, false, option.state.testFlag(QStyle::State_MouseOver));
    painter->fillRect(row, ground);
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(theme.selection);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(row).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    }
    painter->setPen(m_isHollow ? QPen(look.style.color, 1.5) : QPen(Qt::NoPen));
    painter->setBrush(m_isHollow ? QBrush(Qt::NoBrush) : tagBrush(look.style, theme));
    painter->drawRoundedRect(QRectF(swatch(row)).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);

    QFont bold = option.font;
    bold.setWeight(QFont::Bold);
    painter->setFont(bold);
    painter->setPen(readable(look.style.color, ground));
    painter->drawText(row.adjusted(kCodeLeft, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, look.code);
    painter->setFont(option.font);
    painter->setPen(theme.text);
    // The name takes precedence: if space is short, the ops are hidden, then the bytes.
    const QString bytes = bytesText(index.data(TagModel::BytesRole).toULongLong());
    // A backward tag is named after its forward tag, wherever it is in the list; the tooltip has the full name.
    const QString of = index.data(TagModel::BackwardOfRole).toString();
    const QString name = of.isEmpty() ? look.name : QStringLiteral("← ") + brief(of);
    const int wanted = option.fontMetrics.horizontalAdvance(name);
    const int left = std::max(kTagNameLeft, kCodeLeft + QFontMetrics(bold).horizontalAdvance(look.code) + 6);
    const auto roomBeside = [&](int figures) { return row.width() - left - figures - 8; };
    const int bytesWidth = kMarksRight + option.fontMetrics.horizontalAdvance(bytes);
    const int bothWidth = kOpsRight + option.fontMetrics.horizontalAdvance(ops);
    const bool hasOps = wanted <= roomBeside(bothWidth);
    const bool hasBytes = hasOps || wanted <= roomBeside(bytesWidth);
    const int room = roomBeside(hasOps ? bothWidth : hasBytes ? bytesWidth : kMarksRight);
    painter->drawText(row.adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      elidedName(name, QFontMetricsF(option.font), room, of.isEmpty() ? namesBeside(index) : QStringList()));
    painter->setPen(theme.dim);
    if (hasOps)
        painter->drawText(opsRect, Qt::AlignRight | Qt::AlignVCenter, ops);
    if (hasBytes)
        painter->drawText(row.adjusted(0, 0, -kMarksRight, 0), Qt::AlignRight | Qt::AlignVCenter, bytes);
    paintMarks(*painter, option, index);
    painter->restore();
}

QSize TagDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, std::max(kTagRow, option.fontMetrics.height() + 6)};
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

} // namespace sunder

#include "moc_tag_delegate.cpp"
