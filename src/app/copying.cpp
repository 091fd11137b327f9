#include "app/copying.h"

#include "app/export_subjects.h"
#include "app/step_commands.h"
#include "app/work_area.h"
#include "app/workspace.h"
#include "document/passes/cli_command.h"
#include "document/text.h"
#include "panels/runs_panel.h"
#include "panels/steps_panel.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

namespace sunder {
namespace {

/// Copies a picture to the clipboard. Returns why that failed, as a sentence; empty on success.
QString copyPicture(const ShownPicture& shown, double scale)
{
    if (!shown.drawing && (!shown.picture || shown.picture->items.empty()))
        return QObject::tr("The graph is still being drawn.");
    const PictureExportOptions options{.scale = scale, .margin = 0, .area = shown.seen};
    const Result<QImage> image = shown.drawing ? drawingImage(*shown.drawing, options)
                                               : pictureImage(ScenePicture(shown.picture), shown.style, options);
    if (!image)
        return sentence(image.error().message);
    QGuiApplication::clipboard()->setImage(*image);
    return {};
}

OpenedFiles openedFilesOf(const Document& document, const CustomOperators& operators)
{
    return {.model = QFileInfo(document.filePath()).absoluteFilePath(),
            .program = document.programName(),
            .operators = operators.library() == nullptr ? QString() : QFileInfo(operators.path()).absoluteFilePath()};
}

} // namespace

void connectCopying(const Actions& actions, const Document& document, const CustomOperators& operators, const StepCommands& steps,
                    WorkArea& work, const std::function<void(const QString&)>& say)
{
    QObject::connect(actions.copyPicture, &QAction::triggered, &work, [&document, &work, say] {
        const std::vector<ShownPicture> pictures = exportSubjectOf(document, work.panes(), nullptr).pictures;
        if (pictures.empty())
            return;
        const QString why = copyPicture(pictures.front(), work.devicePixelRatioF());
        say(why.isEmpty() ? QObject::tr("Copied the picture of %1.").arg(pictures.front().title) : why);
    });
    QObject::connect(&work.runs(), &RunsPanel::commandWanted, &work, [&document, &operators, say](int number) {
        const Run* run = document.runs().find(number);
        if (run == nullptr)
            return;
        const std::string command = shellCommandOf(*run, *document.snapshot(), openedFilesOf(document, operators));
        QGuiApplication::clipboard()->setText(QString::fromStdString(command));
        say(QObject::tr("Copied run %1 as a sunder-cli command.").arg(number));
    });
    work.steps().setHasCommand([&steps](int step) { return steps.of(step) != nullptr; });
    QObject::connect(&work.steps(), &StepsPanel::commandWanted, &work, [&document, &operators, &steps, say](int step) {
        const CliCommand* command = steps.of(step);
        if (command == nullptr)
            return;
        const std::string sizes = assumedSizesText(document.snapshot()->program);
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(shellText(*command, sizes, openedFilesOf(document, operators))));
        say(QObject::tr("Copied step %1 as a sunder-cli command.").arg(step));
    });
}

} // namespace sunder
