#pragma once

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QTest>

/// Tests wait for what is to come, never for a while. The limits are so wide that no machine is too slow for them: they end
/// a test that would wait for ever, and hold nobody to any speed.
namespace sunder::test {

inline constexpr int kHangMs = 60'000;

/// Handles what is pending in this thread, and what comes of that: layouts, frames, what was put off to the next turn.
inline void handlePending()
{
    do {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    } while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents));
}

/// Handles events until it holds; false when it never does.
template <typename Condition>
bool comes(const Condition& condition)
{
    return QTest::qWaitFor(condition, kHangMs);
}

} // namespace sunder::test

// Qt's own limit is 5 s, which a busy machine with sanitizers needs.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, sunder::test::kHangMs)
#define QTRY_VERIFY2(expr, messageExpression) QTRY_VERIFY2_WITH_TIMEOUT(expr, messageExpression, sunder::test::kHangMs)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, sunder::test::kHangMs)
