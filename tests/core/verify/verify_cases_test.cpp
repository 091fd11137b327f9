#include "case_folders.h"
#include "io/fx_json/fx_json_reader.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;

namespace {

Program read(const QString& folder, const QString& name)
{
    Result<Program> program = readFxJson(test::programFile(folder, name));
    if (!program)
        qFatal("%s", describe(program.error()).c_str());
    return std::move(*program);
}

} // namespace

/// Verifies every pair of programs in tests/cases/verify, and all pairs of the shared conformance cases if present.
class VerifyCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void judgesAsPyTorchDoes_data() { test::addCases("verify"); }
    void judgesAsPyTorchDoes()
    {
        QFETCH(QString, folder);
        const QJsonValue expected = test::json(folder + "/expect.json")["same"];
        QVERIFY(expected.isBool());
        const bool same = expected.toBool();
        const Program a = read(folder, "a.fxj");
        const Program b = read(folder, "b.fxj");
        const VerifyReport report = *verify(a, b);
        QVERIFY2((report.verdict == Verdict::same) == same, report.why.c_str());
        QCOMPARE(report.why.empty(), same);
        QVERIFY2(report.valueA.empty() || report.valueA != report.valueB, report.why.c_str());
        QCOMPARE(verify(a, a)->verdict, Verdict::same);
        if (!same)
            QVERIFY2(!report.nameA.empty() || !report.nameB.empty() || report.output == "inputs", report.why.c_str());
    }
};

const test::Registered<VerifyCasesTest> verifyCasesTest("verify_cases_test");
#include "verify_cases_test.moc"
