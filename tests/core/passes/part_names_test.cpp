// Facts about a split: names before and after, and the part of each node.
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_tables.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class PartNamesTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_source = test::programFromText("x = placeholder()\n"
                                         "a = relu(x)\n"
                                         "b = relu(a)\n"
                                         "c = add(a, b)\n"
                                         "output(c)\n");
        const std::vector<TagPair> tags{{intern("a"), intern("p")}, {intern("b"), intern("p")}, {intern("c"), intern("q")}};
        Result<SplitResult> split = splitByTags(m_source, assignTags(m_source.rootGraph(), {intern("p"), intern("q")}, tags));
        QVERIFY(split.has_value());
        m_split = std::move(*split);
    }

    void everyPartIsCalled()
    {
        const std::vector<NodeId> calls = callsOfParts(m_split);
        QCOMPARE(calls.size(), 2U);
        for (std::size_t part = 0; part < calls.size(); ++part)
            QCOMPARE(m_split.program.rootGraph()[calls[part]].target, m_split.partNames[part]);
    }

    void callsAndWhatReadsTheirResultsBelongToParts()
    {
        const std::vector<std::int32_t> table = partTableOf(m_split, -1);
        const Graph& main = m_split.program.rootGraph();
        for (const NodeId id : main.nodes())
            QCOMPARE(table[id.index()] == TagAssignment::kTakesNoTag, !main[id].isCall());
        QCOMPARE(table[callsOfParts(m_split)[1].index()], 1);
    }

    void inAPartAllCallsAreItsOwn()
    {
        const std::vector<std::int32_t> table = partTableOf(m_split, 0);
        const Graph& part = m_split.program.graph(m_split.parts[0]);
        for (const NodeId id : part.nodes())
            QCOMPARE(table[id.index()], part[id].isCall() ? 0 : TagAssignment::kTakesNoTag);
    }

    void namesSayWhereEachOpIs()
    {
        const auto names = makeNameTable(m_source, m_split, ProgressMonitor::none());
        QVERIFY(names.has_value());
        QStringList ops;
        for (const NameRow& row : **names)
            if (row.kind == NameKind::op)
                ops << QString::fromStdString(row.source.str() + " " + row.result.str()) + QString::number(row.part);
        QCOMPARE(ops, (QStringList{"a a0", "b b0", "c c1"}));
    }

private:
    Program m_source;
    SplitResult m_split;
};

const test::Registered<PartNamesTest> partNamesTest("part_names_test");
#include "part_names_test.moc"
