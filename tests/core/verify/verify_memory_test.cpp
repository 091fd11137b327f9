#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;

/// Shared memory, contents of tensors after the run, and whether tensors then require gradients.
class VerifyMemoryTest final : public QObject {
    Q_OBJECT
private slots:
    /// An unknown operator may return a view of its arguments, unless the file records the storages of all of them.
    void takesStoragesForWhatNothingIsKnownOf_data()
    {
        QTest::addColumn<QString>("ofX");
        QTest::addColumn<QString>("ofY");
        QTest::addColumn<QString>("ofResult");
        QTest::addColumn<bool>("same");
        QTest::newRow("elsewhere") << "v0" << "v1" << "v2" << true;
        QTest::newRow("a view of written memory") << "v0" << "v1" << "v0" << false;
        QTest::newRow("unknown memory of the argument") << "" << "v1" << "v2" << false;
        QTest::newRow("unknown memory of the result") << "v0" << "v1" << "" << false;
    }
    void takesStoragesForWhatNothingIsKnownOf()
    {
        QFETCH(QString, ofX);
        QFETCH(QString, ofY);
        QFETCH(QString, ofResult);
        QFETCH(bool, same);
        const auto program = [&](const char* text) {
            Program made = ProgramText::program(text);
            Graph& graph = made.rootGraph();
            for (const auto& [name, storage] : {std::pair("x", ofX), std::pair("y", ofY), std::pair("z", ofResult)}) {
                auto meta = std::make_shared<TensorMeta>();
                meta->dtype = intern("float32");
                meta->storage = intern(storage.toStdString());
                graph.meta(graph.find(intern(name))).val = Argument::tensor(std::move(meta));
            }
            return made;
        };
        const Program a = program("x = input; y = input; z = lib.op(x, y); u = torch.sin(z); w = method.add_(x, 1); return u");
        const Program b = program("x = input; y = input; z = lib.op(x, y); w = method.add_(x, 1); u = torch.sin(z); return u");
        QCOMPARE(verify(a, b)->verdict == Verdict::same, same);
    }

    /// The file decides whether the result is the argument or a copy if it describes both. Otherwise a write keeps its position.
    void knowsWhatAConversionGives_data()
    {
        QTest::addColumn<QString>("convert");
        QTest::addColumn<bool>("isItself");
        QTest::addColumn<bool>("isCopy");
        QTest::newRow("to the same type") << "aten.to.dtype(x, float32) : [4]" << true << false;
        QTest::newRow("a method") << "method.to(x, float32) : [4]" << true << false;
        QTest::newRow("float()") << "method.float(x) : [4]" << true << false;
        QTest::newRow("a cast") << "aten._cast_Float.default(x) : [4]" << true << false;
        QTest::newRow("type_as") << "aten.type_as.default(x, v) : [4]" << true << false;
        QTest::newRow("dropout in eval mode") << "aten.dropout.default(x, 0.5, False) : [4]" << true << false;
        QTest::newRow("to another type") << "aten.to.dtype(x, float64) : [4] float64" << false << true;
        QTest::newRow("half()") << "method.half(x) : [4] float16" << false << true;
        QTest::newRow("a requested copy") << "aten.to.dtype(x, float32, False, True) : [4]" << false << true;
        QTest::newRow("a copy that may be requested") << "aten.to.dtype(x, float32, False, v) : [4]" << false << false;
        QTest::newRow("not described") << "aten.to.dtype(x, float32)" << true << false;
        QTest::newRow("not described, to another type") << "aten.to.dtype(x, float64)" << false << false;
        QTest::newRow("by strides") << "aten.contiguous.default(x) : [4]" << false << false;
    }
    void knowsWhatAConversionGives()
    {
        QFETCH(QString, convert);
        QFETCH(bool, isItself);
        QFETCH(bool, isCopy);
        const std::string start = "x = input [4]; v = input [4]; t = " + convert.toStdString() + "; ";
        const auto verdict = [](const std::string& a, const std::string& b) {
            return verify(ProgramText::program(a), ProgramText::program(b))->verdict;
        };
        QCOMPARE(verdict(start + "r = aten.mul.Tensor(t, 2.0); return r",
                         "x = input [4]; v = input [4]; r = aten.mul.Tensor(x, 2.0); return r")
                     == Verdict::same,
                 isItself);
        const std::string write = "w = aten.add_.Tensor(t, 1.0); ";
        const std::string read = "r = aten.mul.Tensor(x, 2.0); ";
        QCOMPARE(verdict(start + write + read + "return r", start + read + write + "return r") == Verdict::same, isCopy);
        QCOMPARE(verdict(start + write + "r = aten.mul.Tensor(t, 2.0); return r", start + write + read + "return r")
                     == Verdict::same,
                 isItself);
    }

