#include "panels/step_delegate.h"

#include "models/step_model.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "text/elided_name.h"

#include <QPainter>

namespace sunder {
namespace {
constexpr int kStepRow = 22;
constexpr int kStepLeft = 32;
} // namespace

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const bool isPresent = index.data(StepModel::PresentRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(
        option.rect,
        rowGround(theme, option.state.testFlag(QStyle::State_Selected), option.state.testFlag(QStyle::State_MouseOver)));
    if (isPresent)
        paintIcon(*painter, QStringLiteral("next"), QRectF(option.rect.left() + 12, option.rect.center().y() - 5.5, 12, 12),
                  theme.selection);
    QRect text = option.rect.adjusted(kStepLeft, 0, -12, 0);
    painter->setFont(option.font);
    if (index.data(StepModel::SavedRole).toBool()) {
        const QString saved = index.row() == 0 ? tr("as opened") : tr("saved");
        painter->setPen(theme.dim);
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, saved);
        text.setRight(text.right() - option.fontMetrics.horizontalAdvance(saved) - 12);
    }
    QFont font = option.font;
    font.setBold(isPresent);
    painter->setFont(font);
    painter->setPen(index.data(StepModel::UndoneRole).toBool() ? theme.dim : theme.text);
    if (index.data(StepModel::UndoneRole).toBool()) {
        font.setItalic(true);
        painter->setFont(font);
    }
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      elidedWords(index.data().toString(), QFontMetricsF(painter->font()), text.width()));
    painter->restore();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, std::max(kStepRow, option.fontMetrics.height() + 4)};
}

} // namespace sunder

#include "moc_step_delegate.cpp"
