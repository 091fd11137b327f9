#include "panes/frame_scheduler.h"

#include <QCoreApplication>

#include <utility>

namespace sunder {
namespace {
constexpr std::size_t kFollowedAtOnce = 50'000;
} // namespace

FrameScheduler::FrameScheduler() : QObject(QCoreApplication::instance())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(1); // 0 could fire in the same turn
    connect(&m_timer, &QTimer::timeout, this, &FrameScheduler::next);
}

FrameScheduler& FrameScheduler::instance()
{
    static QPointer<FrameScheduler> theScheduler; // deleted with the application
    if (theScheduler.isNull())
        theScheduler = new FrameScheduler;
    return *theScheduler;
}

void FrameScheduler::follow(QObject& context, What what, std::size_t nodes, std::function<void()> work)
{
    drop(context, what);
    if (nodes <= kFollowedAtOnce) {
        work();
        return;
    }
    FrameScheduler& scheduler = instance();
    scheduler.m_pieces.push_back({&context, what, std::move(work)});
    if (!scheduler.m_timer.isActive())
        scheduler.m_timer.start();
}

void FrameScheduler::drop(const QObject& context, What what)
{
    std::erase_if(instance().m_pieces, [&](const Piece& piece) { return piece.context == &context && piece.what == what; });
}

void FrameScheduler::next()
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

#include "moc_frame_scheduler.cpp"
