#include "case_folders.h"
#include "compare_programs.h"
#include "io/fx_json/fx_json_reader.h"
#include "ir/lint.h"
#include "passes/deduplicate/deduplicate.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

QJsonValue groupsOf(const Graph& graph, const RegionResult& result)
{
    QJsonArray groups;
    for (const RegionGroup& group : result.groups) {
        QJsonArray regions;
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            QJsonArray names;
            for (const NodeId id : group.region(i))
                names.append(QString::fromStdString(graph.node(id).name.str()));
            regions.append(names);
        }
        groups.append(QJsonObject{{"regions", regions}});
    }
    return groups;
}

} // namespace

/// Runs every case of tests/cases/dedup, and all shared conformance cases if present.
class DedupCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void findsTheRegionsThatPyTorchFindsAndTheCorrectOnes_data() { test::addCases("dedup"); }
    void findsTheRegionsThatPyTorchFindsAndTheCorrectOnes()
    {
        QFETCH(QString, folder);
        const Result<Program> program = readFxJson(test::programFile(folder, "input.fxj"));
        QVERIFY(program.has_value());
        const auto found = [&](const RegionOptions& options) {
            return groupsOf(program->rootGraph(), *findRegions(*program, options));
        };
        const QJsonValue upstream = test::json(folder + "/expected_regions.json").value("groups");
        const QJsonValue correct = test::json(folder + "/expected_correct_regions.json").value("groups");
        const QJsonValue structural = test::json(folder + "/expected_structural_regions.json").value("groups");
        QCOMPARE(found({.key = RegionKey::tracked, .asUpstream = true}), upstream);
        QCOMPARE(found({.key = RegionKey::tracked}), correct.isUndefined() ? upstream : correct);
        if (!structural.isUndefined())
            QCOMPARE(found({.key = RegionKey::structural}), structural);
    }

    void deduplicatesAsPyTorchDoesWhenAskedTo_data() { test::addCases("dedup"); }
    void deduplicatesAsPyTorchDoesWhenAskedTo()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(test::programFile(folder, "input.fxj"));
        const Result<DedupResult> result = deduplicate(program, {.key = RegionKey::tracked, .asUpstream = true});
        const Result<Program> expected = readFxJson(test::programFile(folder, "expected.fxj"));
        if (!expected) { // PyTorch raises an error
            QVERIFY(!result);
            QCOMPARE(result.error().code, ErrorCode::refused);
            return;
        }
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        for (const std::string& difference : test::differences(*expected, result->program))
            qWarning("%s", difference.c_str());
        QVERIFY(test::differences(*expected, result->program).empty());
    }

    void deduplicatesToWhatComputesTheSame_data() { test::addCases("dedup"); }
    void deduplicatesToWhatComputesTheSame()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(test::programFile(folder, "input.fxj"));
        for (const RegionKey key : {RegionKey::tracked, RegionKey::structural}) {
            const Result<DedupResult> result = deduplicate(program, {.key = key});
            QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
            for (const Diagnostic& fault : lint(result->program))
                QVERIFY2(false, fault.message.c_str());
            const VerifyReport report = *verifyResult(program, result->program);
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }
};

const test::Registered<DedupCasesTest> dedupCasesTest("dedup_cases_test");
#include "dedup_cases_test.moc"
