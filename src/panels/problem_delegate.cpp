#include "panels/problem_delegate.h"

#include "models/problem_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/elided_name.h"

#include <QAbstractItemView>
#include <QPainter>

namespace sunder {
namespace {
constexpr int kProblemRow = 28;
constexpr int kIndent = 20; ///< of problems that are resolved with the row above
} // namespace

void ProblemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, selectedRow(theme));
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, theme.soft);
    const auto severity = static_cast<Severity>(index.data(ProblemModel::SeverityRole).toInt());
    const QColor color = severity == Severity::error ? theme.error : severity == Severity::warning ? theme.warning : theme.dim;
    const bool goesWith = index.data(ProblemModel::GoesWithRole).toBool();
    const int left = 12 + (goesWith ? kIndent : 0);
    paintIcon(*painter, index.data(ProblemModel::IconRole).toString(),
              QRectF(option.rect.left() + left, option.rect.center().y() - 5.5, 12, 12), color);
    QRect text = option.rect.adjusted(left + 22, 0, -12, 0);
    if (const auto* view = qobject_cast<const QAbstractItemView*>(option.widget))
        if (const QWidget* buttons = view->indexWidget(index))
            text.setRight(option.rect.right() - buttons->sizeHint().width() - 8);
    painter->setFont(option.font);
    painter->setPen(goesWith ? theme.dim : theme.text);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      elidedWords(index.data().toString(), QFontMetricsF(option.font), text.width()));
    painter->restore();
}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, std::max(kProblemRow, option.fontMetrics.height() + 8)};
}

} // namespace sunder

#include "moc_problem_delegate.cpp"
