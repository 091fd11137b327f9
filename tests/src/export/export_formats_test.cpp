#include "document/runs/moves_outcome.h"
#include "document/runs/regions_outcome.h"
#include "document/runs/split_outcome.h"
#include "export/export_format.h"

#include "test_case.h"

#include <QSet>
#include <QTest>

using namespace sunder;

/// The table of export formats.
class ExportFormatsTest final : public QObject {
    Q_OBJECT
private slots:
    void everyFormatCanBeFoundAndWritten()
    {
        QSet<QString> ids;
        for (const ExportFormat& format : exportFormats()) {
            QVERIFY2(!ids.contains(format.id), qPrintable(format.id));
            ids.insert(format.id);
            QCOMPARE(&exportFormat(format.id), &format);
            QVERIFY2(!format.title.isEmpty() && !format.what.isEmpty() && !format.ending.isEmpty() && format.write != nullptr,
                     qPrintable(format.id));
            QCOMPARE(format.of.has_value(), !format.without.isEmpty());
            for (const ExportVariant& variant : format.variants)
                QVERIFY2(format.filter.contains("*" + variant.suffix), qPrintable(format.id + ": " + variant.suffix));
            QVERIFY2(format.variants.empty() || format.ending.endsWith(format.variants.front().suffix), qPrintable(format.id));
        }
    }

    void formatsOfAResultSayHowToGetOne()
    {
        for (const ExportFormat& format : exportFormats())
            if (format.of)
                QCOMPARE(refusalOf({.format = format.id}), format.without);
    }

    void aSearchIsNoDeduplicatedProgram()
    {
        const RunResult search = std::make_shared<const RegionsOutcome>();
        QVERIFY(exportFormat("regions").isThere(std::array{search}));
        QVERIFY(!exportFormat("deduplicated").isThere(std::array{search}));
        QCOMPARE(refusalOf({.format = "deduplicated", .results = {search}}), exportFormat("deduplicated").without);
        auto shared = std::make_shared<RegionsOutcome>();
        shared->dedup.emplace();
        QVERIFY(exportFormat("deduplicated").isThere(std::array{RunResult(shared)}));
    }

    void partsThatAreNotProvenAreRefused()
    {
        auto cut = std::make_shared<SplitOutcome>();
        cut->report.verdict = Verdict::undecided;
        cut->report.why = "no reason";
        const QString why = refusalOf({.format = "parts", .results = {cut}});
        QVERIFY2(why.contains("No reason."), qPrintable(why));
        cut->report.verdict = Verdict::same;
        QVERIFY(refusalOf({.format = "parts", .results = {cut}}).isEmpty());
    }
};

const test::Registered<ExportFormatsTest> exportFormatsTest("export_formats_test");
#include "export_formats_test.moc"
