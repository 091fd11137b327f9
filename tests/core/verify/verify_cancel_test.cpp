#include "counting_monitor.h"
#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <string>

using namespace sunder;
using sunder::test::CountingMonitor;
using sunder::test::ProgramText;

namespace {

/// Finds all tensors equal, and asks once for each pair.
class EqualContents final : public TensorContents {
public:
    Result<ContentsReport> compare(const Program& /*a*/, const Program& /*b*/, std::span<const TensorPair> pairs,
                                   ComparedBytes /*bytes*/, ProgressMonitor& monitor) const override
    {
        for (std::size_t i = 0; i < pairs.size(); ++i)
            SUNDER_PROPAGATE(monitor.check());
        return ContentsReport{.tensors = pairs.size()};
    }
};

/// Gives the parameter "w" shape [2, 3] and these strides, and lets "r" require gradients.
Program withTensors(const QByteArray& text, std::int64_t rowStride, std::int64_t columnStride, bool requiresGrad)
{
    Program program = ProgramText::program(text.toStdString());
    if (const TensorId id = program.tensors.find(intern("w")); id.isValid()) {
        TensorMeta& meta = program.tensors[id].meta;
        meta.shape = {Argument::integer(2), Argument::integer(3)};
        meta.stride = Arguments{Argument::integer(rowStride), Argument::integer(columnStride)};
    }
    if (const TensorId id = program.tensors.find(intern("r")); id.isValid())
        program.tensors[id].meta.requiresGrad = requiresGrad;
    return program;
}

const std::string kTwoSubgraphs = "graph yes; a = input; s = aten.sin.default(a); return s; end; "
                                  "graph no; a = input; return a; end; "
                                  "p = input; x = input; f = attr yes; g = attr no; ";

} // namespace

Q_DECLARE_METATYPE(Verdict)

/// Cancellation at every moment of a verification.
class VerifyCancelTest final : public QObject {
    Q_OBJECT
private slots:
    void givesNoVerdictOnceItIsCancelled_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<Verdict>("verdict");
        const auto row = [](const char* name, const std::string& a, const std::string& b, Verdict verdict) {
            QTest::newRow(name) << QByteArray::fromStdString(a) << QByteArray::fromStdString(b) << verdict;
        };
        const std::string sine = "x = input; y = aten.sin.default(x); return y";
        row("equal programs", sine, sine, Verdict::same);
        row("different programs", sine, "x = input; y = aten.cos.default(x); return y", Verdict::different);
        row("equal in normal form", "x = input [4]; y = torch.mul(x, 2) : [4]; return y",
            "x = input [4]; y = method.mul(x, 2) : [4]; return y", Verdict::same);
        row("another order of random numbers", "x = input; a = torch.rand_like(x); b = torch.randn_like(x); return (a, b)",
            "x = input; b = torch.randn_like(x); a = torch.rand_like(x); return (a, b)", Verdict::different);
        row("unknown operators", "x = input; y = lib.op(x); z = aten.sin.default(x); return z",
            "x = input; z = aten.sin.default(x); return z", Verdict::undecided);
        row("other layouts and gradients", "x = input; w = attr w; r = attr r; y = aten.mul.Tensor(w, x); return (y, r)",
            "x = input; w = attr w; r = attr r; y = aten.mul.Tensor(w, x); return (y, r)", Verdict::undecided);
        row("writes", "x = input; y = aten.add_.Tensor(x, 1); z = aten.sin.default(x); return z",
            "x = input; z = aten.sin.default(x); y = aten.add_.Tensor(x, 1); return z", Verdict::undecided);
        row("closures", kTwoSubgraphs + "y = torch.ops.higher_order.cond(p, f, g, (x,)); return y",
            kTwoSubgraphs + "y = torch.ops.higher_order.cond(p, g, f, (x,)); return y", Verdict::undecided);
        row("graphs called in regions",
            kTwoSubgraphs + "y = torch.ops.higher_order.wrap_with_set_grad_enabled(False, f, x); return y",
            kTwoSubgraphs + "y = torch.ops.higher_order.wrap(f, x); return y", Verdict::undecided);
        row("a graph called under several settings",
            kTwoSubgraphs + "y = torch.ops.higher_order.wrap_with_set_grad_enabled(False, f, x); z = module.yes(y); return z",
            kTwoSubgraphs + "y = torch.ops.higher_order.wrap_with_set_grad_enabled(False, f, x); z = module.yes(y); return z",
            Verdict::same);
    }
    void givesNoVerdictOnceItIsCancelled()
    {
        QFETCH(const QByteArray, a);
        QFETCH(const QByteArray, b);
        QFETCH(const Verdict, verdict);
        const Program first = withTensors(a, 3, 1, false);
        const Program second = withTensors(b, 1, 2, true);
        const EqualContents contents;
        for (const TensorContents* compared : std::initializer_list<const TensorContents*>{nullptr, &contents}) {
            const VerifyOptions options{.contents = compared};
            CountingMonitor whole;
            const Result<VerifyReport> report = verify(first, second, options, whole);
            QVERIFY2(report && report->verdict == verdict, report ? report->why.c_str() : "");
            QVERIFY(whole.questions() > 10);
            for (std::size_t question = 0; question < whole.questions(); ++question) {
                CountingMonitor stopped(question);
                const Result<VerifyReport> none = verify(first, second, options, stopped);
                QVERIFY2(!none && none.error().code == ErrorCode::cancelled, qPrintable(QString::number(question)));
                QCOMPARE(stopped.questions(), question + 1);
            }
            for (std::size_t tick = 0; tick + 1 < whole.reports(); ++tick) { // the last report follows the verdict
                CountingMonitor stopped(CountingMonitor::kNever, tick);
                const Result<VerifyReport> none = verify(first, second, options, stopped);
                QVERIFY2(!none && none.error().code == ErrorCode::cancelled, qPrintable(QString::number(tick)));
                QCOMPARE(stopped.reports(), tick + 1);
            }
        }
    }
};

const test::Registered<VerifyCancelTest> verifyCancelTest("verify_cancel_test");
#include "verify_cancel_test.moc"
