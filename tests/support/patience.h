#pragma once

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QTest>

/// Tests wait for conditions, never for a fixed time. The limits only end tests that would hang; they are long enough for any
/// machine and set no performance targets.
namespace sunder::test {

inline constexpr int kHangMs = 60'000;

/// Handles pending events of this thread and everything that they cause: layouts, frames, and deferred calls.
inline void handlePending()
{
    do {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    } while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents));
}

/// Handles events until the condition holds; returns false on timeout.
template <typename Condition>
bool comes(const Condition& condition)
{
    return QTest::qWaitFor(condition, kHangMs);
}

} // namespace sunder::test

// Qt's default limit of 5 s is too short for a busy machine with sanitizers.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, sunder::test::kHangMs)
#define QTRY_VERIFY2(expr, messageExpression) QTRY_VERIFY2_WITH_TIMEOUT(expr, messageExpression, sunder::test::kHangMs)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, sunder::test::kHangMs)
