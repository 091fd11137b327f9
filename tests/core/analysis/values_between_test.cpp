#include "analysis/values_between.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

/// Values carried by an edge between nodes or between modules.
class ValuesBetweenTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_program = test::programFromText("x = placeholder()\n"
                                          "a = relu(x) @ one Block\n"
                                          "b = tanh(a) @ one.in Inner\n"
                                          "c = add(a, b) @ two Block\n"
                                          "d = mul(a, c) @ two Block\n"
                                          "e = relu(d) @ onerous Block\n"
                                          "pair = split(e)\n"
                                          "right = call_function[_operator.getitem](pair, 1)\n"
                                          "f = neg(right)\n"
                                          "output(f)\n");
    }

    void saysWhatFlowsFromNodeToNode()
    {
        QCOMPARE(between("a", "c"), QString("a to c, 2 elsewhere"));
        QCOMPARE(between("a", "e"), QString());
    }

    void ofModulesAllThatLeavesOneForTheOther()
    {
        QCOMPARE(between("one", "two"), QString("a to c d, 1 elsewhere; b to c")); // values that stay inside do not count
        QCOMPARE(between("one.in", "two"), QString("b to c"));
        QCOMPARE(between("two", "onerous"), QString("d to e")); // not "one"
    }

    void anItemBelongsToTheOpThatItIsTakenOf()
    {
        QCOMPARE(between("pair", "f"), QString("right (1 of pair) to f"));
        QCOMPARE(between("pair", "right"), QString("pair to right"));
    }

    void whatIsNotThereIsNamed()
    {
        const auto none = endOfEdge(m_program, "thre");
        QVERIFY(!none);
        QVERIFY2(none.error().message.find("\"thre\"") != std::string::npos, none.error().message.c_str());
        QVERIFY(!endOfEdge(m_program, ""));
    }

private:
    QString between(const char* from, const char* to) const
    {
        const Graph& graph = m_program.rootGraph();
        const auto name = [&](NodeId id) { return QString::fromStdString(graph[id].name.str()); };
        QStringList said;
        for (const ValueBetween& value : valuesBetween(graph, *endOfEdge(m_program, from), *endOfEdge(m_program, to))) {
            QString line = name(value.value);
            if (value.item)
                line += QString(" (%1 of %2)").arg(*value.item).arg(name(value.producer));
            line += " to";
            for (const NodeId reader : value.readers)
                line += ' ' + name(reader);
            said << (value.further == 0 ? line : line + QString(", %1 elsewhere").arg(value.further));
        }
        return said.join("; ");
    }

    Program m_program;
};

const test::Registered<ValuesBetweenTest> valuesBetweenTest("values_between_test");
#include "values_between_test.moc"
