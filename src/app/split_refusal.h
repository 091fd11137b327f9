#pragma once

#include <QObject>

class QMainWindow;

namespace sunder {

struct Actions;
class NoticeBar;
class Session;
class WorkArea;

/// Shows why a split was refused: in the problems, and below the button of the pass until the reason may have been fixed. Takes no
/// focus and moves no other widget.
class SplitRefusal final : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this object.
    SplitRefusal(Session& session, const Actions& actions, WorkArea& work, QMainWindow& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(const QString& why);
    void place();

    const Actions& m_actions;
    WorkArea& m_work;
    QMainWindow& m_window;
    NoticeBar* m_notice;
};

} // namespace sunder
