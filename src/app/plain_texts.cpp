#include "app/plain_texts.h"

#include "text/present_keys.h"

#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QMessageBox>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace sunder {
namespace {

constexpr QSize kLargestTip(1000, 800);
constexpr int kWidestHeadline = 560; ///< a longer one is wrapped

/// Every label is polished before its text is first laid out, which is when markup would be read.
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
        if (event->type() == QEvent::Show)
            if (auto* box = qobject_cast<QMessageBox*>(watched))
                showWhole(*box);
        return event->type() == QEvent::ToolTip && watched->isWidgetType()
            && showsPresentKeys(static_cast<QWidget&>(*watched), static_cast<QHelpEvent&>(*event));
    }

private:
    /// Shows the tooltip itself where its keys are others now.
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

    /// Below a headline that is longer than the text under it, Qt makes the box as wide as that text, and cuts the headline.
    static void showWhole(QMessageBox& box)
    {
        if (auto* headline = box.findChild<QLabel*>(QStringLiteral("qt_msgbox_label")))
            headline->setMinimumWidth(
                std::max(headline->minimumWidth(), std::min(headline->sizeHint().width(), kWidestHeadline)));
    }
};

} // namespace

void keepTextsPlain()
{
    if (qApp->findChild<QObject*>(QStringLiteral("plainTexts"), Qt::FindDirectChildrenOnly) == nullptr)
        new PlainTexts(*qApp);
}

} // namespace sunder
