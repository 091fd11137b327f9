#include "app/plain_texts.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace sunder {

namespace {

constexpr QSize kLargestTip(1000, 800);

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
};

} // namespace

void keepTextsPlain()
{
    if (qApp->findChild<QObject*>(QStringLiteral("plainTexts"), Qt::FindDirectChildrenOnly) == nullptr)
        new PlainTexts(*qApp);
}

} // namespace sunder
