#include "program_text.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <string>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

/// Gives the parameter "w" shape [2, 3] and stores it by rows or by columns. With `mutates`, the first of two results is written
/// back to the buffer "b".
Program laid(const std::string& text, bool byColumns, bool mutates = false)
{
    Program program = ProgramText::program(text);
    TensorMeta& meta = program.tensors[program.tensors.find(intern("w"))].meta;
    meta.shape = {Argument::integer(2), Argument::integer(3)};
    meta.stride = byColumns ? Arguments{Argument::integer(1), Argument::integer(2)}
                            : Arguments{Argument::integer(3), Argument::integer(1)};
    meta.offset = Argument::integer(0);
    if (!mutates)
        return program;
    const NodeId output = program.rootGraph().last();
    const Argument results = program.rootGraph().node(output).args[0];
    program.signature.emplace();
    program.signature->inputs.push_back({.value = Argument::node(program.rootGraph().first())});
    program.signature->outputs.push_back({.kind = OutputKind::bufferMutation,
                                          .target = intern("b"),
                                          .name = program.rootGraph().node(results.items()[0].asNode()).name});
    program.signature->outputs.push_back({.value = results.items()[1]});
    return program;
}

const std::string kLinear = "x = input [4, 3]; w = attr w; b = attr b; y = aten.linear.default(x, w) : [4, 2]; ";

} // namespace