    /// One file describes the values, the other does not.
    void needsNoTypesWhereConversionsAreTheSame()
    {
        const auto program = [](const char* val) {
            return ProgramText::program("x = input [4]; t = aten.to.dtype(x, float32)" + std::string(val)
                                        + "; u = aten.sin.default(t); "
                                          "w = aten.add_.Tensor(t, 1.0); r = aten.mul.Tensor(x, u); return (r, t)");
        };
        QCOMPARE(verify(program(" : [4]"), program(""))->verdict, Verdict::same);
        QCOMPARE(verify(program(""), program(" : [4]"))->verdict, Verdict::same);
    }

    /// A loop without iterations returns its inputs, and so may any operator that takes graphs.
    void takesWhatLoopsGiveForWhatTheyAreGiven()
    {
        const std::string graphs = "graph test; a = input; b = aten.gt.Scalar(a, 1); return b; end; "
                                   "graph body; a = input; s = aten.sin.default(a); return (s,); end; "
                                   "x = input; t = attr test; f = attr body; ";
        for (const std::string loop :
             {"torch.ops.higher_order.while_loop(t, f, (x,), ())", "torch.ops.higher_order.scan(f, [x], [], [])",
              "torch.ops.higher_order.associative_scan(f, [x], [])"}) {
            const std::string start = graphs + "c = " + loop + "; g = _operator.getitem(c, 0); ";
            const Program a = ProgramText::program(start + "r = aten.mul.Tensor(g, 2.0); w = aten.add_.Tensor(x, 1.0); return r");
            const Program b = ProgramText::program(start + "w = aten.add_.Tensor(x, 1.0); r = aten.mul.Tensor(g, 2.0); return r");
            QVERIFY2(verify(a, b)->verdict != Verdict::same, loop.c_str());
            QCOMPARE(verify(a, a)->verdict, Verdict::same);
        }
    }

    /// Files of PyTorch before 2.9 do not record which tensors share memory.
    void takesTensorsWithoutStoragesForOneMemory()
    {
        const auto program = [](const char* text, bool isKnown) {
            Program made = ProgramText::program(text);
            for (std::size_t i = 0; i < made.tensors.size() && !isKnown; ++i) {
                made.tensors[TensorId(i)].storage = {};
                made.tensors[TensorId(i)].meta.storage = {};
            }
            return made;
        };
        const char* const writeFirst =
            "x = input; b = attr b; v = attr v; w = aten.add_.Tensor(b, x); y = aten.mul.Tensor(v, 2.0); return y";
        const char* const readFirst =
            "x = input; b = attr b; v = attr v; y = aten.mul.Tensor(v, 2.0); w = aten.add_.Tensor(b, x); return y";
        const char* const reads = "x = input; b = attr b; v = attr v; y = aten.mul.Tensor(v, b); return y";
        const VerifyOptions shared{.sharedStorages = true};
        QCOMPARE(verify(program(writeFirst, true), program(readFirst, true))->verdict, Verdict::same);
        for (const VerifyOptions& options : {VerifyOptions(), shared}) {
            const VerifyReport report = *verify(program(writeFirst, false), program(readFirst, false), options);
            QCOMPARE(report.verdict, Verdict::undecided);
            QVERIFY2(report.why.find("does not record which parameters, buffers, and constants share memory")
                         != std::string::npos,
                     report.why.c_str());
            QCOMPARE(verify(program(reads, false), program(reads, false), options)->verdict, Verdict::same);
        }
        // Two files may share memory differently. A result shares it as its source does.
        const VerifyReport files = *verify(program(writeFirst, false), program(writeFirst, false));
        QCOMPARE(files.verdict, Verdict::undecided);
        QVERIFY2(files.why.find("parameter b is written to") != std::string::npos, files.why.c_str());
        const VerifyReport result = *verify(program(writeFirst, false), program(writeFirst, false), shared);
        QCOMPARE(result.verdict, Verdict::same);
        QVERIFY(result.notes.size() == 1 && result.notes[0].find("parameter b is written to") != std::string::npos);
    }

