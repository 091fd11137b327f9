#include "verify/trace_containers.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::TracedProgram;

namespace {

constexpr std::string_view kNothingMuch = "x = input; return x";

/// Returns `value[key]`, or an invalid id if it is unknown.
ValueId itemAt(TracedProgram& traced, ValueId value, ValueId key)
{
    return traced.containers.itemOf(traced.draft.at(value), traced.draft.at(key)).value_or(ValueId());
}

std::vector<ValueId> itemsIn(const TracedProgram& traced, ValueId value)
{
    const std::span<const ValueId> items = traced.draft.trace.items(traced.draft.at(value));
    return {items.begin(), items.end()};
}

} // namespace

/// Python's operations on lists, tuples, and dicts, applied to values of a trace.
class TraceContainersTest final : public QObject {
    Q_OBJECT
private slots:
    void countsItemsFromBothEnds()
    {
        TracedProgram traced(kNothingMuch);
        const ValueId first = traced.leaf();
        const ValueId last = traced.leaf();
        const ValueId list = traced.list({first, last});
        QCOMPARE(itemAt(traced, list, traced.number(0)), first);
        QCOMPARE(itemAt(traced, list, traced.number(-1)), last);
        QVERIFY(!itemAt(traced, list, traced.number(2)).isValid());
        QVERIFY(!itemAt(traced, list, traced.number(-3)).isValid());
        QVERIFY(!itemAt(traced, list, traced.leaf()).isValid());
        QVERIFY(!itemAt(traced, list, traced.constant(Argument::string(intern("a")))).isValid());
    }

    void takesTheLastOfEqualKeys()
    {
        TracedProgram traced(kNothingMuch);
        const TermId a = traced.terms.text(intern("a"));
        const std::array keys{a, traced.terms.text(intern("b")), a};
        const std::array items{traced.leaf(), traced.leaf(), traced.leaf()};
        const ValueId dict = traced.containers.container(traced.containers.shapeOf(ArgumentKind::dict, {}, keys), items);
        QCOMPARE(itemAt(traced, dict, traced.draft.constant(a)), items[2]);
        QVERIFY(!itemAt(traced, dict, traced.number(0)).isValid());
    }

    void slicesAsPythonDoes_data()
    {
        QTest::addColumn<QList<int>>("slice"); // 99 means None
        QTest::addColumn<QList<int>>("places");
        QTest::newRow("all") << QList<int>{99, 99, 99} << QList<int>{0, 1, 2, 3};
        QTest::newRow("behind the end") << QList<int>{2, 50, 99} << QList<int>{2, 3};
        QTest::newRow("from the end") << QList<int>{-2, -1, 99} << QList<int>{2};
        QTest::newRow("before the start") << QList<int>{-50, 1, 99} << QList<int>{0};
        QTest::newRow("every second") << QList<int>{1, 99, 2} << QList<int>{1, 3};
        QTest::newRow("none") << QList<int>{3, 1, 99} << QList<int>{};
    }
    void slicesAsPythonDoes()
    {
        QFETCH(const QList<int>, slice);
        QFETCH(const QList<int>, places);
        TracedProgram traced(kNothingMuch);
        const std::array items{traced.leaf(), traced.leaf(), traced.leaf(), traced.leaf()};
        const auto bound = [&](int i) { return slice[i] == 99 ? traced.constant(Argument()) : traced.number(slice[i]); };
        const ValueId list = traced.list({items[0], items[1], items[2], items[3]});
        const ValueId part = itemAt(traced, list, traced.list({bound(0), bound(1), bound(2)}, ArgumentKind::slice));
        QVERIFY(part.isValid());
        std::vector<ValueId> expected;
        for (const int place : places)
            expected.push_back(items[static_cast<std::size_t>(place)]);
        QCOMPARE(itemsIn(traced, part), expected);
        QCOMPARE(traced.draft.at(part).term, traced.draft.at(list).term);
    }

    void doesNotSliceBackwards()
    {
        TracedProgram traced(kNothingMuch);
        const ValueId none = traced.constant(Argument());
        const ValueId list = traced.list({traced.leaf()});
        QVERIFY(!itemAt(traced, list, traced.list({none, none, traced.number(-1)}, ArgumentKind::slice)).isValid());
        QVERIFY(!itemAt(traced, list, traced.list({none, traced.leaf(), none}, ArgumentKind::slice)).isValid());
    }

    void knowsWhichIndicesGiveViews()
    {
        TracedProgram traced(kNothingMuch);
        const ValueId none = traced.constant(Argument());
        const ValueId slice = traced.list({none, traced.number(2), none}, ArgumentKind::slice);
        QVERIFY(traced.containers.isPlainIndex(traced.number(0)));
        QVERIFY(traced.containers.isPlainIndex(slice));
        QVERIFY(traced.containers.isPlainIndex(
            traced.list({traced.constant(Argument::ellipsis()), none, slice}, ArgumentKind::tuple)));
        QVERIFY(!traced.containers.isPlainIndex(traced.leaf()));
        QVERIFY(!traced.containers.isPlainIndex(traced.list({traced.number(0)})));
        QVERIFY(!traced.containers.isPlainIndex(traced.constant(Argument::boolean(true))));
    }

    void givesUpOnListsThatAreNestedTooDeep()
    {
        TracedProgram traced(kNothingMuch);
        ValueId inner = traced.leaf();
        for (int i = 0; i < 400; ++i)
            inner = traced.list({inner});
        QVERIFY(!traced.draft.trace.undecided);
        traced.list({inner});
        QCOMPARE(test::undecidedWhy(traced.draft.trace), "containers are nested more than 400 levels deep");
    }
};

const test::Registered<TraceContainersTest> traceContainersTest("trace_containers_test");
#include "trace_containers_test.moc"
