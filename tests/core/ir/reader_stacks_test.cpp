#include "ir/reader_stacks.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

Program placed(const std::string& text)
{
    Program program = test::programFromText(text);
    placeByReaders(program);
    return program;
}

/// The innermost module of a node: "" for the root, "none" if unknown.
QString moduleOf(const Program& program, const char* name)
{
    const ModuleStack& stack = program.stackOf(program.rootGraph()[program.rootGraph().find(intern(name))]);
    return stack.empty() ? QStringLiteral("none") : QString::fromStdString(stack.back().path.str());
}

QStringList namesOf(const Graph& graph, const std::vector<NodeId>& nodes)
{
    QStringList names;
    for (const NodeId id : nodes)
        names << QString::fromStdString(graph[id].name.str());
    return names;
}

} // namespace

class ReaderStacksTest final : public QObject {
    Q_OBJECT
private slots:
    void putsANodeWhereItsReaderIs()
    {
        const Program program = placed("x = placeholder()\nw = placeholder()\na = take(w)\nb = scale(a)\n"
                                       "y = op(x, b) @ m M > m.l L\noutput(y)\n");
        QCOMPARE(moduleOf(program, "a"), QStringLiteral("m.l"));
        QCOMPARE(moduleOf(program, "b"), QStringLiteral("m.l"));
        QCOMPARE(moduleOf(program, "x"), QStringLiteral("none")); // not a call
    }

    void putsANodeWhereAllItsReadersAre()
    {
        const Program program = placed("x = placeholder()\na = take(x)\nb = op(a) @ m M > m.l L\nc = op(a, b) @ m M > m.k K\n"
                                       "d = take(x)\ne = op(d, c) @ m M\nf = op(d, e) @ n N\noutput(f)\n");
        QCOMPARE(moduleOf(program, "a"), QStringLiteral("m"));
        QCOMPARE(moduleOf(program, "d"), QString());
    }

    void tellsCallsOfOneModuleApart()
    {
        const Program program = placed("x = placeholder()\na = take(x)\nb = op(x) @ m M\nc = op(a, b) @ m@1 M\noutput(c)\n");
        const ModuleStack& stack = program.stackOf(program.rootGraph()[program.rootGraph().find(intern("a"))]);
        QCOMPARE(stack.back().key.str(), std::string("L__self__m@1"));
    }

    void putsWhatNobodyReadsWhereItsLastOperandWasMade()
    {
        const Program program = placed("x = placeholder()\ny = op(x) @ m M\nz = op(y) @ n N\na = check(z, y)\nb = check(x)\n"
                                       "output(z)\n");
        QCOMPARE(moduleOf(program, "a"), QStringLiteral("n"));
        QCOMPARE(moduleOf(program, "b"), QStringLiteral("none"));
    }

    void takesThePathThatIsNoModuleForNone()
    {
        Program program = test::programFromText("x = placeholder()\na = take(x) @ k K\ny = op(a) @ m M\noutput(y)\n");
        program.stacks[0] = {{intern(kNoModulePath), intern(kNoModulePath), intern(kNoModulePath)}};
        placeByReaders(program);
        QCOMPARE(moduleOf(program, "a"), QStringLiteral("m"));
        const Node& node = program.rootGraph()[program.rootGraph().find(intern("a"))];
        QCOMPARE(program.statedStack(node).index(), 0U);
    }

    void keepsWhatTheFileStates()
    {
        const Program program = placed("x = placeholder()\na = take(x)\nb = op(x) @ k K\ny = op(a, b) @ m M\noutput(y)\n");
        const Graph& graph = program.rootGraph();
        QVERIFY(!program.statedStack(graph[graph.find(intern("a"))]));
        QCOMPARE(moduleOf(program, "b"), QStringLiteral("k"));
        QCOMPARE(program.statedStack(graph[graph.find(intern("b"))]), graph[graph.find(intern("b"))].meta.modules);
    }

    void leavesAGraphWithoutStacksAsItIs()
    {
        const Program program = placed("x = placeholder()\ny = op(x)\noutput(y)\n");
        QVERIFY(program.stacks.empty());
        QVERIFY(!program.rootGraph()[program.rootGraph().find(intern("y"))].meta.modules);
    }

    void ordersWeightsThatAreTakenApartByTheirReaders()
    {
        const Program program = placed(
            "x = placeholder()\nw = placeholder()\nv = placeholder()\na = take(w)\nb = take(v)\n"
            "c = scale(a)\ny = op(x, b) @ m M\nz = op(y, c) @ n N\nlate = glue(z)\nu = op(late) @ n N\n"
            "output(u)\n");
        QCOMPARE(namesOf(program.rootGraph(), orderByReaders(program, program.rootGraph())),
                 QStringList({"x", "w", "v", "b", "y", "a", "c", "z", "late", "u", "output"}));
    }
};

const test::Registered<ReaderStacksTest> readerStacksTest("reader_stacks_test");
#include "reader_stacks_test.moc"