    void takesCopiesOfTensorsForThemUnlessSomethingIsWritten()
    {
        const auto copied = [](const char* text) {
            Program program = ProgramText::program(text);
            TensorEntry& entry = program.tensors[program.tensors.find(intern("a"))];
            entry.storage = program.tensors.addStorage({.id = intern("memory of its own"), .byteCount = 16});
            entry.meta.storage = intern("memory of its own");
            entry.meta.offset = Argument::integer(8);
            return program;
        };
        const VerifyOptions shared{.sharedStorages = true};
        const auto strided = [](Program program) {
            program.tensors[program.tensors.find(intern("a"))].meta.stride = Arguments{Argument::integer(1)};
            return program;
        };
        const char* const reads = "x = input; w = attr a; z = torch.mul(w, x); return z";
        QCOMPARE(verify(strided(ProgramText::program(reads)), strided(copied(reads)), shared)->verdict, Verdict::same);
        const char* const looks = "x = input; w = attr a; z = torch.as_strided(w, [2], [1]); return z";
        QVERIFY(verify(ProgramText::program(looks), copied(looks), shared)->verdict != Verdict::same);
        // In the source, both names share one memory; a write through one is visible through the other.
        Program tied = ProgramText::program(
            "x = input; w = attr a; v = attr b; u = method.add_(v, 1); z = torch.mul(w, x); return z");
        Program apart = tied;
        tied.tensors[tied.tensors.find(intern("a"))].storage = tied.tensors[tied.tensors.find(intern("b"))].storage;
        QVERIFY(verify(tied, apart, shared)->verdict != Verdict::same);
        QVERIFY(verify(tied, copied("x = input; w = attr a; v = attr b; u = method.add_(v, 1); z = torch.mul(w, x); return z"),
                       shared)
                    ->verdict
                != Verdict::same);
    }

    void comparesWhatEveryNameHoldsAfterTheRun()
    {
        const char* const text = "x = input; w = attr a; v = attr b; u = method.add_(w, 1); z = torch.mul(w, x); return z";
        const Program apart = ProgramText::program(text);
        const auto tied = [&](bool sameObject) {
            Program program = ProgramText::program(text);
            TensorEntry& b = program.tensors[program.tensors.find(intern("b"))];
            if (sameObject)
                b.same = program.tensors.find(intern("a"));
            else
                b.storage = program.tensors[program.tensors.find(intern("a"))].storage;
            return program;
        };
        for (const bool sharedStorages : {false, true})
            for (const bool sameObject : {false, true}) {
                const VerifyOptions options{.sharedStorages = sharedStorages};
                QVERIFY(verify(apart, tied(sameObject), options)->verdict != Verdict::same);
                QVERIFY(verify(tied(sameObject), apart, options)->verdict != Verdict::same);
                QCOMPARE(verify(tied(sameObject), tied(sameObject), options)->verdict, Verdict::same);
            }
    }

    void takesNoNoticeOfMemoryThatOnlyTheSecondHas()
    {
        // A value is passed through an added attribute, as unflatten does on request.
        const Program direct = ProgramText::program("w = attr a; y = torch.sin(w); z = torch.cos(y); return z");
        const auto through = [](const char* text) {
            Program program = ProgramText::program(text);
            Graph& graph = program.rootGraph();
            TensorMeta meta = program.tensors[TensorId(0U)].meta;
            meta.storage = {};
            meta.stride = Arguments{Argument::integer(1)};
            for (const NodeId id : graph.order())
                graph.meta(id).val = Argument::tensor(meta);
            return program;
        };
        const Program passed = through(
            "w = attr a; i = attr __ival__y; y = torch.sin(w); c = aten.copy_.default(i, y); z = torch.cos(i); return z");
        const Program early = through(
            "w = attr a; i = attr __ival__y; y = torch.sin(w); z = torch.cos(i); c = aten.copy_.default(i, y); return z");
        const VerifyOptions ofPass{.sharedStorages = true};
        const VerifyReport report = *verify(direct, passed, ofPass);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        QVERIFY(verify(passed, direct, ofPass)->verdict != Verdict::same);
        QVERIFY(verify(direct, early, ofPass)->verdict != Verdict::same);
        QVERIFY(verify(direct, passed)->verdict != Verdict::same); // as an independent model, it leaves another state behind
        QVERIFY(verify(passed, direct)->verdict != Verdict::same);
    }

