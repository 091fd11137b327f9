#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <string>

using namespace sunder;

/// Pairs that certainly differ, each next to a similar one that may not. Pairs for which `different` is wrong and that PyTorch
/// can run are in tests/cases/verify_trust/spellings.txt.
class DistinguishableTermsTest final : public QObject {
    Q_OBJECT
private slots:
    void saysDifferentOnlyWithAWitness_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<bool>("isDifferent");
        const auto row = [](const char* name, const char* a, const char* b, bool isDifferent) {
            QTest::newRow(name) << QByteArray(a) << QByteArray(b) << isDifferent;
        };
        /// Replaces "F" in the text by two different functions.
        const auto functions = [&](const char* name, const char* text, bool isDifferent, const char* one = "sin",
                                   const char* other = "cos") {
            QTest::newRow(name) << QByteArray(text).replace("F", one) << QByteArray(text).replace("F", other) << isDifferent;
        };

        functions("functions", "x = input [4]; y = aten.F.default(x); return (y,)", true);
        functions("functions of an input of any size", "x = input; y = aten.F.default(x); return (y,)", true);
        functions(
            "functions of a sum with a residual",
            "x = input [4]; w = attr w; m = aten.mul.Tensor(x, w); s = aten.add.Tensor(x, m); y = aten.F.default(s); return (y,)",
            true, "sin", "tanh");
        row("inputs", "x = input [4]; y = input [4]; return (x,)", "x = input [4]; y = input [4]; return (y,)", true);

        // Containers
        row("one output and two", "x = input [4]; return (x,)", "x = input [4]; return (x, x)", true);
        row("an output and a list of it", "x = input [4]; y = aten.sin.default(x); return (y,)",
            "x = input [4]; y = aten.sin.default(x); return ([y],)", true);
        row("a list and a tuple", "x = input [4]; return [x]", "x = input [4]; return (x,)", true);
        row("an input that may be a list", "x = input; return x", "x = input; return (x,)", false);
        row("a call that may give a list", "x = input [4]; y = builtins.list(x); return (y, x)",
            "x = input [4]; return ([x, x], x)", false);

        // Elements
        functions("elements that are repeated",
                  "x = input [1, 4]; y = aten.F.default(x) : [1, 4]; z = method.expand(y, 2, 4) : [2, 4] [0, 1]; return (z,)",
                  true);
        functions("elements that are not described",
                  "x = input [1, 4]; y = aten.F.default(x); z = aten.expand.default(y, [2, 4]); return (z,)", false);
        row("a write to some elements",
            "x = input [4]; s = aten.slice.Tensor(x, 0, 1, 9) : [3]; w = aten.add_.Tensor(s, 1.0); return (x,)",
            "x = input [4]; return (x,)", true);

        // Parts
        functions("an item of a function",
                  "x = input [2, 4]; y = aten.F.default(x); z = aten.select.int(y, 0, 1) : [4]; return (z,)", true);
        functions("all items of a stack",
                  "x = input [4]; y = aten.F.default(x); s = aten.stack.default([y, x]) : [2, 4]; return (s,)", true);
        functions(
            "a convolution that reads the input",
            "x = input [1, 1, 8]; w = input [1, 1, 3]; y = aten.F.default(x); z = aten.conv1d.default(y, w, None, [1], [1]); "
            "return (z,)",
            true);
        functions("a convolution of a part",
                  "x = input [1, 1, 8]; w = input [1, 1, 3]; y = aten.F.default(x); c = aten.cat.default([y, x]) : [2, 1, 8]; "
                  "z = aten.conv1d.default(c, w) : [2, 1, 6]; return (z,)",
                  false);

        // Zeros
        functions("a product with an input",
                  "x = input [4]; w = input [4]; y = aten.F.default(x); z = aten.mul.Tensor(w, y); return (z,)", true);
        functions("a product with a matrix",
                  "x = input [4, 6]; w = input [6, 2]; y = aten.F.default(x); z = aten.mm.default(y, w); return (z,)", true);
        functions(
            "a sum with a possible NaN",
            "x = input [4]; n = aten.full.default([4], nan.0); y = aten.F.default(x); z = aten.add.Tensor(y, n); return (z,)",
            false);

        // Writes
        functions(
            "a function whose result is overwritten",
            "x = input [4]; y = aten.F.default(x); v = aten.view.default(y, [2, 2]); w = aten.mul_.Tensor(v, 2.0); return (y,)",
            false);
        row("a write to an input", "x = input [4]; w = aten.neg_.default(x); y = aten.sin.default(x); return (y,)",
            "x = input [4]; y = aten.sin.default(x); return (y,)", true);

