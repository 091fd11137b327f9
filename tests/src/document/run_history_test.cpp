#include "document/runs/regions_outcome.h"
#include "document/runs/run_history.h"
#include "document/runs/split_outcome.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

RunResult searched()
{
    return std::make_shared<const RegionsOutcome>();
}

RunResult cut()
{
    return std::make_shared<const SplitOutcome>();
}

std::vector<int> numbersIn(const RunHistory& history)
{
    std::vector<int> numbers;
    for (const Run& run : history.runs())
        numbers.push_back(run.number);
    return numbers;
}

} // namespace

/// Kept runs, shown runs, and runs that are dropped.
class RunHistoryTest final : public QObject {
    Q_OBJECT
private slots:
    void init() { m_history = RunHistory(); }

    void countsUpAndFinds()
    {
        QCOMPARE(m_history.add(searched(), m_gone), 1);
        QCOMPARE(m_history.add(cut(), m_gone), 2);
        QCOMPARE(m_history.find(2)->kind(), SplitOutcome::kKind);
        QVERIFY(m_history.find(3) == nullptr);
        m_history.remove(2);
        QCOMPARE(m_history.add(cut(), m_gone), 3); // numbers are not reused
        QCOMPARE(numbersIn(m_history), (std::vector{1, 3}));
        QVERIFY(m_gone.empty());
    }

    /// A group that could not be shared saves nothing, though it repeats.
    void aDeduplicationSaysWhatItSaved()
    {
        RegionsOutcome outcome;
        outcome.regions.groups = {{.length = 2, .nodes = std::vector<NodeId>(6)},
                                  {.length = 5, .nodes = std::vector<NodeId>(10)}};
        const auto said = [](RegionsOutcome made) { return outcomeOf({.result = std::make_shared<const RegionsOutcome>(made)}); };
        QCOMPARE(said(outcome), QStringLiteral("2 groups, 9 ops saved"));
        outcome.dedup.emplace();
        QCOMPARE(said(outcome), QStringLiteral("0 of 2 groups shared, 0 ops saved"));
        outcome.dedup->subgraphs.resize(1);
        outcome.dedup->subgraphs[0].calls = std::vector<NodeId>(2); // of the first group
        QCOMPARE(said(outcome), QStringLiteral("1 of 2 groups shared, 2 ops saved"));
    }

    void showsOneOfEachKind()
    {
        m_history.add(searched(), m_gone);
        m_history.add(cut(), m_gone);
        m_history.add(cut(), m_gone);
        QCOMPARE(m_history.shown(SplitOutcome::kKind), 0);
        m_history.show(SplitOutcome::kKind, 2);
        m_history.show(RegionsOutcome::kKind, 1);
        m_history.show(SplitOutcome::kKind, 3);
        QCOMPARE(m_history.shown(SplitOutcome::kKind), 3);
        QVERIFY(!m_history.isShown(*m_history.find(2)));
        QCOMPARE(m_history.allShown(), (std::vector{m_history.find(1), m_history.find(3)}));
        m_history.show(SplitOutcome::kKind, 0);
        QCOMPARE(m_history.allShown(), (std::vector{m_history.find(1)}));
    }

    void whatLeftComesBackToItsPlace()
    {
        for (int i = 0; i < 3; ++i)
            m_history.add(searched(), m_gone);
        const Run second = *m_history.find(2);
        m_history.remove(2);
        m_history.insert(second);
        QCOMPARE(numbersIn(m_history), (std::vector{1, 2, 3}));
    }

    void swapsNamesAndResults()
    {
        m_history.add(searched(), m_gone);
        QString name = "mine";
        m_history.swapName(1, name);
        QCOMPARE(m_history.find(1)->name, QString("mine"));
        QCOMPARE(name, QString());
        m_history.swapName(7, name = "nobody's");
        QCOMPARE(name, QString("nobody's"));
        const RunResult before = m_history.find(1)->result;
        const RunResult other = cut();
        QCOMPARE(m_history.replace(1, other), before);
        QCOMPARE(m_history.find(1)->result, other);
        QVERIFY(m_history.replace(7, other) == nullptr);
    }

    void tooManyPushOutTheOldestWithoutAName()
    {
        for (int i = 0; i < 100; ++i)
            m_history.add(searched(), m_gone);
        QString name = "mine";
        m_history.swapName(1, name);
        m_history.add(searched(), m_gone);
        QCOMPARE(m_gone.size(), std::size_t(1));
        QCOMPARE(m_gone.front().number, 2);
        QVERIFY(m_history.find(1) != nullptr);
        QCOMPARE(m_history.runs().size(), std::size_t(100));
    }

    void tooManyNodesPushOutTheOldest()
    {
        auto large = std::make_shared<SplitOutcome>();
        std::string lines = "n0 = placeholder()\n";
        for (int i = 1; i < 1'500'000; ++i) // of the total limit of 4 million
            lines += 'n' + std::to_string(i) + " = relu(n0)\n";
        large->split.program = test::programFromText(lines + "output(n0)\n");
        for (int i = 0; i < 3; ++i)
            m_history.add(large, m_gone);
        QCOMPARE(numbersIn(m_history), (std::vector{2, 3}));
        QCOMPARE(m_gone.size(), std::size_t(1));
    }

    void aPreviewHasANumberOfItsOwn()
    {
        m_history.add(searched(), m_gone);
        const int first = m_history.setPreview(cut());
        QVERIFY(first < 0);
        QVERIFY(m_history.find(first) != nullptr);
        QCOMPARE(m_history.runs().size(), std::size_t(1));
        const int second = m_history.setPreview(cut());
        QVERIFY(second != first);
        QVERIFY(m_history.find(first) == nullptr);
        QCOMPARE(m_history.takePreview()->number, second);
        QVERIFY(!m_history.takePreview());
    }

    void anotherModelBeginsAnew()
    {
        m_history.add(searched(), m_gone);
        m_history.show(RegionsOutcome::kKind, 1);
        m_history.setPreview(cut());
        m_history.clear(m_gone);
        QCOMPARE(m_gone.size(), std::size_t(2));
        QVERIFY(m_history.runs().empty());
        QCOMPARE(m_history.shown(RegionsOutcome::kKind), 0);
        QCOMPARE(m_history.add(searched(), m_gone), 1);
    }

    void cleanup() { m_gone.clear(); }

private:
    RunHistory m_history;
    RunHistory::Gone m_gone;
};

const test::Registered<RunHistoryTest> runHistoryTest("run_history_test");
#include "run_history_test.moc"
