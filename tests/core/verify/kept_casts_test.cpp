#include "verify/kept_casts.h"

#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

Program weighted(const std::string& text, bool requiresGrad)
{
    const std::string autocast = "torch.amp.autocast_mode.";
    Program program = ProgramText::program("x = input; w = attr w; e = " + autocast
                                           + "_enter_autocast(\"cpu\", float16, True, True); " + text + "; l = " + autocast
                                           + "_exit_autocast(e); return r");
    program.tensors[program.tensors.find(intern("w"))].meta.requiresGrad = requiresGrad;
    return program;
}

const std::string kEarly = "a = torch._C._nn.linear(x, w); ";
const std::string kWrite = "m = method.mul_(w, 2); ";
const std::string kLate = "r = torch._C._nn.linear(x, w)";

} // namespace

/// Casts of weights that an autocast region caches.
class KeptCastsTest final : public QObject {
    Q_OBJECT
private slots:
    void doubtsWhatIsReadAfterAWriteToACastWeight()
    {
        const VerifyReport report = *verify(weighted(kEarly + kWrite + kLate, true), weighted(kWrite + kLate, true));
        QCOMPARE(report.verdict, Verdict::undecided);
        QVERIFY2(report.why.find("may be in the cache of autocast") != std::string::npos, report.why.c_str());
    }

    void followsWritesToWhatIsNotKept_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("requiresGrad");
        const auto row = [](const char* name, const std::string& text, bool requiresGrad) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << requiresGrad;
        };
        row("a weight without gradients", kEarly + kWrite + kLate, false);
        row("a weight that was not read before", kWrite + kLate, true);
        row("two writes", kWrite + "n = method.add_(w, 1); " + kLate, true);
        row("a result", kEarly + "b = torch.sum(a); m = method.mul_(a, 2); r = torch.sum(a)", true);
    }
    void followsWritesToWhatIsNotKept()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, requiresGrad);
        const Program program = weighted(text.toStdString(), requiresGrad);
        const VerifyReport report = *verify(program, program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }

    void forgetsCastsAfterTheRegion()
    {
        const std::string leave = "l1 = torch.amp.autocast_mode._exit_autocast(e); ";
        const Program program = ProgramText::program(
            "x = input; w = attr w; e = torch.amp.autocast_mode._enter_autocast(\"cpu\", float16, True, True); " + kEarly + leave
            + kWrite + kLate + "; return r");
        QCOMPARE(verify(program, program)->verdict, Verdict::same);
    }
};

const test::Registered<KeptCastsTest> keptCastsTest("kept_casts_test");
#include "kept_casts_test.moc"
