#include "panes/turns.h"

#include <QCoreApplication>

#include <utility>

namespace sunder {
namespace {
constexpr std::size_t kFollowedAtOnce = 50'000;
} // namespace

Turns::Turns() : QObject(QCoreApplication::instance())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(1); // 0 could fire in the same turn
    connect(&m_timer, &QTimer::timeout, this, &Turns::next);
}

Turns& Turns::instance()
{
    static QPointer<Turns> theTurns; // deleted with the application
    if (theTurns.isNull())
        theTurns = new Turns;
    return *theTurns;
}

void Turns::follow(QObject& context, What what, std::size_t nodes, std::function<void()> work)
{
    drop(context, what);
    if (nodes <= kFollowedAtOnce) {
        work();
        return;
    }
    Turns& turns = instance();
    turns.m_pieces.push_back({&context, what, std::move(work)});
    if (!turns.m_timer.isActive())
        turns.m_timer.start();
}

void Turns::drop(const QObject& context, What what)
{
    std::erase_if(instance().m_pieces, [&](const Piece& piece) { return piece.context == &context && piece.what == what; });
}

void Turns::next()
{
    while (!m_pieces.empty()) {
        const Piece piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        if (piece.context.isNull())
            continue;
        if (!m_pieces.empty())
            m_timer.start();
        piece.work();
        return;
    }
}

} // namespace sunder

#include "moc_turns.cpp"
