#include "case_folders.h"
#include "compare_programs.h"
#include "io/fx_json/fx_json_reader.h"
#include "ir/lint.h"
#include "passes/unflatten/unflatten.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;

/// Runs every case of tests/cases/unflatten, and all shared conformance cases if present.
class UnflattenCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void unflattensAsPyTorchDoesWhereThatIsRight_data() { test::addCases("unflatten"); }

    void unflattensAsPyTorchDoesWhereThatIsRight()
    {
        QFETCH(QString, folder);
        const QJsonObject made = test::json(folder + "/case.json");
        const Result<Program> source = readFxJson(test::programFile(folder, "input.fxj"));
        QVERIFY2(source.has_value(), source ? "" : source.error().message.c_str());
        const Result<UnflattenResult> result = unflatten(*source);
        if (made["refusal"].toString() == QStringLiteral("deliberate")) {
            QVERIFY(!result.has_value());
            QCOMPARE(result.error().code, ErrorCode::refused);
            return;
        }
        if (!result) {
            QVERIFY2(made.contains("refusal"), result.error().message.c_str());
            return;
        }
        const Diagnostics faults = lint(result->program);
        QVERIFY2(faults.empty(), faults.empty() ? "" : faults.front().message.c_str());
        if (made["result"].toString() == QStringLiteral("equal")) {
            const Result<Program> expected = readFxJson(test::programFile(folder, "expected.fxj"));
            QVERIFY(expected.has_value());
            const std::vector<std::string> found = test::differences(*expected, result->program, {.signature = false});
            QVERIFY2(found.empty(), found.empty() ? "" : found.front().c_str());
            return;
        }
        const VerifyReport report = *verifyResult(*source, result->program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }

    void passesValuesThroughAttributes_data() { test::addCases("unflatten"); }

    void passesValuesThroughAttributes()
    {
        QFETCH(QString, folder);
        const Result<Program> source = readFxJson(test::programFile(folder, "input.fxj"));
        QVERIFY2(source.has_value(), source ? "" : source.error().message.c_str());
        const Result<UnflattenResult> result = unflatten(*source, {.crossing = CrossingValues::attribute});
        if (!result || folder.endsWith(QStringLiteral("/storage_views"))) // see docs/internals/decisions.md
            return;
        const VerifyReport report = *verifyResult(*source, result->program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }

    void sharesMemoryOfResultsAsTheModuleDoes_data() { test::addCases("unflatten"); }

    void sharesMemoryOfResultsAsTheModuleDoes()
    {
        QFETCH(QString, folder);
        const Result<Program> source = readFxJson(test::programFile(folder, "input.fxj"));
        QVERIFY2(source.has_value(), source ? "" : source.error().message.c_str());
        const Result<UnflattenResult> result = unflatten(*source, {.sharedResults = true});
        QCOMPARE(result.has_value(), unflatten(*source).has_value());
        if (!result)
            return;
        const Diagnostics faults = lint(result->program);
        QVERIFY2(faults.empty(), faults.empty() ? "" : faults.front().message.c_str());
        const VerifyReport report = *verifyResult(*source, result->program);
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }
};

const test::Registered<UnflattenCasesTest> unflattenCasesTest("unflatten_cases_test");
#include "unflatten_cases_test.moc"
