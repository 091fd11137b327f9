#include "analysis/cut/flat_split.h"
#include "ir/lint.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

class FlatSplitTest final : public QObject {
    Q_OBJECT

private:
    /// A part whose op has the name of an input that the root graph declares after the call.
    static Program withLateInput()
    {
        Program program;
        program.addGraph(ModuleTree::root());
        const ModuleId owner = program.modules.ensureChild(ModuleTree::root(), intern("part"));
        Graph& part = program.graph(program.addGraph(owner));
        const NodeId op = part.append({.op = Op::callFunction, .name = intern("y"), .target = intern("f")});
        part.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::node(op)}});
        Graph& main = program.rootGraph();
        const NodeId call = main.append({.op = Op::callModule, .name = intern("part"), .target = intern("part")});
        const NodeId input = main.append({.op = Op::placeholder, .name = intern("y"), .target = intern("y")});
        main.create({.op = Op::output,
                     .name = {},
                     .target = intern("output"),
                     .args = {Argument::tuple({Argument::node(call), Argument::node(input)})}});
        program.signature = ExportSignature{
            .inputs = {{.kind = InputKind::buffer, .target = intern("w"), .name = intern("y")}},
            .outputs = {{.kind = OutputKind::inputMutation, .target = intern("y"), .name = intern("part")},
                        {.kind = OutputKind::user, .value = Argument::node(input)}}};
        return program;
    }

private slots:
    void signatureNamesAnInputThatIsRenamed()
    {
        const Result<FlatSplit> flat = flatSplit(withLateInput());
        QVERIFY(flat.has_value());
        QVERIFY(lint(flat->program).empty());
        const ExportSignature& signature = *flat->program.signature;
        const Graph& graph = flat->program.rootGraph();
        const InternedString input = graph[signature.outputs.at(1).value.asNode()].name;
        QCOMPARE(input.str(), std::string("y_1"));
        QVERIFY(signature.inputs.at(0).name == input);
        QVERIFY(signature.outputs.at(0).target == input);
        QCOMPARE(signature.outputs.at(0).name.str(), std::string("y"));
    }
};

const test::Registered<FlatSplitTest> flatSplitTest("flat_split_test");
#include "flat_split_test.moc"
