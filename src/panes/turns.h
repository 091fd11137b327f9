#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <functional>

namespace sunder {

/// What views do when another one selects, finds or hovers over very many nodes. Together they would hold the window up: each
/// has a turn of the event loop of its own, in the order in which they came. Lives in the window's thread.
class Turns final : public QObject {
    Q_OBJECT

public:
    enum class What : quint8 { selection, hover, hits };

    /// Does `work` at once when it is about few nodes; else in a turn of its own, unless `context` is gone by then. What
    /// waits for the same context about the same is not done any more.
    static void follow(QObject& context, What what, std::size_t nodes, std::function<void()> work);
    static void drop(const QObject& context, What what);

private:
    struct Piece {
        QPointer<QObject> context;
        What what;
        std::function<void()> work;
    };

    Turns();
    static Turns& instance();
    void next();

    std::deque<Piece> m_pieces;
    QTimer m_timer;
};

} // namespace sunder
