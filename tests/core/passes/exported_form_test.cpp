#include "passes/to_exported/exported_form.h"

#include "ir/lint.h"
#include "parameter_chain.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

Argument tensorOf(std::int64_t size)
{
    return Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(size)}});
}

/// Returns a program with x, w, and an unused buffer, whose results are `output`.
Program plain(const std::string& calls, const std::string& output)
{
    Program made = test::programFromText("x = placeholder() : 4\nw = get_attr[w]() : 4\n" + calls + "out = output(" + output
                                         + ")");
    test::addTensor(made, "w", 4);
    made.tensors.add({.fqn = intern("unread"), .role = TensorRole::buffer, .persistent = false, .meta = tensorOf(4).asTensor()});
    return made;
}

std::string refusal(const Program& program)
{
    const Result<ExportedForm> form = exportedForm(program);
    return form ? std::string() : form.error().where.node + ": " + form.error().message;
}

} // namespace

class ExportedFormTest final : public QObject {
    Q_OBJECT
private slots:
    void liftsWeightsAndKeepsNamesOfCalls()
    {
        const Program source = plain("y = call_function[_operator.mul](x, w) : 4\n", "y");
        const Result<ExportedForm> form = exportedForm(source);
        QVERIFY2(form.has_value(), form ? "" : describe(form.error()).c_str());
        const Program& made = form->program;
        QVERIFY(lint(made).empty());
        QCOMPARE(test::textOf(made.rootGraph()),
                 std::string("w = placeholder[w]()\nb_unread = placeholder[b_unread]()\nx = placeholder[x]()\n"
                             "y = call_function[torch.ops.aten.mul.Tensor](x, w)\nout = output[output](y)\n"));
        const ExportSignature& signature = *made.signature;
        QCOMPARE(signature.inputs.size(), std::size_t{3});
        QCOMPARE(signature.inputs[0].kind, InputKind::parameter);
        QCOMPARE(signature.inputs[0].target, intern("w"));
        QCOMPARE(signature.inputs[1].kind, InputKind::buffer);
        QCOMPARE(signature.inputs[1].persistent, std::optional(false));
        QCOMPARE(signature.inputs[2].kind, InputKind::user);
        QCOMPARE(signature.outputs.size(), std::size_t{1});
        QCOMPARE(made.calls.size(), std::size_t{1});
        QCOMPARE(made.calls[0].outSpec.tree()->kind, TreeSpec::Kind::leaf);
        const NodeId y = source.rootGraph().find(intern("y"));
        QCOMPARE(form->map.resultsOf({source.root, y}).size(), std::size_t{1});
        QVERIFY(form->notes.empty());
    }

    /// A call with several results that is used as a whole is unpacked into its items, once per item.
    void takesResultsOfSeveralApart()
    {
        Program source = plain("parts = call_method[chunk](x, 2)\nfirst = call_function[_operator.getitem](parts, 0) : 2\n"
                               "again = call_function[_operator.getitem](parts, -2) : 2\n"
                               "y = call_function[torch.cat](parts) : 4\n",
                               "y");
        Graph& graph = source.rootGraph();
        graph.meta(graph.find(intern("parts"))).val = Argument::tuple({tensorOf(2), tensorOf(2)});
        const auto at = [&](const char* name) { return Argument::node(graph.find(intern(name))); };
        graph.setArguments(graph.output(),
                           {Argument::dict({Argument::string(intern("a\"b")), Argument::string(intern("c"))},
                                           {Argument::list({at("first"), at("again")}), at("parts")})},
                           {});
        const Result<ExportedForm> form = exportedForm(source);
        QVERIFY2(form.has_value(), form ? "" : describe(form.error()).c_str());
        QVERIFY(lint(form->program).empty());
        const std::string text = test::textOf(form->program.rootGraph());
        QVERIFY2(text.find("output](first, first, first, getitem)") != std::string::npos, text.c_str());
        QVERIFY2(text.find("aten.cat.default](first, getitem)") != std::string::npos, text.c_str());
        const TreeSpec* spec = form->program.calls[0].outSpec.tree();
        QVERIFY(spec != nullptr);
        QCOMPARE(spec->keys, (std::vector<std::string>{"a\"b", "c"}));
        QCOMPARE(spec->leafCount(), std::size_t{4});
    }

    void takesInputsApart()
    {
        Program whole = test::programFromText("pair = placeholder()\nx = placeholder() : 4\n"
                                              "first = call_function[_operator.getitem](pair, 0) : 4\n"
                                              "y = call_function[torch.mul](first, x) : 4\nout = output(y)");
        Graph& taken = whole.rootGraph();
        taken.meta(taken.first()).val = Argument::list({tensorOf(4), Argument::integer(3)});
        const Result<ExportedForm> form = exportedForm(whole);
        QVERIFY2(form.has_value(), form ? "" : describe(form.error()).c_str());
        QVERIFY(lint(form->program).empty());
        QCOMPARE(test::textOf(form->program.rootGraph()),
                 std::string("pair_0 = placeholder[pair_0]()\npair_1 = placeholder[pair_1]()\nx = placeholder[x]()\n"
                             "y = call_function[torch.ops.aten.mul.Tensor](pair_0, x)\nout = output[output](y)\n"));
        QCOMPARE(form->notes.size(), std::size_t{1}); // the number is always 3
        QCOMPARE(form->program.calls[0].inSpec.tree()->children[0].children.size(), std::size_t{2});
    }

    void refusesWithNodeAndReason_data()
    {
        QTest::addColumn<QString>("calls");
        QTest::addColumn<QString>("words");
        QTest::newRow("a module") << "y = call_module[lin](x) : 4\n" << "y: y calls module lin";
        QTest::newRow("no value") << "y = call_function[torch.relu](x)\n" << "y: y has no value";
        QTest::newRow("an index of a tensor") << "y = call_function[_operator.getitem](x, 0) : 1\n" << "y: y indexes a value";
        QTest::newRow("Python") << "y = call_function[mine.f](x) : 4\n" << "y: y calls mine.f";
    }
    void refusesWithNodeAndReason()
    {
        QFETCH(QString, calls);
        QFETCH(QString, words);
        const QString said = QString::fromStdString(refusal(plain(calls.toStdString(), "y")));
        QVERIFY2(said.startsWith(words), qPrintable(said));
    }

    void refusesInputsThatNobodyDescribes()
    {
        Program source = test::programFromText("x = placeholder()\ny = call_function[torch.relu](x) : 4\nout = output(y)");
        QVERIFY2(refusal(source).starts_with("x: x is an input without a value"), refusal(source).c_str());
        Graph& graph = source.rootGraph();
        graph.setTarget(graph.first(), intern("*x"), {});
        QVERIFY2(refusal(source).starts_with("x: x takes a variable number of inputs"), refusal(source).c_str());
    }
};

const test::Registered<ExportedFormTest> exportedFormTest("exported_form_test");
#include "exported_form_test.moc"
