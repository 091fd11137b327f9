#include "app/disk_notices.h"

#include "dialogs/message_dialog.h"
#include "document/text.h"
#include "panels/file_change_bar.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>

namespace sunder {
namespace {

FileChangeBar::Notice noticeOf(WatchedFile file, const DiskChange& change)
{
    FileChangeBar::Notice notice{
        .headline = QObject::tr("%1 has changed on disk").arg(brief(visible(QFileInfo(change.path).fileName()))),
        .text = sentence(change.what.toStdString()),
        .path = folded(visible(QDir::toNativeSeparators(change.path))),
        .canRead = change.isThere};
    if (file == WatchedFile::tags) {
        const bool isOfProject = isProject(change.path);
        notice.text += isOfProject ? QObject::tr(" The window still shows the project that you opened.")
                                   : QObject::tr(" The window still shows the tags that you opened.");
        notice.reloadTip = isOfProject ? QObject::tr("Open the new version of the project")
                                       : QObject::tr("Load the tags of the file; undo restores yours");
        return notice;
    }
    notice.reloadTip = QObject::tr(
        "Open the new version of the model; matching ops keep their tags, and undo restores the open version");
    if (!change.isThere)
        notice.text += QObject::tr(" You can continue with the open model.");
    else if (change.isLost)
        notice.text += QObject::tr(
            " The graph is still the one you opened, but its weights were overwritten. Reload before exporting parts.");
    else
        notice.text += QObject::tr(" The window still shows the model that you opened; exported parts get its weights.");
    return notice;
}

} // namespace

DiskNotices::DiskNotices(Document& document, Workflow& workflow, FileChangeBar& modelBar, FileChangeBar& tagsBar, QWidget& window)
    : m_document(document), m_workflow(workflow), m_modelBar(modelBar), m_tagsBar(tagsBar), m_window(window),
      m_watch(document, workflow, window)
{
    connectBar(WatchedFile::model);
    connectBar(WatchedFile::tags);
    connect(&m_watch, &DiskWatch::found, this, &DiskNotices::showChange);
    connect(&m_workflow, &Workflow::compared, this, &DiskNotices::showComparison);
    connect(&m_workflow, &Workflow::lossAsked, this, &DiskNotices::askAboutLoss);
}

void DiskNotices::connectBar(WatchedFile file)
{
    FileChangeBar* bar = &barOf(file);
    connect(bar, &FileChangeBar::compareRequested, this, [this, file] { compare(file); });
    connect(bar, &FileChangeBar::reloadRequested, this, [this, file] { reload(file); });
    connect(bar, &FileChangeBar::keepRequested, this, [this, file] { keep(file); });
}

void DiskNotices::showChange(WatchedFile file, const std::optional<DiskChange>& change)
{
    FileChangeBar& bar = barOf(file);
    if (!change) {
        if (bar.isAncestorOf(m_window.focusWidget()))
            emit left();
        bar.hide();
        return;
    }
    const bool isNew = bar.isHidden();
    bar.show(noticeOf(file, *change));
    if (isNew)
        emit noted(bar.text());
}

/// Shows the comparison with the actions of the change bar.
void DiskNotices::showComparison(WatchedFile file, const QString& name, const DiskComparison& found)
{
    const QString shown = brief(visible(name));
    emit noted(tr("%1 compared with the open version: %2").arg(shown, found.summary));
    auto* box = new MessageDialog(tr("Compare with %1").arg(shown), found.summary, withShortWords(found.details), &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offerToLeave(tr("Close"), true);
    if (FileChangeBar& bar = barOf(file); !bar.isHidden()) {
        box->offer(tr("&Reload"), [this, file] { reload(file); }, bar.reloadButton().toolTip());
        box->offer(tr("&Keep"), [this, file] { keep(file); }, bar.keepButton().toolTip());
    }
    box->open();
}

void DiskNotices::askAboutLoss(std::size_t lost, std::size_t tagged, const std::function<void()>& take)
{
    const QString file = brief(visible(QFileInfo(m_document.filePath()).fileName()));
    auto* box = new MessageDialog(
        tr("Reload %1").arg(file),
        tr("%1 of %2 are no longer in the file.").arg(text(formatCount(lost)), countText(tagged, "tagged op")),
        tr("Their tags are kept and come back if a later file has these ops. Undo restores "
           "the current model."),
        &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("&Reload"), take);
    box->offerToLeave(tr("Cancel"), true);
    box->open(); // open() instead of exec(): jobs continue
}

void DiskNotices::compare(WatchedFile file)
{
    if (file == WatchedFile::model)
        m_workflow.compareModelWithDisk();
    else
        m_workflow.compareTagsWithDisk();
}

void DiskNotices::reload(WatchedFile file)
{
    if (file == WatchedFile::model)
        m_workflow.reloadModel();
    else if (m_document.hasProject())
        emit projectWanted(m_document.tagsPath());
    else
        m_workflow.openTagsFile(m_document.tagsPath());
}

void DiskNotices::keep(WatchedFile file)
{
    m_watch.keep(file);
    emit left();
}

} // namespace sunder

#include "moc_disk_notices.cpp"
