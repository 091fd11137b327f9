#include "operators/exact_call.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace sunder;

namespace {

/// Gives every node except calls a tensor value, and "n" a symbolic size.
void describeInputs(Program& program)
{
    Graph& graph = program.rootGraph();
    const auto size = [](std::int64_t number) { return Argument::integer(number); };
    for (const NodeId id : graph.nodes()) {
        if (graph[id].isCall())
            continue;
        const bool isSize = graph[id].name == intern("n");
        graph.meta(id).val = isSize ? Argument::symbolic({.expression = intern("s0")})
                                    : Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = {size(2), size(6)}});
    }
}

std::string written(const Graph& graph, const Argument& value)
{
    switch (value.kind()) {
    case ArgumentKind::node: return graph[value.asNode()].name.str();
    case ArgumentKind::integer: return std::to_string(value.asInteger());
    case ArgumentKind::boolean: return value.asBoolean() ? "True" : "False";
    default: break;
    }
    std::string items;
    for (const Argument& item : value.items())
        items += (items.empty() ? "" : ", ") + written(graph, item);
    return "[" + items + "]";
}

/// Returns the operator call of node "y", such as "aten.add.Tensor(x, 2)", or the reason why there is none.
std::string exactly(const std::string& line, const std::function<void(Graph&, NodeId)>& change = {})
{
    Program program = test::programFromText("x = placeholder()\nz = placeholder()\nn = placeholder()\n" + line
                                            + "\nout = output(y)");
    describeInputs(program);
    Graph& graph = program.rootGraph();
    const NodeId y = graph.find(intern("y"));
    if (change)
        change(graph, y);
    OperatorCatalog operators(program);
    const Result<ChosenCall> call = exactCall(operators, graph, graph[y], graph[y].args, graph[y].kwargs);
    if (!call)
        return call.error().message;
    std::string text = call->target.str().substr(std::string("torch.ops.").size()) + "(";
    for (const Argument& argument : call->args)
        text += (text.back() == '(' ? "" : ", ") + written(graph, argument);
    for (const Keyword& keyword : call->kwargs)
        text += (text.back() == '(' ? "" : ", ") + keyword.key.str() + "=" + written(graph, keyword.value);
    return text + ")";
}

} // namespace

