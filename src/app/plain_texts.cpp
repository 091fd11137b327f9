#include "app/plain_texts.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QMessageBox>

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
        return false;
    }

private:
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
