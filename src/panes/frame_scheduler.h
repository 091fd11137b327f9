#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <functional>

namespace sunder {

/// Schedules work of views on very many selected, found, or hovered nodes. Done together, it would block the window, so each
/// piece runs in its own turn of the event loop, in order. Lives in the window's thread.
class FrameScheduler final : public QObject {
    Q_OBJECT

public:
    enum class What : quint8 { selection, hover, hits };

    /// Runs `work` immediately if it concerns few nodes; otherwise in its own turn, unless `context` is deleted by then. Replaces
    /// pending work of the same context and kind.
    static void follow(QObject& context, What what, std::size_t nodes, std::function<void()> work);
    static void drop(const QObject& context, What what);

private:
    struct Piece {
        QPointer<QObject> context;
        What what;
        std::function<void()> work;
    };

    FrameScheduler();
    static FrameScheduler& instance();
    void next();

    std::deque<Piece> m_pieces;
    QTimer m_timer;
};

} // namespace sunder