class ExactCallTest final : public QObject {
    Q_OBJECT
private slots:
    void findsTheOverloadThatIsCalled_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("call");
        const auto row = [](const char* what, const char* line, const char* call) {
            QTest::newRow(what) << QString(line) << QString(call);
        };
        row("an overload stays", "y = call_function[torch.ops.aten.add.Tensor](x, z)", "aten.add.Tensor(x, z)");
        row("a packet, two tensors", "y = call_function[torch.ops.aten.add](x, z)", "aten.add.Tensor(x, z)");
        row("a function of PyTorch", "y = call_function[torch.relu](x)", "aten.relu.default(x)");
        row("a tensor and a number", "y = call_function[_operator.add](x, 2)", "aten.add.Scalar(x, 2)");
        row("a number and a tensor", "y = call_function[_operator.add](2, x)", "aten.add.Scalar(x, 2)");
        row("a symbolic number", "y = call_function[_operator.mul](x, n)", "aten.mul.Scalar(x, n)");
        row("a method that takes the rest", "y = call_method[view](x, 3, 4)", "aten.view.default(x, [3, 4])");
        row("a method of one size", "y = call_method[view](x, n)", "aten.view.default(x, [n])");
        row("a number for a list of that length", "y = call_function[torch.sum](x, 1)", "aten.sum.dim_IntList(x, [1])");
        row("a function that is one operator", "y = call_function[torch.nn.functional.embedding](x, z)",
            "aten.embedding.default(z, x, -1, False, False)");
    }
    void findsTheOverloadThatIsCalled()
    {
        QFETCH(QString, line);
        QFETCH(QString, call);
        QCOMPARE(QString::fromStdString(exactly(line.toStdString())), call);
    }

    void refusesWhatIsNotOneOperator_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("why");
        QTest::newRow("Python around operators") << "y = call_function[torch.nn.functional.normalize](x)"
                                                 << "not known to correspond to a single ATen operator";
        QTest::newRow("a function of a library")
            << "y = call_function[einops.rearrange](x)" << "not known to correspond to a single ATen operator";
        QTest::newRow("a default that is no operator")
            << "y = call_function[torch.nn.functional.softmax](x)" << "do not determine a single ATen operator";
        QTest::newRow("too much is given") << "y = call_function[torch.relu](x, z)" << "do not determine a single ATen operator";
        QTest::newRow("an operator without a schema") << "y = call_function[torch.ops.mine.scale.default](x)" << "--operators";
    }
    void refusesWhatIsNotOneOperator()
    {
        QFETCH(QString, line);
        QFETCH(QString, why);
        const QString said = QString::fromStdString(exactly(line.toStdString()));
        QVERIFY2(said.contains(why), qPrintable(said));
    }

    void goesByWhatIsGivenInPlaceOfDefaults()
    {
        const auto inPlace = [](Graph& graph, NodeId y) {
            graph.setArguments(y, graph[y].args, {{intern("inplace"), Argument::boolean(true)}});
        };
        QCOMPARE(exactly("y = call_function[torch.nn.functional.relu](x)"), std::string("aten.relu.default(x)"));
        QCOMPARE(exactly("y = call_function[torch.nn.functional.relu](x)", inPlace), std::string("aten.relu_.default(x)"));
    }

    void takesAListForAList()
    {
        const auto both = [](Graph& graph, NodeId y) {
            const Argument x = graph[y].args[0];
            const Argument z = graph[y].args[1];
            graph.setArguments(y, {Argument::tuple({x, z})}, {{intern("dim"), Argument::integer(1)}});
        };
        QCOMPARE(exactly("y = call_function[torch.cat](x, z)", both), std::string("aten.cat.default([x, z], 1)"));
    }

    void isNotCertainWithoutValues()
    {
        const auto forget = [](Graph& graph, NodeId) { graph.meta(graph.first()).val.reset(); };
        const std::string said = exactly("y = call_function[torch.relu](x)", forget);
        QVERIFY2(said.find("do not determine a single ATen operator") != std::string::npos, said.c_str());
    }

    /// The operator of every line exists, and so do the parameters of its target.
    void everyLineOfTheTableIsSound()
    {
        OperatorCatalog operators;
        QVERIFY(exactCallLines().size() > 40);
        QVERIFY(std::ranges::is_sorted(exactCallLines(), {}, &ExactCallLine::target));
        for (const ExactCallLine& line : exactCallLines()) {
            const std::string where(line.target);
            const bool isMethod = line.target.starts_with("Tensor.");
            const OperatorFacts& facts = operators.of(isMethod ? Op::callMethod : Op::callFunction,
                                                      intern(isMethod ? line.target.substr(7) : line.target));
            QVERIFY2(facts.overloads.size() == 1, where.c_str());
            const std::string packet = "torch.ops.aten." + std::string(line.packet.substr(line.packet.find("::") + 2));
            QVERIFY2(!operators.of(Op::callFunction, intern(packet)).overloads.empty(), packet.c_str());
            for (const std::string_view word : line.arguments) {
                const bool isLiteral = word == "True" || word == "False" || word == "None" || word.front() == '-';
                QVERIFY2(isLiteral || facts.overloads.front().schema.find(intern(word)),
                         (where + ": " + std::string(word)).c_str());
            }
            for (const std::string_view condition : line.conditions)
                QVERIFY2(facts.overloads.front().schema.find(intern(condition.substr(0, condition.find_first_of("!=")))),
                         where.c_str());
        }
    }
};

const test::Registered<ExactCallTest> exactCallTest("exact_call_test");
#include "exact_call_test.moc"
