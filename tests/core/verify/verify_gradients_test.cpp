#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <string>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

/// All values are float32 [4]. The attribute "w" requires gradients; "r" requires them if specified.
Program requiring(const QByteArray& text, bool requiresGrad)
{
    Program program = ProgramText::program(text.toStdString());
    for (const char* name : {"w", "r"})
        if (const TensorId id = program.tensors.find(intern(name)); id.isValid()) {
            program.tensors[id].role = TensorRole::buffer;
            program.tensors[id].meta.requiresGrad = name == std::string_view("w") || requiresGrad;
        }
    Graph& graph = program.rootGraph();
    for (const NodeId id : graph.order()) {
        TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(4)}};
        meta.stride = Arguments{Argument::integer(1)};
        graph.meta(id).val = Argument::tensor(meta);
    }
    return program;
}

} // namespace

/// Dependence on whether parameters, buffers, and constants require gradients.
class VerifyGradientsTest final : public QObject {
    Q_OBJECT
private slots:
    void provesWhatGivesTheSameOfBoth_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
        row("a result that requires them anyway", "w = attr w; r = attr r; y = aten.mul.Tensor(w, r); return y");
        row("through views",
            "w = attr w; r = attr r; v = aten.view.default(r, [4]); s = aten.slice.Tensor(v, 0, 0, 4); y = aten.add.Tensor(s, w); return y");
        row("in a list", "w = attr w; r = attr r; y = aten.cat.default([r, w]); return y");
        row("without them", "r = attr r; d = aten.detach.default(r); return d");
        row("a shape", "x = input; r = attr r; n = aten.sym_size.int(r, 0); y = aten.mul.Tensor(x, n); return y");
        row("an unused result", "x = input; r = attr r; y = aten.mul.Tensor(x, r); return x");
        row("an unread weight", "x = input; r = attr r; return x");
        row("writes to other memory",
            "w = attr w; r = attr r; m = attr m; u = aten.add_.Tensor(m, 1.0); y = aten.mul.Tensor(w, r); return y");
    }
    void provesWhatGivesTheSameOfBoth()
    {
        QFETCH(QByteArray, text);
        for (const bool first : {false, true}) {
            const VerifyReport report = *verify(requiring(text, first), requiring(text, !first));
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void doubtsWhatMayNotBeTheSame_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
        row("a result that requires them, or not", "x = input; r = attr r; y = aten.mul.Tensor(x, r); return y");
        row("the tensor itself", "r = attr r; return r");
        row("one of two results", "w = attr w; r = attr r; y = aten.mul.Tensor(w, r); z = aten.sin.default(r); return (y, z)");
        row("a write, which fails in a leaf", "x = input; r = attr r; u = aten.add_.Tensor(r, x); return x");
        row("a write of a derived value",
            "x = input; r = attr r; m = attr m; y = aten.sin.default(r); "
            "u = aten.copy_.default(m, y); return x");
        row("a question", "w = attr w; r = attr r; q = method.is_leaf(r); y = aten.mul.Tensor(w, q); return y");
        row("a kernel that may be another one",
            "w = attr w; r = attr r; y = aten.conv1d.default(w, r); z = aten.mul.Tensor(y, w); return z");
        row("an unknown operator", "w = attr w; r = attr r; y = lib.pick(r); z = aten.mul.Tensor(y, w); return z");
    }
    void doubtsWhatMayNotBeTheSame()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(verify(requiring(text, true), requiring(text, true))->verdict, Verdict::same);
        for (const bool first : {false, true}) {
            const VerifyReport report = *verify(requiring(text, first), requiring(text, !first));
            QVERIFY2(report.verdict == Verdict::undecided, report.why.c_str());
            QVERIFY2(report.why.find("which tensors require gradients, such as r") != std::string::npos
                         || text.contains("lib.pick"),
                     report.why.c_str());
        }
    }

    /// Different results are different, regardless of the tensors that require gradients.
    void tellsApartWhatElseDiffers()
    {
        const auto made = [](const QByteArray& function) {
            return "x = input; w = attr w; r = attr r; y = aten." + function
                + ".default(x); z = aten.mul.Tensor(y, r); u = aten.mul.Tensor(z, w); return u";
        };
        const Program sine = requiring(made("sin"), true);
        const Program cosine = requiring(made("cos"), false);
        QCOMPARE(verify(sine, cosine)->verdict, Verdict::different);
    }
};

const test::Registered<VerifyGradientsTest> verifyGradientsTest("verify_gradients_test");
#include "verify_gradients_test.moc"
