#include "layout/box_layout.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Keeps the longest processor time between two cancellation checks.
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
    /// Returns the total time.
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

/// Cancels from a given check on and counts the checks.
class CancelAt final : public ProgressMonitor {
public:
    explicit CancelAt(int question) : m_question(question) {}
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override { return ++m_asked >= m_question; }
    [[nodiscard]] int asked() const { return m_asked; }

private:
    int m_question;
    mutable std::atomic<int> m_asked = 0;
};

/// Records the reported progress.
class ToldMonitor final : public ProgressMonitor {
public:
    void report(double fraction, std::string_view) override { m_told.push_back(fraction); }
    [[nodiscard]] bool isCancelled() const override { return false; }
    [[nodiscard]] const std::vector<double>& told() const { return m_told; }

private:
    std::vector<double> m_told;
};

#ifdef SUNDER_SANITIZED
// Sanitizer checks make some steps much longer than others, so the strict limit holds only without them.
constexpr unsigned kMany = 20'000;
constexpr double kMaxShare = 1.0 / 4;
#else
constexpr unsigned kMany = 100'000;
constexpr double kMaxShare = 1.0 / 8;
#endif

int questionsOf(const BoxGraph& graph)
{
    CancelAt monitor(std::numeric_limits<int>::max());
    return makeLayeredEngine()->layout(graph, {}, monitor) ? monitor.asked() : 0;
}

} // namespace

/// The layered engine checks for cancellation often enough and stops when canceled.
class LayeredCancelTest final : public QObject {
    Q_OBJECT
private slots:
    /// Including a connected graph.
    void saysHowFarItIs()
    {
        ToldMonitor monitor;
        QVERIFY(makeLayeredEngine()->layout(randomGraph(1, 2000, 3, 10), {}, monitor).has_value());
        QVERIFY(monitor.told().size() > 4);
        QVERIFY(monitor.told().front() < 0.5);
        QVERIFY(std::ranges::all_of(monitor.told(), [](double fraction) { return fraction >= 0 && fraction < 1.001; }));
        QVERIFY(monitor.told().back() > 0.999);
    }

    void asksOftenWhetherItIsCancelled()
    {
        // The time between two checks bounds the wait after a cancel. It is measured in processor time of this thread, which load
        // on the machine does not lengthen, and as a share of the total: 200 ms of at least 2 s. The best of three trials counts,
        // which filters out disturbances.
        const BoxGraph graph = randomGraph(7, kMany, 3, 60);
        double share = 1;
        for (int trial = 0; trial < 3 && share >= kMaxShare; ++trial) {
            AskedMonitor monitor;
            const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, monitor);
            QVERIFY(layout.has_value());
            const double whole = monitor.finish();
            qInfo("%.0f ms of processor time, at most %.1f ms between two questions", whole, monitor.longest());
            share = std::min(share, monitor.longest() / whole);
        }
        QVERIFY2(share < kMaxShare, qPrintable(QString::number(share)));
    }

    void asksMoreOftenWhereThereIsMoreToDo()
    {
        const int few = questionsOf(randomGraph(5, 5'000, 3, 60));
        const int many = questionsOf(randomGraph(5, 20'000, 3, 60));
        qInfo("%d questions over 5,000 boxes, %d over 20,000", few, many);
        QVERIFY(few > 100);
        QVERIFY(many > 2 * few);
    }

    /// At most eight further checks follow a cancel at any point.
    void endsWhenCancelled()
    {
        const BoxGraph graph = randomGraph(5, 5'000, 3, 60);
        const int questions = questionsOf(graph);
        for (int i = 1; i <= 24; ++i) {
            const int question = 1 + (questions - 1) * i / 24;
            CancelAt monitor(question);
            const Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, {}, monitor);
            QVERIFY2(!layout, qPrintable(QString("question %1 of %2").arg(question).arg(questions)));
            QCOMPARE(layout.error().code, ErrorCode::cancelled);
            QVERIFY2(monitor.asked() - question <= 8,
                     qPrintable(QString("%1 questions after question %2 of %3")
                                    .arg(monitor.asked() - question)
                                    .arg(question)
                                    .arg(questions)));
        }
    }
};

const test::Registered<LayeredCancelTest> layeredCancelTest("layered_cancel_test");
#include "layered_cancel_test.moc"
