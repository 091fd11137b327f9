#include "program_text.h"
#include "test_case.h"
#include "traced_program.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;
using sunder::test::TracedProgram;

namespace {

Verdict verdictOf(const QString& a, const QString& b)
{
    return verify(ProgramText::program(a.toStdString()), ProgramText::program(b.toStdString()))->verdict;
}

} // namespace

/// Lists and dicts that a program changes in place. The torch-containers test runs such programs in PyTorch.
class ContainerCallsTest final : public QObject {
    Q_OBJECT
private slots:
    void followsChanges_data()
    {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<QString>("result"); ///< the contents, written as a literal
        const auto list = [](const char* change, const char* result) {
            QTest::newRow(change) << QString("l = list([x, y]); r = %1; return (l, r)").arg(change) << QString(result);
        };
        list("method.append(l, x)", "([x, y, x], None)");
        list("method.extend(l, (x, x))", "([x, y, x, x], None)");
        list("method.extend(l, l)", "([x, y, x, y], None)");
        list("method.insert(l, 1, 5)", "([x, 5, y], None)");
        list("method.insert(l, -9, 5)", "([5, x, y], None)");
        list("method.insert(l, 9, 5)", "([x, y, 5], None)");
        list("method.pop(l)", "([x], y)");
        list("method.pop(l, 0)", "([y], x)");
        list("method.reverse(l)", "([y, x], None)");
        list("method.clear(l)", "([], None)");
        list("method.copy(l)", "([x, y], [x, y])");
        list("_operator.setitem(l, -1, 3)", "([x, 3], None)");
        list("_operator.delitem(l, 0)", "([y], None)");
        list("method.__setitem__(l, 0, y)", "([y, y], None)");
        list("_operator.iadd(l, [x])", "([x, y, x], [x, y, x])");
        list("_operator.imul(l, 2)", "([x, y, x, y], [x, y, x, y])");
        list("_operator.add(l, [x])", "([x, y], [x, y, x])");
        list("_operator.mul(l, 0)", "([x, y], [])");
        list("len(l)", "([x, y], 2)");
        list("method.__len__(l)", "([x, y], 2)");
        const auto dict = [](const char* change, const char* result) {
            QTest::newRow(change) << QString("l = dict({\"a\": x, \"b\": y}); r = %1; return (l, r)").arg(change)
                                  << QString(result);
        };
        dict("_operator.setitem(l, \"a\", y)", "({\"a\": y, \"b\": y}, None)");
        dict("_operator.setitem(l, \"c\", y)", "({\"a\": x, \"b\": y, \"c\": y}, None)");
        dict("method.update(l, {\"b\": 1, \"c\": 2})", "({\"a\": x, \"b\": 1, \"c\": 2}, None)");
        dict("method.update(l, c=2)", "({\"a\": x, \"b\": y, \"c\": 2}, None)");
        dict("method.pop(l, \"a\")", "({\"b\": y}, x)");
        dict("method.pop(l, \"c\", 7)", "({\"a\": x, \"b\": y}, 7)");
        dict("method.popitem(l)", "({\"a\": x}, (\"b\", y))");
        dict("method.setdefault(l, \"a\", y)", "({\"a\": x, \"b\": y}, x)");
        dict("method.setdefault(l, \"c\", y)", "({\"a\": x, \"b\": y, \"c\": y}, y)");
        dict("method.get(l, \"a\")", "({\"a\": x, \"b\": y}, x)");
        dict("method.get(l, \"c\")", "({\"a\": x, \"b\": y}, None)");
        dict("_operator.contains(l, \"c\")", "({\"a\": x, \"b\": y}, False)");
        dict("_operator.delitem(l, \"b\")", "({\"a\": x}, None)");
        dict("_operator.ior(l, {\"c\": 1})", "({\"a\": x, \"b\": y, \"c\": 1}, {\"a\": x, \"b\": y, \"c\": 1})");
        dict("list(l)", "({\"a\": x, \"b\": y}, [\"a\", \"b\"])");
        dict("dict(l, c=1)", "({\"a\": x, \"b\": y}, {\"a\": x, \"b\": y, \"c\": 1})");
    }
    void followsChanges()
    {
        QFETCH(QString, changed);
        QFETCH(QString, result);
        const QString inputs = "x = input; y = input; ";
        QCOMPARE(verdictOf(inputs + changed, inputs + "return " + result), Verdict::same);
        QVERIFY(verdictOf(inputs + changed, inputs + "return (x, y)") != Verdict::same);
    }

