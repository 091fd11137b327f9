#include "dialogs/pass_options_dialog.h"
#include "dialogs/tagging_dialog.h"
#include "document/passes/cli_command.h"
#include "document/passes/partition_pass.h"
#include "document/runs/make_runs.h"
#include "document/runs/moves_outcome.h"
#include "document/tagging_command.h"
#include "document/text.h"
#include "io/side_files/regions_file.h"
#include "io/side_files/tags_file.h"
#include "panels/runs_panel.h"
#include "panels/steps_panel.h"
#include "parts/part_checks.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QProcess>

using namespace sunder;

namespace {

const QString kCopiedSample = QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2");

QByteArray bytesIn(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString cliFolder()
{
    return QDir(QCoreApplication::applicationDirPath() + "/../bin").canonicalPath();
}

} // namespace

/// Copies from the window: runs as commands, which a shell executes, and pictures.
class WindowCopyingTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        if (!QFileInfo::exists(cliFolder() + "/sunder-cli"))
            QSKIP("sunder-cli was not built");
        showWindow();
        openSample();
        settle();
    }
    void cleanup()
    {
        if (m_window)
            closeWindow();
    }

    void aSplitIsMadeAgainByItsCommand()
    {
        splitSample();
        makesTheSameProgram("transformer-split.fxj");
    }

    void aPartitionIsMadeAgainByItsCommand()
    {
        document().devices().set({{.name = "gpu's big one", .availableBytes = 3e5, .logicalId = 0},
                                  {.name = "gpu 1", .availableBytes = 4e5, .logicalId = 1},
                                  {.name = "host", .availableBytes = 9e6, .logicalId = 2}},
                                 "devices");
        PartitionRequest request;
        request.config.devices = document().devices().list();
        addPartition(request);
        makesTheSameProgram("transformer-split.fxj");
        request.is2020 = true;
        for (Device& device : request.config.devices)
            device.availableBytes = 9e6;
        addPartition(request);
        makesTheSameProgram("transformer-split.fxj");
    }

    void aSplitInPartitionsIsMadeAgainByItsCommand()
    {
        run("splitModule");
        makesTheSameProgram("transformer-split.fxj");
    }

    void opsAreMovedAgainByTheirCommand()
    {
        run("moveNonTensor");
        runCommand();
        const auto moved = as<MovesOutcomePtr>(document().runs().list().back().result);
        const Result<TagsFile> made = readTagsFile(m_place->filePath("transformer-tags.json").toStdString());
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        QVERIFY(made->order == moved->result.tags.order);
        QVERIFY(made->tags == tagPairs(document().graph(), moved->result.tags));
    }

    void unflatteningIsMadeAgainByItsCommand()
    {
        run("unflatten");
        makesTheSameProgram("transformer-unflattened.fxj");
    }

    void regionsAreFoundAgainByTheirCommand()
    {
        run("deduplicate");
        makesTheSameProgram("transformer-deduplicated.fxj");
        run("findRegions");
        runCommand();
        const auto regions = as<RegionsOutcomePtr>(document().runs().list().back().result);
        QCOMPARE(QString::fromUtf8(bytesIn(m_place->filePath("transformer-regions.json"))),
                 QString::fromStdString(regionsJson(regionsByName(document().graph(), regions->regions))));
    }

    void stepsThatTagAreMadeAgainByTheirCommands()
    {
        using Way = TaggingRequest::Way;
        for (const TaggingRequest& wish :
             {TaggingRequest{.way = Way::equalStages, .stages = 3, .measure = StageMeasure::nodes},
              TaggingRequest{.way = Way::equalStages, .stages = 2, .borders = TaggingRequest::Borders::modules},
              TaggingRequest{.way = Way::byDepth, .depth = 2}}) {
            forgetChanges();
            const int before = document().steps().index();
            TaggingDialog dialog(document(), jobs(), wish);
            TagAssignment tagsBefore;
            std::optional<TaggingRequest> taken;
            connect(&dialog, &TaggingDialog::taken, this, [&](const TaggingRequest& asked, const TagAssignment& tags) {
                taken = asked;
                tagsBefore = tags;
            });
            dialog.show();
            settle();
            dialog.accept();
            QVERIFY(taken.has_value());
            QCOMPARE(document().steps().index(), before + 1);
            runShell(QString::fromStdString(
                shellText(taggingCommand(document().graph(), *taken, tagsBefore), {}, {.model = kCopiedSample})));
            const Result<TagsFile> made = readTagsFile(m_place->filePath("transformer.tags.json").toStdString());
            QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
            QVERIFY(made->order == document().tags().order);
            QVERIFY(made->tags == tagPairs(document().graph(), document().tags()));
        }
    }

    void fillsAndStraightenedStagesAreMadeAgainByCommandsOfTheirOwn()
    {
        const Graph& graph = document().graph();
        std::vector<NodeId> calls;
        for (const NodeId id : graph.nodes())
            if (graph[id].isCall())
                calls.push_back(id);
        TagAssignment some{.order = {intern("front"), intern("back")},
                           .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (i < calls.size() / 3 || i > calls.size() / 2)
                some.tagOf[calls[i].index()] = i < calls.size() / 3 ? 0 : 1;
        for (const auto& [way, start] : {std::pair(TaggingRequest::Way::fillEarliest, "sunder-cli tags fill %1 earliest --tags "),
                                         std::pair(TaggingRequest::Way::fillLatest, "sunder-cli tags fill %1 latest --tags "),
                                         std::pair(TaggingRequest::Way::straighten, "sunder-cli tags straighten %1 --tags ")}) {
            const QString command = QString::fromStdString(
                shellText(taggingCommand(graph, {.way = way}, some), {}, {.model = kCopiedSample}));
            QVERIFY2(command.startsWith(QString(start).arg(kCopiedSample)), qPrintable(command));
            runShell(command);
            const Result<TagsFile> made = readTagsFile(m_place->filePath("transformer.tags.json").toStdString());
            QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
            QCOMPARE(made->tags.size(), calls.size());
        }
    }

    /// The window records steps of its own dialogs; a step that was undone and replaced is forgotten.
    void theListOfStepsKnowsWhichHaveACommand()
    {
        actions().stages->trigger();
        auto* dialog = m_window->findChild<TaggingDialog*>();
        QVERIFY(dialog != nullptr);
        settle();
        QTRY_VERIFY(dialog->proposal() != nullptr);
        dialog->accept();
        auto* steps = m_window->findChild<StepsPanel*>();
        const int step = document().steps().index();
        QGuiApplication::clipboard()->clear();
        emit steps->commandWanted(step);
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith("sunder-cli tag "),
                 qPrintable(QGuiApplication::clipboard()->text()));
        document().undo();
        document().tagList().add("another");
        QGuiApplication::clipboard()->clear();
        emit steps->commandWanted(step);
        QVERIFY(QGuiApplication::clipboard()->text().isEmpty());
    }

    void theGraphInFrontIsCopiedAsItIsSeen()
    {
        QGuiApplication::clipboard()->clear();
        actions().copyPicture->trigger();
        const QImage image = QGuiApplication::clipboard()->image();
        QVERIFY(!image.isNull());
        const Rect seen = sourcePane().canvas().visibleScene();
        QVERIFY(std::abs(image.width() - seen.width * m_window->devicePixelRatioF()) < 3);
        int marks = 0; // something is drawn on it
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                marks += image.pixel(x, y) != image.pixel(0, 0) ? 1 : 0;
        QVERIFY2(marks > 200, qPrintable(QString::number(marks)));
    }

