#include "verify/trace_memory.h"

#include "test_case.h"
#include "traced_program.h"

#include <QTest>

using namespace sunder;
using sunder::test::shareMemory;
using sunder::test::TracedProgram;

namespace {

constexpr std::string_view kWrites = "x = input; y = aten.add_.Tensor(x, 1); return y";

/// A tensor description with only a storage, which may be empty for an unknown one.
Argument tensorIn(const char* storage)
{
    return Argument::tensor(TensorMeta{.dtype = intern("float32"), .storage = intern(storage)});
}

} // namespace

/// Values of a trace that share memory.
class TraceMemoryTest final : public QObject {
    Q_OBJECT
private slots:
    void sharesTheMemoryOfTheArgumentsThatAreNamed()
    {
        TracedProgram traced(kWrites);
        const TracedCall call{{traced.leaf(), traced.list({traced.leaf()})}, {{intern("out"), traced.leaf()}}};
        const ValueId inList = traced.draft.trace.items(traced.draft.at(call.positional[1]))[0];
        const ValueId result = traced.leaf();
        const std::array<std::uint32_t, 1> second{1};
        traced.memory.mergeSlots(second, call, result);
        QVERIFY(shareMemory(traced.draft.trace, result, inList));
        QVERIFY(!shareMemory(traced.draft.trace, result, call.positional[0]));
        traced.memory.mergeAll(call, result);
        QVERIFY(shareMemory(traced.draft.trace, result, call.positional[0]));
        QVERIFY(shareMemory(traced.draft.trace, result, call.keywords[0].second));
    }

    void followsNoMemoryWhereNothingIsWritten()
    {
        TracedProgram traced("x = input; y = aten.t.default(x); return y");
        const TracedCall call{{traced.leaf()}, {}};
        traced.memory.mergeAll(call, traced.leaf());
        traced.memory.shareMemory(traced.leaf(), call.positional[0]);
        QCOMPARE(traced.draft.trace.regions.size(), std::size_t(0));
    }

    void sharesWhatIsPutIntoAnObject()
    {
        TracedProgram traced(kWrites);
        const TracedCall call{{traced.leaf(), traced.leaf()}, {}};
        traced.draft.trace.steps.resize(2);
        traced.memory.followWrites(0, {.written = {0}}, call, std::span(call.positional).first(1), false, false);
        QVERIFY(traced.draft.trace.regions.isWritten(traced.draft.at(call.positional[0]).region));
        QVERIFY(!traced.draft.trace.regions.isWritten(traced.draft.at(call.positional[1]).region));
        QVERIFY(!shareMemory(traced.draft.trace, call.positional[0], call.positional[1]));
        traced.memory.followWrites(1, {.written = {0}}, call, std::span(call.positional).first(1), false, true);
        QVERIFY(shareMemory(traced.draft.trace, call.positional[0], call.positional[1]));
    }

    void marksWhatChangesItsShape()
    {
        TracedProgram traced(kWrites);
        const TracedCall call{{traced.leaf(), traced.leaf()}, {}};
        traced.draft.trace.steps.resize(1);
        traced.memory.followWrites(0, {.written = {0}, .reshaped = {0}}, call, std::span(call.positional).first(1), false, false);
        QVERIFY(traced.draft.trace.steps[0].reshapes);
        QVERIFY(traced.draft.trace.regions.isReshaped(traced.draft.at(call.positional[0]).region));
        // it may have received the other one's storage
        QVERIFY(shareMemory(traced.draft.trace, call.positional[0], call.positional[1]));
    }

    void putsValuesOfOneStorageTogether()
    {
        TracedProgram traced(kWrites);
        TraceFrame frame = traced.frame();
        const ValueId first = traced.leaf();
        const ValueId second = traced.leaf();
        const ValueId other = traced.leaf();
        const auto merge = TraceMemory::Alignment::merge;
        traced.memory.alignWith(frame, first, tensorIn("s"), merge);
        traced.memory.alignWith(frame, traced.list({other, second}), Argument::list({tensorIn("t"), tensorIn("s")}), merge);
        QVERIFY(shareMemory(traced.draft.trace, first, second));
        QVERIFY(!shareMemory(traced.draft.trace, first, other));
    }

    void doesNotBelieveStoragesThatSeveralRegionsHave()
    {
        TracedProgram traced(kWrites);
        TraceFrame frame = traced.frame();
        const ValueId first = traced.leaf();
        const ValueId second = traced.leaf();
        const ValueId third = traced.leaf();
        traced.memory.alignWith(frame, first, tensorIn("s"), TraceMemory::Alignment::merge);
        traced.memory.alignWith(frame, second, tensorIn("s"), TraceMemory::Alignment::distrust);
        traced.memory.alignWith(frame, third, tensorIn("s"), TraceMemory::Alignment::merge);
        QVERIFY(!shareMemory(traced.draft.trace, first, second));
        QVERIFY(!shareMemory(traced.draft.trace, first, third));
        QCOMPARE(frame.storages.at(intern("s")), kSeveralRegions);
    }

    void knowsWhatLiesApartByItsStorages_data()
    {
        QTest::addColumn<QByteArray>("argument");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<bool>("apart");
        QTest::newRow("elsewhere") << QByteArray("s") << QByteArray("t") << true;
        QTest::newRow("in the same") << QByteArray("s") << QByteArray("s") << false;
        QTest::newRow("of an argument with unknown memory") << QByteArray() << QByteArray("t") << false;
        QTest::newRow("of a result with unknown memory") << QByteArray("s") << QByteArray() << false;
    }
    void knowsWhatLiesApartByItsStorages()
    {
        QFETCH(const QByteArray, argument);
        QFETCH(const QByteArray, result);
        TracedProgram traced("x = input; y = lib.op(x); return y");
        QVERIFY(!traced.memory.isStatedSeparate(traced.frame(), traced.node("y")));
        traced.meta("x").val = tensorIn(argument.constData());
        traced.meta("y").val = tensorIn(result.constData());
        QTEST(traced.memory.isStatedSeparate(traced.frame(), traced.node("y")), "apart");
    }

    void knowsWhichIndicesGatherElements_data()
    {
        QTest::addColumn<QString>("index");
        QTest::addColumn<bool>("copies");
        QTest::newRow("a number") << "0" << false;
        QTest::newRow("a list of numbers") << "[0, 1]" << true;
        QTest::newRow("a list of more, taken for a tuple") << "[0, None]" << false;
        QTest::newRow("a tuple of numbers") << "(0, 1)" << false;
        QTest::newRow("a list in a tuple") << "(None, [0, 1])" << true;
        QTest::newRow("a tensor") << "i" << true;
        QTest::newRow("a tensor in a tuple") << "(0, i)" << true;
        QTest::newRow("a tensor of no dimensions") << "n" << false;
        QTest::newRow("something that is not described") << "u" << false;
    }
    void knowsWhichIndicesGatherElements()
    {
        QFETCH(const QString, index);
        const TracedProgram traced("x = input [4]; i = input [2] int64; n = input [] int64; u = input; y = _operator.getitem(x, "
                                   + index.toStdString() + "); return y");
        QTEST(traced.memory.indexCopies(traced.frame(), traced.node("y")), "copies");
    }
};

const test::Registered<TraceMemoryTest> traceMemoryTest("trace_memory_test");
#include "trace_memory_test.moc"