    /// Reads before a change, and arguments passed before it, see the old contents.
    void keepsWhatWasRead_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("same");
        QTest::newRow("a call before a change") << "l = list([x, y]); c = torch.cat(l); s = _operator.setitem(l, 0, y); return c"
                                                << "c = torch.cat([x, y]); return c" << true;
        QTest::newRow("a call after it") << "l = list([x, y]); s = _operator.setitem(l, 0, y); c = torch.cat(l); return c"
                                         << "c = torch.cat([x, y]); return c" << false;
        QTest::newRow("a list in a list") << "l = list([x]); k = list([l, l]); s = method.append(l, y); return k"
                                          << "return [[x, y], [x, y]]" << true;
        QTest::newRow("a copy") << "l = list([x]); k = method.copy(l); s = method.append(l, y); return k" << "return [x]" << true;
        QTest::newRow("the list that += gives")
            << "l = list([x]); k = _operator.iadd(l, [y]); s = method.append(l, y); return k" << "return [x, y, y]" << true;
        QTest::newRow("a graph that is called")
            << "graph m; l = input; v = input; s = method.append(l, v); return v; end; l = list([x]); c = module.m(l, y); return l"
            << "return [x, y]" << true;
    }
    void keepsWhatWasRead()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(bool, same);
        const auto program = [](const QString& text) {
            const qsizetype body = text.contains("end; ") ? text.indexOf("end; ") + 5 : 0;
            return text.left(body) + "x = input; y = input; " + text.mid(body);
        };
        QCOMPARE(verdictOf(program(a), program(b)) == Verdict::same, same);
    }

    void makesContainersOfContainers()
    {
        TracedProgram traced("x = input; return x");
        ContainerCalls calls(traced.draft, traced.containers);
        const ValueId item = traced.leaf();
        const TracedCall ofList{{traced.list({item})}, {}};
        const ValueId tuple = calls.make("tuple", ofList).value_or(ValueId());
        QVERIFY(tuple.isValid());
        QCOMPARE(traced.draft.at(tuple).term, traced.containers.shapeOf(ArgumentKind::tuple, {}));
        QCOMPARE(traced.draft.trace.items(traced.draft.at(tuple)).front(), item);
        QVERIFY(calls.make("dict", {{}, {{intern("b"), item}, {intern("a"), item}}}));
        // the order of the keyword arguments is unknown
        QVERIFY(!calls.make("dict", {{}, {{intern("a"), item}, {intern("b"), item}}, true}));
        QVERIFY(calls.make("list", {}));
        QVERIFY(!calls.make("dict", ofList));
        QVERIFY(!calls.make("list", {{item}, {}})); // the list of a tensor, that is, its rows
    }

    /// The reported reason is the first call that cannot be tracked.
    void givesUp_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("a list that a container keeps") << "l = list([x]); i = iter(l); r = method.append(l, x)";
        QTest::newRow("a list that an unknown call keeps") << "l = list([x]); i = lib.op([l]); r = method.append(l, x)";
        QTest::newRow("a list that would contain itself") << "l = list([x]); r = method.append(l, l)";
        QTest::newRow("a list that would contain itself through another")
            << "l = list([x]); k = list([l]); r = method.append(l, k)";
        QTest::newRow("no such item") << "l = list([x]); r = method.pop(l, 1)";
        QTest::newRow("nothing left") << "l = list([]); r = method.pop(l)";
        QTest::newRow("an unknown place") << "l = list([x]); r = method.pop(l, x)";
        QTest::newRow("no such key") << "l = dict({\"a\": x}); r = method.pop(l, \"b\")";
        QTest::newRow("a key that may equal another")
            << "graph m; v = input; return {True: v}; end; x = input; l = module.m(x); r = _operator.setitem(l, 1, x)";
        QTest::newRow("generated code gives the sum of tuples the name of the first")
            << "l = tuple([x]); r = _operator.iadd(l, (x,))";
        QTest::newRow("tuples do not change") << "l = tuple([x]); r = _operator.setitem(l, 0, x)";
        QTest::newRow("a method of another name") << "l = list([x]); r = method.iadd(l, [x])";
        QTest::newRow("a read beyond the end") << "l = list([x]); r = _operator.getitem(l, 1)";
        QTest::newRow("a read of a removed item") << "l = list([x]); s = method.clear(l); r = _operator.getitem(l, 0)";
    }
    void givesUp()
    {
        QFETCH(QString, program);
        const QString inputs = program.startsWith("graph") ? "" : "x = input; ";
        TracedProgram traced((inputs + program + "; return l").toStdString());
        const Trace trace = traced.trace();
        QVERIFY(trace.undecided.has_value());
        QVERIFY(trace.undecided->first.node == traced.id("r"));
    }

    /// A default value is one object across all calls and runs of its graph.
    void doesNotChangeDefaults()
    {
        Program program = ProgramText::program("l = input; x = input; r = method.append(l, x); return l");
        Graph& graph = program.rootGraph();
        graph.setArguments(graph.find(intern("l")), {Argument::list({})}, {});
        QCOMPARE(verify(program, program)->verdict, Verdict::same); // identical calls
        Program other = ProgramText::program("l = input; x = input; r = method.extend(l, [x]); return l");
        other.rootGraph().setArguments(other.rootGraph().find(intern("l")), {Argument::list({})}, {});
        QVERIFY(verify(program, other)->verdict != Verdict::same);
    }
};

const test::Registered<ContainerCallsTest> containerCallsTest("container_calls_test");
#include "container_calls_test.moc"
