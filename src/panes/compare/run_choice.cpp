#include "panes/compare/run_choice.h"

#include "text/elided_name.h"
#include "text/shown_text.h"

#include <QEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace sunder {

RunChoice::RunChoice(QWidget* parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RunChoice::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    constexpr int kPadding = 8; // padding of the text, left and right together
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = elidedName(option.currentText, QFontMetricsF(font()), room.width() - kPadding);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool RunChoice::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        if (m_tip.isEmpty())
            m_tip = toolTip();
        setToolTip(currentText().isEmpty() ? m_tip : folded(QStringLiteral("%1\n%2").arg(m_tip, currentText())));
    }
    return QComboBox::event(event);
}

} // namespace sunder

#include "moc_run_choice.cpp"
