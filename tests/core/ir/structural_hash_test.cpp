#include "ir/structural_hash.h"

#include "ir/graph.h"
#include "test_case.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace sunder;

namespace {

/// A graph with two inputs to which calls are added.
class Calls {
public:
    Calls() : x(add({.op = Op::placeholder, .target = intern("x")})), y(add({.op = Op::placeholder, .target = intern("y")})) {}

    /// Adds a call, and hashes it.
    std::uint64_t hash(Arguments args, Keywords kwargs = {}, const char* target = "torch.add", bool withTarget = true)
    {
        const NodeId id = add(
            {.op = Op::callFunction, .target = intern(target), .args = std::move(args), .kwargs = std::move(kwargs)});
        const auto number = [](NodeId input) { return std::uint64_t{input.index()} + 1; };
        return StructuralHash().ofCall(m_graph.node(id), number, withTarget);
    }

private:
    NodeId add(NodeSpec spec) { return m_graph.create(std::move(spec)); }
    Graph m_graph;

public:
    NodeId x;
    NodeId y;
};

} // namespace

class StructuralHashTest final : public QObject {
    Q_OBJECT
private slots:
    void agreesWithEquality()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double otherNan = std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 1U);
        QVERIFY(std::isnan(otherNan));
        QCOMPARE(StructuralHash().of(Argument::floating(nan)), StructuralHash().of(Argument::floating(otherNan)));
        QVERIFY(StructuralHash().of(Argument::floating(0.0)) != StructuralHash().of(Argument::floating(-0.0)));
        QVERIFY(StructuralHash().of(Argument::integer(1)) != StructuralHash().of(Argument::floating(1.0)));
        QVERIFY(StructuralHash().of(Argument::list({Argument::integer(1)}))
                != StructuralHash().of(Argument::tuple({Argument::integer(1)})));
    }

    void comparesCallsByInputsAndConstants()
    {
        Calls calls;
        const std::uint64_t hash = calls.hash({Argument::node(calls.x), Argument::integer(2)});
        QCOMPARE(calls.hash({Argument::node(calls.x), Argument::integer(2)}), hash);
        QVERIFY(calls.hash({Argument::node(calls.y), Argument::integer(2)}) != hash);
        QVERIFY(calls.hash({Argument::node(calls.x), Argument::integer(3)}) != hash);
        QVERIFY(calls.hash({Argument::integer(2), Argument::node(calls.x)}) != hash);
    }

    void ignoresTheOrderOfKeywords()
    {
        Calls calls;
        const Keyword alpha{intern("alpha"), Argument::integer(2)};
        const Keyword out{intern("out"), Argument::integer(3)};
        QCOMPARE(calls.hash({}, {alpha, out}), calls.hash({}, {out, alpha}));
        QVERIFY(calls.hash({}, {alpha, out}) != calls.hash({}, {{alpha.key, out.value}, {out.key, alpha.value}}));
    }

    void ignoresNamesThatDoNotCount()
    {
        const auto hash = [](const Argument& value, const StructuralHash::Options& options) {
            return StructuralHash(options).of(value);
        };
        const auto graph = [](std::uint32_t index) { return Argument::graph(GraphId(index)); };
        QVERIFY(hash(graph(1), {}) != hash(graph(2), {}));
        QCOMPARE(hash(graph(1), {.graphs = false}), hash(graph(2), {.graphs = false}));
        const auto constant = [](const char* name) { return Argument::word(ArgumentKind::constant, intern(name)); };
        QVERIFY(hash(constant("a"), {}) != hash(constant("b"), {}));
        QCOMPARE(hash(constant("a"), {.objects = false}), hash(constant("b"), {.objects = false}));
    }

    void ignoresTargetsThatDoNotCount()
    {
        Calls calls;
        QVERIFY(calls.hash({}, {}, "torch.add") != calls.hash({}, {}, "torch.mul"));
        QCOMPARE(calls.hash({}, {}, "torch.add", false), calls.hash({}, {}, "torch.mul", false));
    }
};

const test::Registered<StructuralHashTest> structuralHashTest("structural_hash_test");
#include "structural_hash_test.moc"
