#include "layout/box_layout.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Keeps the longest processor time between two questions whether the work is cancelled.
class AskedMonitor final : public ProgressMonitor {
public:
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override
    {
        const double now = milliseconds();
        m_longest = std::max(m_longest, now - m_last);
        m_last = now;
        return false;
    }
    /// The whole time.
    double finish()
    {
        static_cast<void>(isCancelled());
        return m_last - m_first;
    }
    [[nodiscard]] double longest() const { return m_longest; }

private:
    static double milliseconds()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }

    double m_first = milliseconds();
    mutable double m_last = m_first;
    mutable double m_longest = 0;
};

class CancelAfter final : public ProgressMonitor {
public:
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override { return m_cancelled; }
    std::atomic<bool> m_cancelled = false;
};

} // namespace

/// The layered engine asks often enough whether it is cancelled, and ends when it is.
class LayeredCancelTest final : public QObject {
    Q_OBJECT
private slots:
    void asksOftenWhetherItIsCancelled()
    {
        // Between two questions lies what a cancel waits for at most. Measured in processor time of this thread, which
        // a busy machine does not lengthen, and as a share of the whole: 200 ms of the 2 s that this takes at least.
        const BoxGraph graph = randomGraph(7, 100'000, 3, 60);
        AskedMonitor monitor;
        const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, monitor);
        QVERIFY(layout.has_value());
        const double whole = monitor.finish();
        qInfo("%.0f ms of processor time, at most %.1f ms between two questions", whole, monitor.longest());
        QVERIFY2(monitor.longest() < whole / 8, qPrintable(QString("%1 ms of %2 ms").arg(monitor.longest()).arg(whole)));
    }

    void endsSoonWhenCancelled()
    {
        const BoxGraph graph = randomGraph(5, 150'000, 3, 60);
        CancelAfter monitor;
        QElapsedTimer sinceCancel;
        std::thread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            sinceCancel.start();
            monitor.m_cancelled = true;
        });
        const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, monitor);
        canceller.join();
        if (layout)
            QSKIP("the layout was done before it could be cancelled");
        QCOMPARE(layout.error().code, ErrorCode::cancelled);
        // Well under 200 ms on a quiet machine in release; instrumented builds on a busy one take longer.
        QVERIFY2(sinceCancel.elapsed() < 5000, qPrintable(QString::number(sinceCancel.elapsed())));
    }
};

const test::Registered<LayeredCancelTest> layeredCancelTest("layered_cancel_test");
#include "layered_cancel_test.moc"
