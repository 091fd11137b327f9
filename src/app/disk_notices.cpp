#include "app/disk_notices.h"

#include "dialogs/message_dialog.h"
#include "document/text.h"
#include "panels/notice_bar.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>

namespace sunder {
namespace {

QString reloadTip(WatchedFile file, const QString& path)
{
    if (file == WatchedFile::model)
        return QObject::tr("Open the new version of the model; matching ops keep their tags, and undo restores the open version");
    return isProject(path) ? QObject::tr("Open the new version of the project")
                           : QObject::tr("Load the tags of the file; undo restores yours");
}

/// Returns the sentence about the window's content after the change.
QString consequenceOf(WatchedFile file, const DiskChange& change)
{
    if (file == WatchedFile::tags)
        return isProject(change.path) ? QObject::tr(" The window still shows the project that you opened.")
                                      : QObject::tr(" The window still shows the tags that you opened.");
    if (!change.isThere)
        return QObject::tr(" You can continue with the open model.");
    if (change.isLost)
        return QObject::tr(
            " The graph is still the one you opened, but its weights were overwritten. Reload before exporting parts.");
    return QObject::tr(" The window still shows the model that you opened; exported parts get its weights.");
}

NoticeBar::Notice noticeOf(WatchedFile file, const DiskChange& change)
{
    return {
        .headline = QObject::tr("%1 has changed on disk").arg(brief(visible(QFileInfo(change.path).fileName()))),
        .text = sentence(change.what.toStdString()) + consequenceOf(file, change),
        .tip = folded(visible(QDir::toNativeSeparators(change.path))),
        .icon = QStringLiteral("warning"),
        .offers = {
            {.verb = QObject::tr("Co&mpare"),
             .tip = QObject::tr("Show how the file differs from the open version"),
             .isPossible = change.isThere,
             .closes = false},
            {.verb = QObject::tr("&Reload"), .tip = reloadTip(file, change.path), .isPossible = change.isThere, .closes = false},
            {.verb = QObject::tr("&Keep"),
             .tip = QObject::tr("Keep the open version; asks again at the next change of the file"),
             .closes = false}}};
}

} // namespace

DiskNotices::DiskNotices(Document& document, Workflow& workflow, NoticeBar& modelBar, NoticeBar& tagsBar, QWidget& window)
    : QObject(&window), m_document(document), m_workflow(workflow), m_modelBar(modelBar), m_tagsBar(tagsBar), m_window(window),
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
    connect(&barOf(file), &NoticeBar::chosen, this, [this, file](int offer) {
        switch (static_cast<Offer>(offer)) {
        case Offer::compare: return compare(file);
        case Offer::reload: return reload(file);
        case Offer::keep: return keep(file);
        }
    });
}

QPushButton& DiskNotices::buttonOf(WatchedFile file, Offer offer)
{
    return barOf(file).button(static_cast<std::size_t>(offer));
}

void DiskNotices::showChange(WatchedFile file, const std::optional<DiskChange>& change)
{
    NoticeBar& bar = barOf(file);
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
    if (!barOf(file).isHidden()) {
        box->offer(tr("&Reload"), [this, file] { reload(file); }, buttonOf(file, Offer::reload).toolTip());
        box->offer(tr("&Keep"), [this, file] { keep(file); }, buttonOf(file, Offer::keep).toolTip());
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
