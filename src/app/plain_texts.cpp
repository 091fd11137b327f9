#include "app/plain_texts.h"

#include "text/present_keys.h"

#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QToolButton>
#include <QToolTip>

namespace sunder {
namespace {

constexpr QSize kLargestTip(1000, 800);

/// Makes labels plain when they are polished, which happens before Qt looks for markup in their text.
class PlainTexts final : public QObject {
public:
    explicit PlainTexts(QApplication& application) : QObject(&application)
    {
        setObjectName(QStringLiteral("plainTexts"));
        application.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Polish)
            if (auto* label = qobject_cast<QLabel*>(watched))
                makePlain(*label);
        return event->type() == QEvent::ToolTip && watched->isWidgetType()
            && showsPresentKeys(static_cast<QWidget&>(*watched), static_cast<QHelpEvent&>(*event));
    }

private:
    /// Shows the tooltip with current shortcuts if they differ from the default ones.
    static bool showsPresentKeys(QWidget& widget, const QHelpEvent& event)
    {
        const auto* button = qobject_cast<QToolButton*>(&widget);
        if (widget.property(kTipOfCommand).toBool() || (button != nullptr && button->defaultAction() != nullptr))
            return false;
        const QString tip = widget.toolTip();
        const QString shown = withPresentKeys(tip);
        if (shown == tip)
            return false;
        QToolTip::showText(event.globalPos(), shown, &widget, {}, widget.toolTipDuration());
        return true;
    }

    static void makePlain(QLabel& label)
    {
        if (label.textFormat() == Qt::AutoText)
            label.setTextFormat(Qt::PlainText);
        if (label.windowType() == Qt::ToolTip)
            label.setMaximumSize(kLargestTip);
    }
};

} // namespace

void keepTextsPlain()
{
    if (qApp->findChild<QObject*>(QStringLiteral("plainTexts"), Qt::FindDirectChildrenOnly) == nullptr)
        new PlainTexts(*qApp);
}

} // namespace sunder
