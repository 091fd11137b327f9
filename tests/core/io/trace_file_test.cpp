#include "io/side_files/costs_file.h"

#include "test_case.h"

#include <QTest>

#include <cmath>

using namespace sunder;

namespace {

constexpr const char* kOpEvent = R"({"ph":"X","cat":"cpu_op","name":"aten::%1","pid":1,"tid":1,"ts":%2,"dur":%3,)"
                                 R"("args":{"External id":%4,"Input Dims":%5,"Input type":%6}})";
constexpr const char* kPlainEvent = R"({"ph":"X","cat":"cpu_op","name":"aten::%1","pid":1,"tid":1,"ts":%2,"dur":2})";
constexpr const char* kNodeEvent = R"({"ph":"X","cat":"sunder_node","name":"%1","pid":1,"tid":1,"ts":0,"dur":%2})";

QByteArray opEvent(const char* op, double start, double duration, const char* dims, const char* types, int id = 0)
{
    return QString(kOpEvent).arg(op).arg(start).arg(duration).arg(id).arg(dims, types).toUtf8();
}

QByteArray product(double start, double duration, int id = 0)
{
    return opEvent("mm", start, duration, "[[2,2],[2,2]]", R"(["float","float"])", id);
}

QByteArray traceOf(const QByteArrayList& events)
{
    return R"({"schemaVersion":1,"traceEvents":[)" + events.join(',') + "]}";
}

} // namespace

/// Chrome traces of a program with three products: mm and mm_1 have the same shapes, mm_2 has others.
class TraceFileTest final : public QObject {
    Q_OBJECT

private slots:
    void matchesEqualCallsInOrder()
    {
        const MeasuredCosts costs = read(traceOf({product(10, 2), relu(20, 3), product(30, 4), other(40, 5)}));
        QCOMPARE(at(costs, "mm"), 2e-6);
        QCOMPARE(at(costs, "relu"), 3e-6);
        QCOMPARE(at(costs, "mm_1"), 4e-6);
        QCOMPARE(at(costs, "mm_2"), 5e-6);
        const TraceMatch& match = costs.traces.front();
        QCOMPARE(match.matched, 4U);
        QCOMPARE(match.runs, 1U);
        QVERIFY(match.ambiguous.empty() && match.unmatchedEvents.empty() && !match.byName);
        QCOMPARE(match.unmatched.size(), std::size_t{2}); // cat and index
    }

    void takesTheMedianOfSeveralRuns()
    {
        QByteArrayList events;
        for (int run = 0; run < 3; ++run) {
            const double start = run * 100;
            events << product(start, 2 + run) << relu(start + 20, 1) << product(start + 30, 4)
                   << other(start + 40, 9 - run * run);
        }
        const MeasuredCosts costs = read(traceOf(events));
        QCOMPARE(at(costs, "mm"), 3e-6);
        QCOMPARE(at(costs, "mm_1"), 4e-6);
        QCOMPARE(at(costs, "mm_2"), 8e-6);
        QCOMPARE(costs.traces.front().runs, 3U);
    }

    void eventsInsideAMatchedEventBelongToIt()
    {
        const MeasuredCosts costs = read(traceOf({opEvent("linear", 0, 9, "[[2,2]]", R"(["float"])"), product(1, 5), relu(2, 1),
                                                  relu(20, 3), product(30, 4), other(40, 5)}));
        QCOMPARE(at(costs, "mm"), 5e-6);
        QCOMPARE(at(costs, "relu"), 3e-6);
        QVERIFY(costs.traces.front().ambiguous.empty());
        QVERIFY(costs.traces.front().unmatchedEvents.empty()); // linear holds a matched event
    }

    void numbersAmongTheArgumentsAreIgnored()
    {
        const QByteArray scaled = opEvent("relu", 20, 3, "[[2,2],[],[]]", R"(["float","double","Scalar"])");
        QCOMPARE(at(read(traceOf({product(10, 2), scaled, product(30, 4), other(40, 5)})), "relu"), 3e-6);
    }

    void kernelsCountInsteadOfTheirLaunch()
    {
        const QByteArray kernel = R"({"ph":"X","cat":"kernel","name":"gemm","ts":500,"dur":70,"args":{"External id":7}})";
        const MeasuredCosts costs = read(traceOf({product(10, 2, 7), relu(20, 3), product(30, 4, 8), other(40, 5), kernel}));
        QCOMPARE(at(costs, "mm"), 70e-6);
        QCOMPARE(at(costs, "mm_1"), 4e-6);
    }

    void reportsWhatIsAmbiguousOrUnmatched()
    {
        const QByteArray sigmoid = opEvent("sigmoid", 60, 1, "[[2,2]]", R"(["float"])");
        const MeasuredCosts costs = read(traceOf({product(10, 2), product(20, 2), product(30, 4), other(40, 5), sigmoid}));
        const TraceMatch& match = costs.traces.front();
        QCOMPARE(match.matched, 1U);
        QCOMPARE(match.ambiguous.size(), std::size_t{1});
        QCOMPARE(match.ambiguous.front().op, std::string("aten::mm"));
        QCOMPARE(match.ambiguous.front().nodes, 2U);
        QCOMPARE(match.ambiguous.front().events, 3U);
        QCOMPARE(m_program.rootGraph()[match.unmatched.front()].name.view(), std::string_view("relu"));
        QCOMPARE(match.unmatchedEvents.front().first, std::string("aten::sigmoid"));
        QVERIFY(std::isnan(at(costs, "mm")) && std::isnan(at(costs, "relu")));
    }