/// Weights with other strides: equivalence up to rounding, and its limits.
class VerifyRoundingTest final : public QObject {
    Q_OBJECT
private slots:
    void boundsRounding_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("calls");
        const auto row = [](const char* name, const std::string& text, const char* calls = "y") {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(calls);
        };
        row("a result", kLinear + "return y");
        row("as a function", "x = input; w = attr w; y = torch._C._nn.linear(x, w); return y");
        row("smooth functions",
            kLinear + "z = aten.relu.default(y); s = aten.softmax.int(z, 1); u = aten.mul.Tensor(s, 2.0); return u");
        row("a view and an item",
            kLinear + "v = aten.view.default(y, [2, 4]); c = aten.split.Tensor(v, 2); d = _operator.getitem(c, 0); return d");
        row("two calls", kLinear + "z = aten.linear.default(y, b); v = aten.linear.default(x, w); return (z, v)", "y,v");
        row("a function whose result has another layout as well",
            "x = input; w = attr w; y = aten.sigmoid.default(w); z = aten.linear.default(x, y); return z", "y,z");
        row("a number with a fraction", kLinear + "z = aten._to_copy.default(y, dtype=float16); return z");
        row("a mean", kLinear + "z = aten.mean.dim(y, [1]); return z");
        row("a norm",
            kLinear
                + "z = aten.layer_norm.default(y, [2]); u = aten.layer_norm.default(y, [2], None, None, 0.00001); return (z, u)");
        row("a whole power", kLinear + "z = aten.pow.Tensor_Scalar(y, 2); return z");
        row("a choice that is not rounded", kLinear + "c = aten.gt.Scalar(x, 0); z = aten.where.self(c, y, x); return z");
        row("another choice that is not rounded",
            kLinear + "c = aten.gt.Scalar(x, 0); z = aten.masked_fill.Scalar(y, c, 0.0); return z");
        row("a quotient of a rounded number", kLinear + "z = aten.div.Tensor(y, 8.0); return z");
        row("its shape", kLinear + "n = aten.sym_size.int(y, 0); z = aten.arange.default(n); return (y, z)");
        row("an independent discontinuous call", kLinear + "m = aten.argmax.default(x); return (y, m)");
        row("a write in place", kLinear + "u = aten.add_.Tensor(b, y); return y");
    }
    void boundsRounding()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, calls);
        const Program a = laid(text.toStdString(), false);
        const Program b = laid(text.toStdString(), true);
        QCOMPARE(verify(a, laid(text.toStdString(), false))->verdict, Verdict::same);
        for (const VerifyReport& report : {*verify(a, b), *verify(b, a)}) {
            QVERIFY2(report.verdict == Verdict::sameUpToRounding, report.why.c_str());
            QStringList names;
            for (const std::string& name : report.rounding.names)
                names << QString::fromStdString(name);
            QCOMPARE(names.join(','), QString::fromUtf8(calls));
            QCOMPARE(report.rounding.count, std::size_t(names.size()));
            QVERIFY2(report.why.starts_with("w has a different memory layout: the results of "), report.why.c_str());
        }
    }

    void staysUndecided_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("call");
        const auto row = [](const char* name, const std::string& text,
                            const char* call = "z may turn rounding differences of its inputs into larger ones") {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(call);
        };
        row("a choice of the largest", kLinear + "z = aten.argmax.default(y); return z");
        row("an order", kLinear + "z = aten.sort.default(y, 1); return z");
        row("a comparison", kLinear + "z = aten.gt.Scalar(y, 0); return z");
        row("far behind",
            kLinear
                + "r = aten.relu.default(y); s = aten.mul.Tensor(r, r); z = aten.floor.default(s); u = aten.sin.default(z); return u");
        row("a whole number", kLinear + "z = aten._to_copy.default(y, dtype=int64); return z");
        row("a sum of whole numbers", kLinear + "z = aten.sum.dim_IntList(y, [1], dtype=int32); return z");
        row("other bits of the same", kLinear + "z = aten.view.dtype(y, int32); return z");
        row("other bits of one size", kLinear + "z = aten.view.dtype(y, float32); return z");
        row("a number of Python", kLinear + "z = aten.item.default(y); return z");
        row("a whole number of Python", kLinear + "z = torch.sym_int(y); return z");
        row("an assertion", kLinear + "z = aten._assert_async.default(y); return y");
        row("a quotient by it", kLinear + "z = aten.div.Tensor(x, y); return z");
        row("a quotient that is cut off", kLinear + "z = aten.div.Tensor_mode(y, 2.0, rounding_mode=\"floor\"); return z");
        row("a root", kLinear + "z = aten.sqrt.default(y); return z");
        row("a power that is not a number", kLinear + "z = aten.pow.Tensor_Scalar(y, 0.5); return z");
        row("a norm without a minimum", kLinear + "z = aten.layer_norm.default(y, [2], None, None, 0.0); return z");
        row("a norm with an unknown minimum", kLinear + "z = torch.nn.functional.rms_norm(y, [2], None, None); return z");
        row("a write into another tensor", kLinear + "z = aten.clone.out(y, out=b); return x");
        row("an unknown operator", kLinear + "z = lib.pick(y); return z", "");
        row("a computed dtype",
            kLinear
                + "i = input [4, 2] int64; d = method.dtype(i); t = builtins.getattr(i, \"dtype\"); z = method.softmax(y, 0, t); return z");
        row("requested strides", kLinear + "s = aten.stride.int(w, 0); return (y, s)", "s ");
        row("a view that may fail",
            "x = input; w = attr w; v = aten.view.default(w, [3, 2]); y = aten.mm.default(x, v); return y", "v ");
        row("numbers drawn in the order of memory", kLinear + "r = aten.rand_like.default(w); return (y, r)", "r ");
        row("a write to a tensor with another layout", kLinear + "u = aten.add_.Tensor(w, 1.0); return y", "u ");
        row("results with other strides", "x = input; w = attr w; y = aten.sigmoid.default(w); return y",
            "results may have different strides");
        row("a copy, or the same tensor",
            "x = input; w = attr w; y = aten.sigmoid.default(w); z = aten.contiguous.default(y); return z",
            "results may have different strides");
        row("a call without a promise",
            "x = input; w = attr w; y = aten.maximum.default(x, w); z = aten.contiguous.default(y); return z", "y ");
        row("memory that decides in the next run", kLinear + "z = aten.argmax.default(b); u = aten.add_.Tensor(b, y); return z");
    }
    void staysUndecided()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, call);
        const Program a = laid(text.toStdString(), false);
        const Program b = laid(text.toStdString(), true);
        for (const VerifyReport& report : {*verify(a, b), *verify(b, a)}) {
            QVERIFY2(report.verdict == Verdict::undecided, report.why.c_str());
            QVERIFY2(report.why.find(call.toStdString()) != std::string::npos, report.why.c_str());
            QCOMPARE(report.rounding.count, std::size_t(0));
        }
    }

    /// A value that the signature writes back is read in the next run.
    void followsWhatIsWrittenBack()
    {
        const std::string smooth =
            "x = input [4, 3]; w = attr w; b = attr b; y = aten.linear.default(x, w); u = aten.add.Tensor(b, y); ";
        const auto verdict = [&](const std::string& rest) {
            return verify(laid(smooth + rest, false, true), laid(smooth + rest, true, true))->verdict;
        };
        QCOMPARE(verdict("z = aten.sin.default(b); return (u, z)"), Verdict::sameUpToRounding);
        QCOMPARE(verdict("z = aten.argmax.default(b); return (u, z)"), Verdict::undecided);
    }

    /// Other differences keep their verdict.
    void keepsOtherDifferences()
    {
        const std::string rounded = kLinear + "z = aten.sin.default(y); return z";
        const std::string other = kLinear + "z = aten.cos.default(y); return z";
        const Verdict verdict = verify(laid(rounded, false), laid(other, true))->verdict;
        QVERIFY(verdict == Verdict::different || verdict == Verdict::undecided);
        Program gradients = laid(rounded, true);
        TensorEntry& w = gradients.tensors[gradients.tensors.find(intern("w"))];
        w.meta.requiresGrad = !w.meta.requiresGrad;
        QCOMPARE(verify(laid(rounded, false), gradients)->verdict, Verdict::undecided);
    }

    void namesNoMoreThanSome()
    {
        std::string text = "x = input [2, 3]; w = attr w; v = aten.t.default(w); ";
        std::string sum = "x";
        for (int i = 0; i < 20; ++i) {
            const std::string number = std::to_string(i);
            text += "y" + number + " = aten.mm.default(x, v); z" + number + " = aten.add.Tensor(y" + number + ", 1.0); ";
            sum += ", z" + number;
        }
        text += "return (" + sum + ")";
        const VerifyReport report = *verify(laid(text, false), laid(text, true));
        QCOMPARE(report.verdict, Verdict::sameUpToRounding);
        QCOMPARE(report.rounding.count, std::size_t(20));
        QCOMPARE(report.rounding.names.size(), RoundedCalls::kMaxNames);
        QVERIFY2(report.why.ends_with("y0, y1, y2, y3 and 16 more may differ by rounding"), report.why.c_str());
    }
};

const test::Registered<VerifyRoundingTest> verifyRoundingTest("verify_rounding_test");
#include "verify_rounding_test.moc"
