#pragma once

#include "document/document.h"

#include <QObject>

class QMainWindow;

namespace sunder {

class NoticeBar;

/// Shows below the button of a pass why it was refused, until the reason may have been fixed. Takes no focus and moves no other
/// widget.
class SplitRefusal final : public QObject {
    Q_OBJECT

public:
    SplitRefusal(Document& document, QMainWindow& window);

    void show(const QString& headline, const QString& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QMainWindow& m_window;
    NoticeBar* m_notice;
};

} // namespace sunder