    /// Of tensors in a list, the profiler records the sizes, of optional ones nothing.
    void listsAreMatchedByTheSizesOfTheirTensors()
    {
        const QByteArray cat = opEvent("cat", 50, 6, "[[[2,5],[2,5]],[]]", R"(["TensorList","Scalar"])");
        const QByteArray index = opEvent("index", 60, 7, "[[2,10],[]]", R"(["float","OptionalTensorList"])");
        const MeasuredCosts costs = read(traceOf({product(10, 2), relu(20, 3), product(30, 4), other(40, 5), cat, index}));
        QCOMPARE(at(costs, "cat"), 6e-6);
        QCOMPARE(at(costs, "index"), 7e-6);
    }

    void anotherDataTypeIsNoMatch()
    {
        const QByteArray half = opEvent("relu", 20, 3, "[[2,2]]", R"(["c10::Half"])");
        QVERIFY(std::isnan(at(read(traceOf({product(10, 2), half, product(30, 4), other(40, 5)})), "relu")));
    }

    void withoutShapesTheOperatorDecides()
    {
        const auto plain = [](const char* op, int start) { return QString(kPlainEvent).arg(op).arg(start).toUtf8(); };
        const MeasuredCosts costs = read(traceOf({plain("mm", 0), plain("relu", 10), plain("mm", 20), plain("mm", 30)}));
        QCOMPARE(at(costs, "mm_2"), 2e-6);
        QVERIFY(!costs.traces.front().hasShapes);
    }

    void ownTracesAreMatchedByName()
    {
        const auto run = [](const char* node, const char* duration) { return QString(kNodeEvent).arg(node, duration).toUtf8(); };
        const MeasuredCosts costs = read(R"({"sunder":{"device":"cpu"},)"
                                         + traceOf({run("relu", "4"), run("mm", "1"), run("relu", "2")}).mid(1));
        QCOMPARE(at(costs, "relu"), 3e-6);
        QCOMPARE(costs.device, std::string("cpu"));
        QVERIFY(costs.traces.front().byName);
        QCOMPARE(costs.traces.front().unmatched.size(), std::size_t{4});
        MeasuredCosts none;
        const Result<void> unknown = addCosts(m_program, traceOf({run("rely", "1")}).toStdString(), "t.json", none);
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, ErrorCode::refused);
        QCOMPARE(unknown.error().where.node, std::string("rely"));
        QVERIFY(!addCosts(m_program, traceOf({run("relu", "-1")}).toStdString(), "t.json", none));
    }

private:
    static QByteArray relu(double start, double duration) { return opEvent("relu", start, duration, "[[2,2]]", R"(["float"])"); }
    static QByteArray other(double start, double duration)
    {
        return opEvent("mm", start, duration, "[[2,2],[2,5]]", R"(["float","float"])");
    }

    [[nodiscard]] MeasuredCosts read(const QByteArray& trace) const
    {
        MeasuredCosts costs;
        const Result<void> added = addCosts(m_program, trace.toStdString(), "trace.json", costs);
        if (!added)
            qFatal("%s", describe(added.error()).c_str());
        return costs;
    }

    [[nodiscard]] double at(const MeasuredCosts& costs, const char* name) const
    {
        return costs.of(m_program.rootGraph().find(intern(name))).seconds.value_or(std::nan(""));
    }

    static Program made()
    {
        const auto tensor = [](std::int64_t columns) {
            return Argument::tensor(
                TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(2), Argument::integer(columns)}});
        };
        Program program;
        Graph& graph = program.graph(program.root = program.addGraph(ModuleTree::root()));
        const auto input = [&](const char* name, std::int64_t columns) {
            return graph.append(
                {.op = Op::placeholder, .name = intern(name), .target = intern(name), .meta = {.val = tensor(columns)}});
        };
        const auto call = [&](const char* name, const char* target, Arguments args, std::int64_t columns) {
            return graph.append({.op = Op::callFunction,
                                 .name = intern(name),
                                 .target = intern(target),
                                 .args = std::move(args),
                                 .meta = {.val = tensor(columns)}});
        };
        const NodeId x = input("x", 2);
        const NodeId w = input("w", 5);
        const NodeId mm = call("mm", "torch.ops.aten.mm.default", {Argument::node(x), Argument::node(x)}, 2);
        const NodeId relu = call("relu", "torch.ops.aten.relu.default", {Argument::node(mm)}, 2);
        const NodeId mm1 = call("mm_1", "torch.ops.aten.mm.default", {Argument::node(relu), Argument::node(x)}, 2);
        const Argument mm2 = Argument::node(
            call("mm_2", "torch.ops.aten.mm.default", {Argument::node(mm1), Argument::node(w)}, 5));
        const NodeId cat = call("cat", "torch.ops.aten.cat.default", {Argument::list({mm2, mm2}), Argument::integer(1)}, 10);
        call("index", "torch.ops.aten.index.Tensor", {Argument::node(cat), Argument::list({Argument::node(x)})}, 10);
        return program;
    }

    const Program m_program = made();
};

const test::Registered<TraceFileTest> traceFileTest("trace_file_test");
#include "trace_file_test.moc"
