#include "verify/traced_arguments.h"

#include "operators/call_facts.h"
#include "operators/operator_table.h"
#include "test_case.h"
#include "traced_program.h"
#include "verify/traced_call.h"

#include <QTest>

#include <algorithm>
#include <utility>
#include <vector>

using namespace sunder;
using sunder::test::TracedProgram;

namespace {

/// Returns the call of node "y" in canonical form.
TracedCall spelled(TracedProgram& traced)
{
    TracedAttributes attributes{traced.draft};
    TracedArguments arguments{traced.draft, traced.containers, attributes, traced.spelling};
    TraceFrame frame = traced.frame();
    for (const NodeId id : traced.program.rootGraph().nodes())
        if (traced.program.rootGraph().node(id).op == Op::placeholder)
            frame.values[id.index()] = traced.leaf();
    return arguments.ofFunction(frame, traced.node("y"), traced.facts("y"));
}

TermId termOf(const TracedProgram& traced, ValueId value)
{
    return traced.draft.at(value).term;
}

} // namespace

/// The canonical form of equivalent calls.
class CallCanonicalizerTest final : public QObject {
    Q_OBJECT
private slots:
    void putsArgumentsWhereTheSchemaHasThem()
    {
        TracedProgram traced("x = input; y = aten.sum.dim_IntList(keepdim=True, self=x, dim=[0]); return y");
        const TracedCall call = spelled(traced);
        QCOMPARE(call.positional.size(), std::size_t(3));
        QCOMPARE(traced.draft.at(call.positional[0]).kind, ValueKind::leaf);
        QCOMPARE(traced.draft.at(call.positional[1]).kind, ValueKind::container);
        QCOMPARE(termOf(traced, call.positional[2]), traced.terms.literal(Argument::boolean(true)));
        QCOMPARE(call.keywords.size(), std::size_t(1)); // dtype
        QCOMPARE(termOf(traced, call.keyword("dtype")), traced.terms.literal(Argument()));
        QCOMPARE(call.stated, std::size_t(3));
    }

    void sortsWhatOnlyNamesCanGive()
    {
        TracedProgram traced("y = aten.rand.default([2], pin_memory=False); return y");
        const TracedCall call = spelled(traced);
        std::vector<std::string_view> names;
        for (const auto& [name, value] : call.keywords)
            names.push_back(name.view());
        QCOMPARE(names, (std::vector<std::string_view>{"device", "dtype", "layout", "pin_memory"}));
        QVERIFY(call.isSorted);
        QCOMPARE(call.stated, std::size_t(5));
    }

    void countsWhatIsLeftOutAsItsDefault_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<int>("stated");
        QTest::newRow("left out") << QByteArray("aten.conv2d.default(x, x)") << 2;
        QTest::newRow("written out") << QByteArray("aten.conv2d.default(x, x, None, [1, 1], [0, 0], [1, 1], 1)") << 2;
        QTest::newRow("another number") << QByteArray("aten.conv2d.default(x, x, None, [1, 1], [0, 1])") << 5;
        QTest::newRow("by name") << QByteArray("aten.conv2d.default(x, x, groups=2)") << 7;
    }
    void countsWhatIsLeftOutAsItsDefault()
    {
        QFETCH(QByteArray, call);
        QFETCH(int, stated);
        TracedProgram traced("x = input; y = " + call.toStdString() + "; return y");
        const TracedCall found = spelled(traced);
        QCOMPARE(found.positional.size(), std::size_t(7));
        QCOMPARE(found.stated, static_cast<std::size_t>(stated));
    }

    void leavesCallsAloneThatNoSchemaTells_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::newRow("a name that the schema lacks") << QByteArray("aten.sum.default(x, axis=0)");
        QTest::newRow("an argument twice") << QByteArray("aten.sum.dim_IntList(x, [0], dim=[1])");
        QTest::newRow("a keyword-only argument by position") << QByteArray("aten.add.Tensor(x, x, 2)");
        QTest::newRow("a missing argument") << QByteArray("aten.add.Tensor(x)");
        QTest::newRow("several overloads") << QByteArray("aten.sum(x, keepdim=True)");
        QTest::newRow("a Python function") << QByteArray("torch.nn.functional.relu(x, inplace=False)");
        QTest::newRow("an unknown operator") << QByteArray("torch.ops.my.op.default(x, k=1)");
        QTest::newRow("a default whose text is ambiguous") << QByteArray("aten.contiguous.default(x)");
    }
    void leavesCallsAloneThatNoSchemaTells()
    {
        QFETCH(QByteArray, call);
        TracedProgram traced("x = input; y = " + call.toStdString() + "; return y");
        const TracedCall found = spelled(traced);
        QCOMPARE(found.positional.size(), traced.node("y").args.size());
        QCOMPARE(found.keywords.size(), traced.node("y").kwargs.size());
        QCOMPARE(found.stated, found.positional.size() + found.keywords.size());
    }

    /// For every overload in PyTorch, the effects of a call are the same with defaults omitted or filled in.
    void changesNothingOfWhatCallsDo()
    {
        TracedProgram traced("x = input; return x");
        int filled = 0;
        for (std::string_view rest = operator_data::torchOperators; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            const Result<OperatorSchema> schema = parseSchema(line.substr(0, line.find('\t')));
            if (line.starts_with('#') || !schema)
                continue;
            const std::string packet = schema->packet.str();
            const std::size_t colon = packet.find("::");
            const OperatorFacts& facts = traced.operators.of(
                Op::callFunction,
                intern("torch.ops." + packet.substr(0, colon) + '.' + packet.substr(colon + 2) + '.'
                       + (schema->overload.empty() ? "default" : schema->overload.str())));
            TracedCall call;
            for (const SchemaArgument& argument : schema->arguments)
                if (!argument.hasDefault && !argument.keywordOnly)
                    call.positional.push_back(traced.leaf());
                else if (!argument.hasDefault)
                    call.keywords.emplace_back(argument.name, traced.leaf());
            TracedCall whole = call;
            traced.spelling.spell(whole, facts);
            const CallFacts before = callFacts(facts, BoundArguments(traced.draft.trace, traced.terms, call));
            const CallFacts after = callFacts(facts, BoundArguments(traced.draft.trace, traced.terms, whole));
            filled += whole.positional.size() + whole.keywords.size() > call.positional.size() + call.keywords.size() ? 1 : 0;
            const auto values = [](const TracedCall& of, const std::vector<std::uint32_t>& places) {
                std::vector<ValueId> found;
                for (const std::uint32_t slot : places)
                    found.push_back(of.slot(slot));
                std::ranges::sort(found);
                return found;
            };
            const std::string name = packet + '.' + schema->overload.str();
            QVERIFY2(values(call, before.written) == values(whole, after.written), name.c_str());
            QVERIFY2(before.result == after.result, name.c_str());
            QVERIFY2(before.random == after.random && before.converts == after.converts, name.c_str());
            QVERIFY2(before.failsByForm == after.failsByForm && before.seesLayout == after.seesLayout, name.c_str());
            QVERIFY2(before.ignoresLayout == after.ignoresLayout && before.keepsGradients == after.keepsGradients, name.c_str());
        }
        QVERIFY(filled > 1000);
    }
};

const test::Registered<CallCanonicalizerTest> callCanonicalizerTest("call_canonicalizer_test");
#include "call_canonicalizer_test.moc"
