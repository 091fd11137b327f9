#include "../canvas/synthetic_picture.h"
#include "document/runs/make_runs.h"
#include "document/runs/moves_outcome.h"
#include "export/export_format.h"
#include "io/model_file.h"
#include "test_case.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

/// Files of all export formats, without a window: a file has the expected content, and does not exist if it could not be written.
class ExportFilesTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        Result<Program> read = readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        QVERIFY(read.has_value());
        m_source = std::make_shared<const Snapshot>(std::move(*read));
        TagAssignment tags{.order = {intern("front"), intern("back")}, .tagOf = {}};
        tags.tagOf.assign(m_source->graph().idBound(), TagAssignment::kUntagged);
        std::size_t calls = 0;
        for (const NodeId id : m_source->graph().nodes())
            if (m_source->isCall(id))
                tags.tagOf[id.index()] = 2 * calls++ < m_source->callCount ? 0 : 1;
        m_tags = {.tags = tags, .traits = {{}, {}}, .active = 0};
        m_request = {.program = {m_source, &m_source->program}, .graph = m_source->program.root};
        Result<PictureAnswer> drawn = answer(m_request, *makeLayeredEngine(), ProgressMonitor::none());
        QVERIFY(drawn.has_value());
        m_request.open = drawn->open;
        m_picture = drawn->picture->picture;
        take(makeSplit(m_source, tags, {}, ProgressMonitor::none()));
        take(makeUnflattened(m_source, {}, ProgressMonitor::none()));
        take(makeDeduplicated(m_source, {}, ProgressMonitor::none()));
        auto moves = std::make_shared<MovesOutcome>();
        moves->before = tags;
        Result<MoveByTagsResult> moved = moveNonTensorByTags(m_source->graph(), tags);
        QVERIFY(moved.has_value());
        moves->result = std::move(*moved);
        m_results.push_back(moves);
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyFormatWritesAndReadsBack_data() { formats(); }
    void everyFormatWritesAndReadsBack()
    {
        QFETCH(QString, format);
        QFETCH(QString, file);
        const ExportRequest request = requestOf(format, m_folder->filePath(file));
        const Result<ExportedFiles> written = runExport(request, ProgressMonitor::none());
        QVERIFY2(written.has_value(), written ? "" : describe(written.error()).c_str());
        QVERIFY(!written->files.isEmpty());
        for (const QString& path : written->files)
            QVERIFY2(QFile(path).size() > 0, qPrintable(path));
        // "File read back …", "Every part was read back …", or, for the name map of this model, that it is empty.
        QVERIFY2(written->note.contains("ead back") || written->note.startsWith("The map is empty"), qPrintable(written->note));
        if (file.endsWith(".json"))
            QVERIFY(!QJsonDocument::fromJson(contents(request.path)).isNull());
        if (file.endsWith(".fxj") || file.endsWith(".pt2"))
            QVERIFY(readModel(request.path.toStdString()).has_value());
    }

    /// If a folder is missing, or the target cannot be replaced.
    void whatCannotBeWrittenLeavesNothing_data() { formats(); }
    void whatCannotBeWrittenLeavesNothing()
    {
        QFETCH(QString, format);
        QFETCH(QString, file);
        QFile blocking(m_folder->filePath("blocked"));
        QVERIFY(blocking.open(QIODevice::WriteOnly));
        blocking.close();
        const Result<ExportedFiles> refused = runExport(requestOf(format, m_folder->filePath("blocked/" + file)),
                                                        ProgressMonitor::none());
        QVERIFY(!refused.has_value());
        QVERIFY2(QString::fromStdString(describe(refused.error())).contains("blocked"), describe(refused.error()).c_str());
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{"blocked"});
    }

    void aModelForOtherViewersHasItsTagsBesideIt()
    {
        const ExportRequest request = requestOf("drawing", m_folder->filePath("graph.json"));
        const Result<ExportedFiles> written = runExport(request, ProgressMonitor::none());
        QVERIFY(written.has_value());
        QCOMPARE(written->files, (QStringList{m_folder->filePath("graph.json"), m_folder->filePath("graph.tags.json")}));
        const QByteArray tags = contents(m_folder->filePath("graph.tags.json"));
        QVERIFY(tags.contains("front") && tags.contains("back"));
        ExportRequest ofCut = requestOf("drawing", m_folder->filePath("cut.json"));
        ofCut.drawn = SplitOutcome::kKind; // its parts show the tags
        const Result<ExportedFiles> cut = runExport(ofCut, ProgressMonitor::none());
        QVERIFY(cut.has_value());
        QCOMPARE(cut->files.size(), 1);
        QVERIFY(contents(m_folder->filePath("cut.json")).contains("front"));
    }

    void aScriptSaysWhatPyTorchLosesOfTheSignature()
    {
        const Result<SplitOutcomePtr> kept = makeSplit(m_source, m_tags.tags, {{"keepSignature", true}}, ProgressMonitor::none());
        QVERIFY(kept.has_value());
        auto asked = std::make_shared<SplitOutcome>(**kept);
        asked->options.insert("keepSignature", true);
        ExportRequest request = requestOf("python", m_folder->filePath("cut.py"));
        request.results = {asked};
        const Result<ExportedFiles> written = runExport(request, ProgressMonitor::none());
        QVERIFY(written.has_value());
        QVERIFY2(written->note.contains("PyTorch's split drops *"), qPrintable(written->note));
        QVERIFY(contents(request.path).contains("def split(graph_module"));
    }

    void partsOfADifferentProgramAreRefusedWithThePlace()
    {
        auto broken = std::make_shared<SplitOutcome>(*requestOf("parts", {}).result<SplitOutcomePtr>());
        broken->report = {.verdict = Verdict::different, .why = "they differ"};
        broken->report.nameA = "here";
        broken->report.nameB = "there";
        ExportRequest request = requestOf("parts", m_folder->filePath("parts"));
        request.results = {broken};
        const Result<ExportedFiles> refused = runExport(request, ProgressMonitor::none());
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::refused);
        const QString why = QString::fromStdString(refused.error().message);
        QVERIFY2(why.contains("They differ.") && why.contains("First difference: here in the model, there in the result"),
                 qPrintable(why));
        QVERIFY(!QDir(request.path).exists());
    }

    void aWebPageHasTheContentsOfClosedModulesAndTheParts()
    {
        const ExportRequest request = requestOf("picture", m_folder->filePath("graph.html"));
        const Result<ExportedFiles> written = runExport(request, ProgressMonitor::none());
        QVERIFY(written.has_value());
        QVERIFY(written->note.contains("web page"));
        const QByteArray page = contents(request.path);
        const qsizetype begin = page.indexOf("id=\"data\">") + 10;
        const QJsonObject data = QJsonDocument::fromJson(page.mid(begin, page.indexOf("</script>", begin) - begin)).object();
        QCOMPARE(data["parts"].toArray().size(), 2);
        QVERIFY(data["bodies"].toArray().size() > 20);
        QVERIFY(page.contains("MFLOP"));
    }

    void aPictureThatIsNotDrawnYetIsRefused()
    {
        ExportRequest request = requestOf("picture", m_folder->filePath("graph.svg"));
        request.picture = nullptr;
        QCOMPARE(refusalOf(request), QString("The graph is still being drawn."));
        QVERIFY(!runExport(request, ProgressMonitor::none()).has_value());
        request.path = m_folder->filePath("graph.gif");
        request.picture = std::make_shared<const Picture>(test::layerPicture());
        QVERIFY(!runExport(request, ProgressMonitor::none()).has_value());
        QVERIFY(QDir(m_folder->path()).isEmpty());
    }