        // Numbers
        const auto numbers = [&](const char* name, const char* dtype, const char* one, const char* other, bool isDifferent) {
            const std::string text = "x = input [4] " + std::string(dtype) + "; y = aten.add.Tensor(x, ";
            row(name, (text + one + "); return (y,)").c_str(), (text + other + "); return (y,)").c_str(), isDifferent);
        };
        numbers("other numbers", "float32", "1.0", "2.0", true);
        numbers("other large numbers", "float32", "1000.0", "2000.0", true);
        numbers("other numbers of bytes", "uint8", "1", "2", true);
        numbers("other numbers that overflow bytes", "uint8", "1", "257", false);
        numbers("other numbers that overflow to infinity", "float32", "1e39.0", "2e39.0", false);
        numbers("not a number, and a number", "float32", "nan.0", "1.0", false);
        functions("a sum and a product with a number", "x = input [4]; y = aten.F.Tensor(x, 3.0); return (y,)", true, "add",
                  "mul");
        functions("a sum and a difference of 128", "x = input [4]; y = aten.F.Tensor(x, 128.0); return (y,)", true, "add", "sub");
        functions("a sum and a product with NaN", "x = input [4]; y = aten.F.Tensor(x, nan.0); return (y,)", false, "add", "mul");
        functions("functions of infinity", "x = input [4]; i = aten.add.Tensor(x, inf.0); y = aten.F.default(i); return (y,)",
                  false);

        // Programs that may fail on every input
        functions(
            "functions before a call after which nothing is described",
            "x = input [4]; y = aten.F.default(x) : [4]; v = aten.view.default(y, [7]); z = aten.neg.default(v); return (z,)",
            false);
        row("functions after an assertion that fails",
            "x = input [4]; a = torch._assert(False, \"no\"); y = aten.sin.default(x); return (y,)",
            "x = input [4]; a = torch._assert(False, \"no\"); y = aten.cos.default(x); return (y,)", false);

        // Dtypes
        functions("functions of integers", "x = input [4] int64; y = aten.F.default(x); return (y,)", true);
        functions("functions that fail for integers", "x = input [4] int64; y = aten.F.default(x); return (y,)", false, "gelu",
                  "silu");
        functions("functions of truth values", "x = input [4] bool; y = aten.F.default(x); return (y,)", false);
    }

    void saysDifferentOnlyWithAWitness()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(bool, isDifferent);
        const Program first = test::ProgramText::program(a.toStdString());
        const Program second = test::ProgramText::program(b.toStdString());
        const VerifyReport report = *verify(first, second);
        QVERIFY2(report.verdict == (isDifferent ? Verdict::different : Verdict::undecided), report.why.c_str());
        QCOMPARE(verify(second, first)->verdict, report.verdict);
    }

    /// All of its input may be padding, in which case it returns its bias for all inputs.
    void doesNotTellWhatAModuleOfAConvolutionReads()
    {
        const auto program = [](const char* text) {
            Program made = test::ProgramText::program(text);
            Module& module = made.modules[made.modules.ensure("m")];
            module.cls = intern("torch.nn.modules.conv.Conv1d");
            module.leaf = true;
            return made;
        };
        const Program first = program("x = input [1, 1, 4]; y = module.m(x); z = aten.add.Tensor(x, y); return (z,)");
        const Program second = program("x = input [1, 1, 4]; y = module.m(x); z = aten.add.Tensor(x, 0.5); return (z,)");
        QCOMPARE(verify(first, second)->verdict, Verdict::undecided);
        const Program third = program("x = input [1, 1, 4]; z = aten.add.Tensor(x, 0.5); return (z,)");
        const Program fourth = program("x = input [1, 1, 4]; y = aten.sin.default(x); z = aten.add.Tensor(x, y); return (z,)");
        QCOMPARE(verify(third, fourth)->verdict, Verdict::different);
    }

    void doesNotTellDefaultsApart()
    {
        const auto program = [](double scale) {
            Program made;
            made.root = made.addGraph(ModuleTree::root());
            Graph& graph = made.graph(made.root);
            const NodeId x = graph.append({.op = Op::placeholder, .name = intern("x"), .target = intern("x")});
            graph.append(
                {.op = Op::placeholder, .name = intern("scale"), .target = intern("scale"), .args = {Argument::floating(scale)}});
            graph.append({.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::node(x)}});
            return made;
        };
        const VerifyReport report = *verify(program(2.0), program(3.0));
        QCOMPARE(report.verdict, Verdict::undecided);
        QVERIFY(report.why.find("default value") != std::string::npos);
        QCOMPARE(verify(program(2.0), program(2.0))->verdict, Verdict::same);
    }
};

const test::Registered<DistinguishableTermsTest> distinguishableTermsTest("distinguishable_terms_test");
#include "distinguishable_terms_test.moc"
