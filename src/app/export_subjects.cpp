#include "app/export_subjects.h"

#include "app/samples.h"
#include "app/workspace.h"
#include "panes/graph_view.h"
#include "panes/pane.h"
#include "panes/timeline/timeline_pane.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace sunder {
namespace {

const QString kFolderKey = QStringLiteral("exportFolder");

/// Returns whether a folder is writable. A folder without write permissions is not, even for root.
bool isForWriting(const QString& folder)
{
    return QFileInfo(folder).isWritable()
        && (QFile::permissions(folder) & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)) != 0;
}

/// Returns the folder of the last export, else the model's folder. Samples are excluded, since they are in the program's own
/// folder.
QString folderFor(const QString& model)
{
    const std::vector<Sample> samples = sampleModels();
    const bool isSample = std::any_of(samples.begin(), samples.end(),
                                      [&](const Sample& sample) { return sample.path == QFileInfo(model).canonicalFilePath(); });
    QString folder = QSettings().value(kFolderKey).toString();
    if (folder.isEmpty() && !isSample)
        folder = QFileInfo(model).absolutePath();
    return folder.isEmpty() || !isForWriting(folder) ? QDir::homePath() : folder;
}

/// Returns the pictures of the panes; first that of `front`, or of the focused pane if `front` is null.
std::vector<ShownPicture> picturesOf(const Workspace& workspace, Pane* front)
{
    std::vector<Pane*> panes = workspace.panesWithPictures();
    const QWidget* focus = QApplication::focusWidget();
    std::stable_sort(panes.begin(), panes.end(), [&](Pane* a, Pane* b) {
        const auto isFront = [&](Pane* pane) { return front != nullptr ? pane == front : pane->isAncestorOf(focus); };
        return isFront(a) && !isFront(b);
    });
    std::vector<ShownPicture> pictures;
    for (Pane* pane : panes) {
        if (const std::shared_ptr<const Drawing> drawing = pane->drawing()) {
            const QRectF& seen = drawing->seen;
            pictures.push_back({.title = pane->title(),
                                .seen = {static_cast<float>(seen.x()), static_cast<float>(seen.y()),
                                         static_cast<float>(seen.width()), static_cast<float>(seen.height())},
                                .drawing = drawing});
            continue;
        }
        const GraphView& view = *pane->graphInFront();
        const CanvasWidget& canvas = view.canvas();
        pictures.push_back({.title = QObject::tr("%1: %2").arg(pane->title(), view.breadcrumbs().value(0)),
                            .picture = canvas.picture(),
                            .style = canvas.pictureStyle(),
                            .seen = canvas.visibleScene(),
                            .request = view.shownRequest()});
    }
    return pictures;
}

} // namespace

ExportSubject exportSubjectOf(const Document& document, const Workspace& workspace, Pane* front)
{
    ExportSubject subject{.name = document.displayName(),
                          .folder = folderFor(document.filePath()),
                          .source = document.snapshot(),
                          .tags = document.tagState(),
                          .schedule = workspace.timeline().isVisible() ? workspace.timeline().plan() : nullptr,
                          .pictures = picturesOf(workspace, front)};
    for (const Run* run : document.runs().allShown())
        subject.results.push_back(
            {run->result, QObject::tr("run %1, %2").arg(run->number).arg(nameOf(*run)), document.runs().isCurrent(*run)});
    return subject;
}

void rememberExportFolder(const QString& folder)
{
    QSettings().setValue(kFolderKey, folder);
}

} // namespace sunder
