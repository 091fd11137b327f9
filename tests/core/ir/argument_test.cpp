#include "ir/argument.h"

#include "ir/structural_hash.h"
#include "ir/tensor_meta.h"

#include "test_case.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace sunder;

namespace {

Argument text(const char* value)
{
    return Argument::string(intern(value));
}

Argument tensor(const char* dtype, Arguments shape)
{
    return Argument::tensor(std::make_shared<const TensorMeta>(TensorMeta{.dtype = intern(dtype), .shape = std::move(shape)}));
}

/// One value of every kind, and values that are easily confused.
std::vector<Argument> distinctValues()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Argument one = Argument::integer(1);
    return {Argument(),
            Argument::boolean(true),
            Argument::boolean(false),
            one,
            Argument::integer(0),
            Argument::floating(1),
            Argument::floating(0),
            Argument::floating(-0.0),
            Argument::floating(nan),
            text("1"),
            Argument::string({}),
            Argument::node(NodeId(1U)),
            Argument::graph(GraphId(1U)),
            Argument::list({one}),
            Argument::tuple({one}),
            Argument::list({}),
            Argument::tuple({}),
            Argument::list({Argument::list({})}),
            Argument::dict({text("a")}, {one}),
            Argument::dict({text("b")}, {one}),
            Argument::namedTuple(intern("P"), {intern("x")}, {one}),
            Argument::namedTuple(intern("Q"), {intern("x")}, {one}),
            Argument::namedTuple(intern("P"), {intern("y")}, {one}),
            Argument::slice(one, {}, {}),
            Argument::range(one, {}, {}),
            Argument::ellipsis(),
            Argument::complex(1, 0),
            Argument::complex(0, 1),
            Argument::word(ArgumentKind::dtype, intern("float16")),
            Argument::word(ArgumentKind::function, intern("float16")),
            Argument::word(ArgumentKind::bigInteger, intern("1")),
            Argument::object(intern("o"), intern("C")),
            Argument::opaque(intern("o"), intern("C")),
            Argument::symbolic({.expression = intern("s0")}),
            Argument::symbolic({.expression = intern("s0"), .kind = SymbolKind::floating}),
            tensor("float32", {one}),
            tensor("float16", {one})};
}

} // namespace

class ArgumentTest final : public QObject {
    Q_OBJECT
private slots:
    void tellsAllKindsApart()
    {
        const std::vector<Argument> a = distinctValues();
        const std::vector<Argument> b = distinctValues();
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t j = 0; j < b.size(); ++j)
                QVERIFY2((a[i] == b[j]) == (i == j), qPrintable(QString("%1, %2").arg(i).arg(j)));
            QCOMPARE(StructuralHash().of(a[i]), StructuralHash().of(b[i]));
        }
    }

    void listsHaveNoClassAndNoFields()
    {
        for (const Argument& value : {Argument::list({}), Argument::tuple({Argument::integer(1)}), Argument::dict({}, {})}) {
            QVERIFY(value.className().empty());
            QVERIFY(value.fields().empty());
        }
        QVERIFY_THROWS_EXCEPTION(std::logic_error, static_cast<void>(Argument::integer(1).className()));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, static_cast<void>(Argument::integer(1).fields()));
    }

    void takesTwoSymbolsOfDifferentHintsForEqual()
    {
        const Argument known = Argument::symbolic({.expression = intern("s0"), .hint = std::int64_t(4)});
        QCOMPARE(known, Argument::symbolic({.expression = intern("s0")}));
        QCOMPARE(known.asSymbolic().integerHint(), std::optional<std::int64_t>(4));
    }

    void visitsNodesDepthFirst()
    {
        const auto at = [](std::uint32_t id) { return Argument::node(NodeId(id)); };
        const Arguments args = {Argument::list({at(1), Argument::tuple({at(2), Argument::integer(5)})}),
                                Argument::slice(at(3), {}, at(4))};
        const Keywords kwargs = {{intern("k"), Argument::dict({text("a"), text("b")}, {at(5), at(1)})}};
        std::string seen;
        forEachNode(args, kwargs, [&](NodeId id) { seen += std::to_string(id.index()); });
        QCOMPARE(seen, std::string("123451"));
        QVERIFY(args[0].holdsNodes());
        QVERIFY(!Argument::list({Argument::integer(1)}).holdsNodes());
    }

    void mapsNodesAndSharesTheRest()
    {
        const Argument plain = Argument::list({Argument::integer(1)});
        const Argument value = Argument::namedTuple(intern("P"), {intern("x"), intern("y")}, {Argument::node(NodeId(7U)), plain})
                                   .withExtra(intern("{\"k\":1}"));
        const Argument mapped = mapNodes(value, [](NodeId) { return Argument::integer(9); });
        QCOMPARE(mapped, Argument::namedTuple(intern("P"), {intern("x"), intern("y")}, {Argument::integer(9), plain}));
        QCOMPARE(mapped.extra(), intern("{\"k\":1}"));
        QVERIFY(!mapped.holdsNodes());
        QCOMPARE(mapped.items()[1].items().data(), plain.items().data());
    }

    void staysSmall() { QVERIFY(sizeof(Argument) <= 32); }
};

const test::Registered<ArgumentTest> argumentTest("argument_test");
#include "argument_test.moc"