    void knowsWhatRequiresGradientsWhereItIsCopied()
    {
        // The buffer b receives s, which requires gradients, and then a value computed from it.
        const auto described = [](const char* text) {
            Program program = ProgramText::program(text);
            Graph& graph = program.rootGraph();
            for (const NodeId id : graph.order()) {
                TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(4)}};
                meta.stride = Arguments{Argument::integer(1)};
                meta.requiresGrad = graph.node(id).op == Op::placeholder;
                graph.meta(id).val = Argument::tensor(meta);
            }
            return program;
        };
        const auto compared = [&](const char* a, const char* b) { return *verify(described(a), described(b)); };
        QCOMPARE(
            compared(
                "x = input; b = attr m; s = aten.sin.default(x); n = aten.add.Tensor(s, 1.0); d = aten.copy_.default(b, n); return n",
                "x = input; b = attr m; s = aten.sin.default(x); c = aten.copy_.default(b, s); n = aten.add.Tensor(b, 1.0); "
                "d = aten.copy_.default(b, n); return n")
                .verdict,
            Verdict::same);
        const VerifyReport detached = compared(
            "x = input; b = attr m; s = aten.sin.default(x); n = aten.detach.default(s); d = aten.copy_.default(b, n); return n",
            "x = input; b = attr m; s = aten.sin.default(x); c = aten.copy_.default(b, s); n = aten.detach.default(s); "
            "d = aten.copy_.default(b, n); return n");
        QCOMPARE(detached.verdict, Verdict::undecided);
        const std::string halves = "n in the first program, n copied into s (which may require gradients) in the second";
        QVERIFY2(detached.why.find(halves) != std::string::npos, detached.why.c_str());
    }

    void functionalCopyLooksOnlyAtTheLayoutOfWhatItCopiesOver()
    {
        const auto described = [](const char* text, std::int64_t stride, bool gradients) {
            Program program = ProgramText::program(text);
            Graph& graph = program.rootGraph();
            for (const NodeId id : graph.order()) {
                TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(4)}};
                meta.stride = Arguments{Argument::integer(graph.node(id).name.view() == "s" ? stride : 1)};
                meta.requiresGrad = gradients;
                graph.meta(id).val = Argument::tensor(meta);
            }
            return program;
        };
        const char* const overZeros =
            "x = input; r = aten.zeros.default([4]); s = aten.ones.default([4]); y = aten.copy.default(r, x); return y";
        const char* const overOnes =
            "x = input; r = aten.zeros.default([4]); s = aten.ones.default([4]); y = aten.copy.default(s, x); return y";
        QCOMPARE(verify(described(overZeros, 1, false), described(overOnes, 1, false))->verdict, Verdict::same);
        QVERIFY(verify(described(overZeros, 1, false), described(overOnes, 2, false))->verdict != Verdict::same);
    }

    void functionalCopyFollowsStridesOfInputs()
    {
        const char* const overInput =
            "x = input [4]; z = input [4]; c = aten.zeros.default([4]): [4]; y = aten.copy.default(x, z): [4]; return y";
        const char* const overZeros =
            "x = input [4]; z = input [4]; c = aten.zeros.default([4]): [4]; y = aten.copy.default(c, z): [4]; return y";
        QCOMPARE(verify(ProgramText::program(overInput), ProgramText::program(overInput))->verdict, Verdict::same);
        QCOMPARE(verify(ProgramText::program(overInput), ProgramText::program(overZeros))->verdict, Verdict::undecided);
    }

    void copiesInNewMemoryMayHaveOtherStrides()
    {
        const char* const copied =
            "x = input [2, 2]; c = aten.zeros.default([2, 2]): [2, 2]; d = aten.copy_.default(c, x): [2, 2]; "
            "y = aten.sin.default(d): [2, 2]; return y";
        const char* const read = "x = input [2, 2]; y = aten.sin.default(x): [2, 2]; return y";
        QCOMPARE(verify(ProgramText::program(copied), ProgramText::program(read))->verdict, Verdict::undecided);
        const char* const ofZeros =
            "x = input [2, 2]; o = aten.ones.default([2, 2]): [2, 2]; c = aten.zeros.default([2, 2]): [2, 2]; "
            "d = aten.copy_.default(c, o): [2, 2]; y = aten.add.Tensor(d, x): [2, 2]; return y";
        const char* const zeros =
            "x = input [2, 2]; o = aten.ones.default([2, 2]): [2, 2]; y = aten.add.Tensor(o, x): [2, 2]; return y";
        const VerifyReport sure = *verify(ProgramText::program(ofZeros), ProgramText::program(zeros));
        QVERIFY2(sure.verdict == Verdict::same, sure.why.c_str());
    }

    void severalWritesMayUndoEachOther()
    {
        const auto verdict = [](const char* a, const char* b) {
            return verify(ProgramText::program(a), ProgramText::program(b))->verdict;
        };
        const char* const once = "x = input; y = aten.mul_.Tensor(x, 0.9); return y";
        QCOMPARE(verdict(once, "x = input; o = aten.mul_.Tensor(x, 1); y = aten.mul_.Tensor(x, 0.9); return y"),
                 Verdict::undecided);
        QCOMPARE(verdict(once, "x = input; y = aten.mul_.Tensor(x, 0.8); return y"), Verdict::different);
    }

    void copyOfACloneIsAWrite()
    {
        const char* const copies = "x = input; b = attr m; c = aten.clone.default(b) : [4]; d = aten.copy_.default(b, c) : [4]; "
                                   "y = aten.mul.Tensor(x, b); return y";
        const char* const reads = "x = input; b = attr m; y = aten.mul.Tensor(x, b); return y";
        const char* const copiesBehind = "x = input; b = attr m; y = aten.mul.Tensor(x, b); c = aten.clone.default(b) : [4]; "
                                         "d = aten.copy_.default(b, c) : [4]; return y";
        const auto compared = [](const char* a, const char* b) {
            Program first = ProgramText::program(a);
            Program second = ProgramText::program(b);
            for (Program* program : {&first, &second}) {
                Graph& graph = program->rootGraph();
                graph.meta(graph.find(intern("b"))).val = Argument::tensor(
                    {.dtype = intern("float32"), .shape = {Argument::integer(4)}, .stride = Arguments{Argument::integer(1)}});
            }
            return *verify(first, second);
        };
        QCOMPARE(compared(copies, reads).verdict, Verdict::undecided); // a backward pass may need the unwritten tensor
        QCOMPARE(compared(reads, copies).verdict, Verdict::undecided);
        QCOMPARE(compared(copiesBehind, reads).verdict, Verdict::undecided);
        QCOMPARE(compared(copiesBehind, copiesBehind).verdict, Verdict::same);
    }

    void doesNotTrustStoragesOfAGraphThatIsCalledAgain()
    {
        // m(t) adds t to the buffer b. The `val`s in m describe its first call, whose argument is b itself.
        Program shared = ProgramText::program(
            "x = input; b = attr m.b; u = aten.add_.Tensor(b, b); v = aten.add_.Tensor(b, x); z = torch.sin(x); return z");
        Program called = ProgramText::program("x = input; b = attr m.b; z = torch.sin(x); return z");
        const auto valOf = [](const char* storage) {
            TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(4)}};
            meta.storage = intern(storage);
            return Argument::tensor(std::move(meta));
        };
        const ModuleId module = called.modules.ensure("m");
        const GraphId id = called.addGraph(module);
        called.modules[module].graph = id;
        Graph& graph = called.graph(id);
        const NodeId given = graph.append(
            {.op = Op::placeholder, .name = intern("t"), .target = intern("t"), .meta = {.val = valOf("v1")}});
        const NodeId buffer = graph.append(
            {.op = Op::getAttr, .name = intern("b"), .target = intern("b"), .meta = {.val = valOf("v1")}});
        graph.append({.op = Op::callFunction,
                      .name = intern("u"),
                      .target = intern("torch.ops.aten.add_.Tensor"),
                      .args = {Argument::node(buffer), Argument::node(given)},
                      .meta = {.val = valOf("v1")}});
        graph.append({.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::tuple({})}});
        Graph& root = called.rootGraph();
        const std::vector<NodeId> nodes = root.order();
        root.setInsertPoint(Graph::InsertPoint::before(nodes[2]));
        for (const NodeId argument : {nodes[1], nodes[0]})
            root.create({.op = Op::callModule, .name = intern("m"), .target = intern("m"), .args = {Argument::node(argument)}});
        const VerifyReport report = *verify(shared, called);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }
};

const test::Registered<VerifyMemoryTest> verifyMemoryTest("verify_memory_test");
#include "verify_memory_test.moc"
