#include "verify/tensor_descriptions.h"

#include "operators/operator_catalogue.h"
#include "program_text.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

/// A tensor of these sizes and strides: numbers, or symbols as printed by sympy.
TensorMeta tensorLaid(const QStringList& shape, const QStringList& stride)
{
    const auto sizes = [](const QStringList& words) {
        Arguments made;
        for (const QString& word : words) {
            bool isNumber = false;
            const qlonglong number = word.toLongLong(&isNumber);
            made.push_back(isNumber ? Argument::integer(number) : Argument::symbolic({.expression = intern(word.toStdString())}));
        }
        return made;
    };
    return {.dtype = intern("float32"), .shape = sizes(shape), .stride = sizes(stride)};
}

} // namespace

/// Tensor descriptions in files, and their consequences for copies.
class TensorDescriptionsTest final : public QObject {
    Q_OBJECT
private slots:
    void takesNoDeviceForCpuAndNoLayoutForStrided()
    {
        TensorMeta plain = tensorLaid({"2", "3"}, {"3", "1"});
        TensorMeta named = plain;
        named.device = intern("cpu");
        named.layout = intern("strided");
        QVERIFY(isSameDescription(Argument::tensor(plain), Argument::tensor(named)));
        named.device = intern("cuda:0");
        QVERIFY(!isSameDescription(Argument::tensor(plain), Argument::tensor(named)));
    }

    void tellsTensorsApartByStridesAndTypes()
    {
        const TensorMeta plain = tensorLaid({"2", "3"}, {"3", "1"});
        TensorMeta otherType = plain;
        otherType.dtype = intern("float64");
        QVERIFY(!isSameDescription(Argument::tensor(plain), Argument::tensor(otherType)));
        QVERIFY(!isSameDescription(Argument::tensor(plain), Argument::tensor(tensorLaid({"2", "3"}, {"1", "2"}))));
    }

    void comparesListsItemByItem()
    {
        const Argument tensor = Argument::tensor(tensorLaid({"2"}, {"1"}));
        const Argument pair = Argument::list({tensor, Argument::integer(1)});
        QVERIFY(isSameDescription(pair, Argument::list({tensor, Argument::integer(1)})));
        QVERIFY(!isSameDescription(pair, Argument::tuple({tensor, Argument::integer(1)})));
        QVERIFY(!isSameDescription(pair, Argument::list({tensor})));
        QVERIFY(!isSameDescription(pair, Argument::list({tensor, Argument::integer(2)})));
    }

    void knowsWhichElementsLieApart_data()
    {
        QTest::addColumn<QStringList>("shape");
        QTest::addColumn<QStringList>("stride");
        QTest::addColumn<bool>("apart");
        const auto row = [](const char* name, const QStringList& shape, const QStringList& stride, bool apart) {
            QTest::newRow(name) << shape << stride << apart;
        };
        row("contiguous", {"2", "3"}, {"3", "1"}, true);
        row("transposed", {"3", "2"}, {"1", "3"}, true);
        row("with gaps", {"2", "3"}, {"10", "2"}, true);
        row("one number", {}, {}, true);
        row("expanded", {"4", "3"}, {"0", "1"}, false);
        row("a window that slides", {"4", "3"}, {"1", "1"}, false);
        row("a stride that is too small", {"2", "3"}, {"2", "1"}, false);
        row("of one row, whose stride does not matter", {"1", "3"}, {"0", "1"}, true);
        row("of no elements", {"0", "3"}, {"3", "1"}, true);
        row("backwards", {"3"}, {"-1"}, false);
        row("of any number of rows", {"s0", "4"}, {"4", "1"}, true);
        row("of rows of any length", {"s0", "s1", "4"}, {"4*s1", "4", "1"}, true);
        row("of rows of another length", {"s0", "s1"}, {"s0", "1"}, false);
        row("of rows of a length that is computed", {"2", "s0 + 1"}, {"s0 + 1", "1"}, false);
        row("too large to count", {"2", "9223372036854775807", "9223372036854775807"}, {"4", "9223372036854775807", "1"}, false);
        row("of fewer strides than sizes", {"2", "3"}, {"1"}, false);
    }
    void knowsWhichElementsLieApart()
    {
        QFETCH(const QStringList, shape);
        QFETCH(const QStringList, stride);
        QTEST(hasDistinctElements(tensorLaid(shape, stride)), "apart");
    }

    void knowsNothingOfTensorsWithoutStrides()
    {
        TensorMeta sparse = tensorLaid({"2"}, {"1"});
        sparse.layout = intern("sparse_coo");
        QVERIFY(!hasDistinctElements(sparse));
        TensorMeta without = tensorLaid({"2"}, {});
        without.stride.reset();
        QVERIFY(!hasDistinctElements(without));
    }

    void describesNodesThatAreTensors()
    {
        const Program program = ProgramText::program("x = input [2, 3]; y = input; return x");
        const Graph& graph = program.rootGraph();
        const TensorMeta* x = describedTensor(graph, Argument::node(graph.find(intern("x"))));
        QVERIFY(x != nullptr);
        QCOMPARE(x->shape.size(), std::size_t(2));
        QVERIFY(describedTensor(graph, Argument::node(graph.find(intern("y")))) == nullptr);
        QVERIFY(describedTensor(graph, Argument::integer(3)) == nullptr);
    }

    void knowsWhatFillsATensorExactly()
    {
        const Program program = ProgramText::program("x = input [4]; y = input [4]; row = input [1]; d = input [4] float64; "
                                                     "same = aten.copy_.default(x, y); wider = aten.copy_.default(x, row); "
                                                     "type = aten.copy_.default(x, d); number = aten.copy_.default(x, 1); "
                                                     "named = aten.copy_.default(x, src=y, non_blocking=True); "
                                                     "method = method.copy_(x, src=y); return x");
        OperatorCatalog operators;
        const auto fills = [&](const char* name) {
            const Graph& graph = program.rootGraph();
            const Node& call = graph.node(graph.find(intern(name)));
            const OperatorFacts& facts = operators.of(call.op, call.target);
            return fillsExactly(describedTensor(graph, call, facts, 0), describedTensor(graph, call, facts, 1));
        };
        QVERIFY(fills("same"));
        QVERIFY(!fills("wider"));
        QVERIFY(!fills("type"));
        QVERIFY(!fills("number"));
        QVERIFY(fills("named"));
        QVERIFY(!fills("method")); // the parameters of a method are unknown
    }
};

const test::Registered<TensorDescriptionsTest> tensorDescriptionsTest("tensor_descriptions_test");
#include "tensor_descriptions_test.moc"