private:
    static void formats()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("file");
        for (const ExportFormat& format : exportFormats()) {
            if (format.variants.empty())
                QTest::newRow(qPrintable(format.id)) << format.id << "out" + format.ending;
            for (const ExportVariant& variant : format.variants)
                QTest::newRow(qPrintable(format.id + variant.suffix)) << format.id << "out" + variant.suffix;
        }
    }

    template <typename T>
    void take(const Result<T>& made)
    {
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        m_results.push_back(*made);
    }

    ExportRequest requestOf(const QString& format, const QString& path) const
    {
        return {.format = format,
                .path = path,
                .source = m_source,
                .tags = m_tags,
                .results = m_results,
                .picture = m_picture,
                .schedule = std::make_shared<const PlannedSchedule>(
                    *plannedSchedule(PipelineSchedule::oneForwardOneBackward, {.ranks = 2, .stages = 2, .microBatches = 4})),
                .pictureRequest = m_request,
                .style = pictureStyle(m_source->program, m_tags.tags, nullptr, theme(false))};
    }

    static QByteArray contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    SnapshotPtr m_source;
    TagState m_tags;
    PictureRequest m_request;
    std::shared_ptr<const Picture> m_picture;
    std::vector<RunResult> m_results;
    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<ExportFilesTest> exportFilesTest("export_files_test");
#include "export_files_test.moc"