private:
    void run(const char* pass)
    {
        const std::size_t before = document().runs().list().size();
        actions().pass(pass)->trigger();
        if (auto* form = m_window->findChild<PassOptionsDialog*>()) {
            QVERIFY2(form->runButton().isEnabled(), pass);
            form->runButton().click();
        }
        QTRY_COMPARE(document().runs().list().size(), before + 1);
        settle();
    }

    void addPartition(const PartitionRequest& request)
    {
        Result<SplitOutcomePtr> made = makePartition(document().snapshot(), request, ProgressMonitor::none());
        QVERIFY2(made, made ? "" : describe(made.error()).c_str());
        document().runs().add(*made);
    }

    /// Copies the command of the last run and runs it in a shell in a new folder.
    void runCommand()
    {
        auto* runs = m_window->findChild<RunsPanel*>();
        QGuiApplication::clipboard()->clear();
        emit runs->commandWanted(document().runs().list().back().number);
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY2(command.startsWith("sunder-cli "), qPrintable(command));
        runShell(command);
    }

    void runShell(const QString& command)
    {
        m_place = std::make_unique<QTemporaryDir>();
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", cliFolder() + ":" + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(m_place->path());
        shell.start("/bin/sh", {"-c", command});
        QVERIFY(shell.waitForFinished(test::kHangMs));
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
    }

    void makesTheSameProgram(const char* file)
    {
        runCommand();
        const Program* program = programOf(document().runs().list().back());
        QVERIFY(program != nullptr);
        QTemporaryDir mine;
        QVERIFY(writeFxJson(*program, mine.filePath(file).toStdString(), mine.path().toStdString()).has_value());
        const QByteArray made = bytesIn(m_place->filePath(file));
        QVERIFY(!made.isEmpty());
        QVERIFY2(made == bytesIn(mine.filePath(file)), file);
    }

    std::unique_ptr<QTemporaryDir> m_place;
};

const test::Registered<WindowCopyingTest> windowCopyingTest("window_copying_test");
#include "window_copying_test.moc"
