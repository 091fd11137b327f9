#include "compare_programs.h"
#include "io/fx_json_reader.h"
#include "ir/lint.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/verify_result.h"
#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

std::string programFile(const QString& folder, const QString& name)
{
    const QString plain = folder + '/' + name;
    return (QFile::exists(plain) ? plain : plain + ".gz").toStdString();
}

/// The groups of a region file, as JSON; an undefined value when there is no such file.
QJsonValue groupsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()["groups"]
                                          : QJsonValue(QJsonValue::Undefined);
}

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

void addCases(const QString& folder)
{
    for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        QTest::newRow(qPrintable(folder.section('/', -3) + '/' + name)) << folder + '/' + name;
}

void addAllCases()
{
    QTest::addColumn<QString>("folder");
    addCases(QString::fromStdString(test::casePath("dedup")));
    if (!test::sharedFolder().empty())
        addCases(QString::fromStdString(test::sharedFolder()) + "/conformance/dedup");
}

} // namespace

/// Every case of tests/cases/dedup, and all shared conformance cases where they are there.
class DedupCasesTest final : public QObject {
    Q_OBJECT
private slots:
    void findsTheRegionsThatPyTorchFindsAndTheCorrectOnes_data() { addAllCases(); }
    void findsTheRegionsThatPyTorchFindsAndTheCorrectOnes()
    {
        QFETCH(QString, folder);
        const Result<Program> program = readFxJson(programFile(folder, "input.fxj"));
        QVERIFY(program.has_value());
        const auto found = [&](const RegionOptions& options) {
            return groupsOf(program->rootGraph(), *findRegions(*program, options));
        };
        const QJsonValue upstream = groupsOf(folder + "/expected_regions.json");
        const QJsonValue correct = groupsOf(folder + "/expected_correct_regions.json");
        const QJsonValue structural = groupsOf(folder + "/expected_structural_regions.json");
        QCOMPARE(found({.key = RegionKey::tracked, .asUpstream = true}), upstream);
        QCOMPARE(found({.key = RegionKey::tracked}), correct.isUndefined() ? upstream : correct);
        if (!structural.isUndefined())
            QCOMPARE(found({.key = RegionKey::structural}), structural);
    }

    void deduplicatesAsPyTorchDoesWhenAskedTo_data() { addAllCases(); }
    void deduplicatesAsPyTorchDoesWhenAskedTo()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(programFile(folder, "input.fxj"));
        const Result<DedupResult> result = deduplicate(program, {.key = RegionKey::tracked, .asUpstream = true});
        const Result<Program> expected = readFxJson(programFile(folder, "expected.fxj"));
        if (!expected) { // PyTorch raises
            QVERIFY(!result);
            QCOMPARE(result.error().code, ErrorCode::refused);
            return;
        }
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        for (const std::string& difference : test::differences(*expected, result->program))
            qWarning("%s", difference.c_str());
        QVERIFY(test::differences(*expected, result->program).empty());
    }

    void deduplicatesToWhatComputesTheSame_data() { addAllCases(); }
    void deduplicatesToWhatComputesTheSame()
    {
        QFETCH(QString, folder);
        const Program program = *readFxJson(programFile(folder, "input.fxj"));
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

QTEST_GUILESS_MAIN(DedupCasesTest)
#include "dedup_cases_test.moc"
