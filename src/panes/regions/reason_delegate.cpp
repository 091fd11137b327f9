#include "panes/regions/reason_delegate.h"

#include "models/tag_style_of.h"
#include "panes/regions/reason_model.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

namespace sunder {
namespace {
constexpr QMargins kMargins(4, 3, 4, 3);

/// Returns the width of a line of text. The scroll bar is always subtracted, because its visibility depends on the row heights.
int textWidth(const QWidget* widget)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    const int width = view == nullptr ? 160
                                      : view->width() - view->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, view);
    return std::max(40, width - kMargins.left() - kMargins.right());
}

/// Allows names longer than a line to break after dots and underscores.
QString breakable(const QString& text, const QFont& font, int width)
{
    constexpr QChar kBreak(0x200B); // zero-width space
    const QFontMetrics metrics(font);
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words)
        if (metrics.horizontalAdvance(word) > width)
            for (const QChar mark : {QLatin1Char('.'), QLatin1Char('_')})
                word.replace(mark, QString(mark) + kBreak);
    return words.join(QLatin1Char(' '));
}

/// Breaks the text into lines of this width and paints it at `at` if there is a painter. Breaks within a word only if it is
/// longer than a line. Returns the height.
int layOut(const QString& text, const QFont& font, int width, QPainter* painter, QPoint at)
{
    QTextLayout layout(breakable(text, font, width), font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, height});
        height += line.height();
    }
    layout.endLayout();
    if (painter != nullptr)
        layout.draw(painter, at);
    return qCeil(height);
}

} // namespace

void ReasonDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    const QColor ground = option.state.testFlag(QStyle::State_Selected) ? selectedRow(theme)
        : option.state.testFlag(QStyle::State_MouseOver)                ? theme.soft
                                                                        : theme.panel;
    painter->fillRect(option.rect, ground);
    painter->setPen(readable(index.data(ReasonModel::WarningRole).toBool() ? theme.warning : theme.dim, ground));
    layOut(index.data().toString(), option.font, textWidth(option.widget), painter,
           option.rect.marginsRemoved(kMargins).topLeft());
    painter->restore();
}

QSize ReasonDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = textWidth(option.widget);
    return {width, layOut(index.data().toString(), option.font, width, nullptr, {}) + kMargins.top() + kMargins.bottom()};
}

} // namespace sunder

#include "moc_reason_delegate.cpp"
