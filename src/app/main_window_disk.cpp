// Files of the main window that somebody else changes while they are open.
#include "app/main_window.h"

#include "app/disk_watch.h"
#include "document/text.h"
#include "panels/file_change_bar.h"
#include "panels/log_panel.h"
#include "panes/source_pane.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace sunder {
namespace {

QString nameOfFile(const QString& path)
{
    return brief(visible(QFileInfo(path).fileName()));
}

FileChangeBar::Notice noticeOf(WatchedFile file, const DiskChange& change)
{
    FileChangeBar::Notice notice{.headline = QObject::tr("%1 has changed on disk").arg(nameOfFile(change.path)),
                                 .text = sentence(change.what.toStdString()),
                                 .path = folded(visible(QDir::toNativeSeparators(change.path))),
                                 .canRead = change.isThere};
    if (file == WatchedFile::tags) {
        notice.text += QObject::tr(" You see the tags as they are open here.");
        notice.reloadTip = QObject::tr("Take the tags of the file; undo brings yours back");
        return notice;
    }
    notice.reloadTip = QObject::tr("Open the model as the file holds it now; tags stay where they fit");
    if (!change.isThere)
        notice.text += QObject::tr(" You can go on with the model as it was opened.");
    else if (change.isLost)
        notice.text += QObject::tr(
            " You see the model as it was opened, but its weights are gone: reload it before you export parts.");
    else
        notice.text += QObject::tr(" You see the model as it was opened; parts that you export get its weights as they were.");
    return notice;
}

} // namespace

bool MainWindow::saveTagsOfOthers()
{
    QMessageBox box(QMessageBox::Warning, tr("Save tags"),
                    tr("%1 has changed on disk since it was read.").arg(nameOfFile(m_document.tagsPath())), QMessageBox::Cancel,
                    this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        tr("Somebody else wrote to it. If you overwrite it, your tags take the place of theirs; theirs are lost. "
           "To keep both, save yours under another name."));
    const QAbstractButton* elsewhere = box.addButton(tr("Save &as…"), QMessageBox::AcceptRole);
    const QAbstractButton* overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == elsewhere)
        return saveTags(true);
    return box.clickedButton() == overwrite && m_workflow.saveTags(m_document.tagsPath());
}

void MainWindow::reloadFromDisk(WatchedFile file)
{
    if (file == WatchedFile::model)
        m_workflow.reloadModel();
    else
        m_workflow.openTagsFile(m_document.tagsPath());
}

void MainWindow::keepInSpiteOfDisk(WatchedFile file)
{
    m_diskWatch->keep(file);
    m_source->canvas().setFocus();
}

void MainWindow::showDiskChange(WatchedFile file, const std::optional<DiskChange>& change)
{
    FileChangeBar& bar = file == WatchedFile::model ? *m_modelChange : *m_tagsChange;
    if (!change) {
        if (bar.isAncestorOf(focusWidget()))
            m_source->canvas().setFocus();
        bar.hide();
        return;
    }
    const bool isNew = bar.isHidden();
    bar.show(noticeOf(file, *change));
    if (isNew)
        m_log->add(bar.text());
}

/// What to do about it is offered with what was found.
void MainWindow::showDiskComparison(WatchedFile file, const QString& name, const DiskComparison& found)
{
    const QString shown = brief(visible(name));
    m_log->add(tr("%1, compared with what is open: %2").arg(shown, found.summary));
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Compare with %1").arg(shown), found.summary, QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(withShortWords(found.details));
    box->setAttribute(Qt::WA_DeleteOnClose);
    if (FileChangeBar& bar = file == WatchedFile::model ? *m_modelChange : *m_tagsChange; !bar.isHidden()) {
        QAbstractButton* reload = box->addButton(tr("&Reload"), QMessageBox::ActionRole);
        QAbstractButton* keep = box->addButton(tr("&Keep"), QMessageBox::ActionRole);
        reload->setToolTip(bar.reloadButton().toolTip());
        keep->setToolTip(bar.keepButton().toolTip());
        connect(reload, &QAbstractButton::clicked, this, [this, file] { reloadFromDisk(file); });
        connect(keep, &QAbstractButton::clicked, this, [this, file] { keepInSpiteOfDisk(file); });
    }
    box->setDefaultButton(QMessageBox::Close);
    box->open();
}

void MainWindow::connectDiskWatch()
{
    m_diskWatch = new DiskWatch(m_document, m_workflow, *this);
    for (const auto& [bar, file] : {std::pair(m_modelChange, WatchedFile::model), std::pair(m_tagsChange, WatchedFile::tags)}) {
        connect(bar, &FileChangeBar::compareRequested, &m_workflow, [this, file = file] {
            if (file == WatchedFile::model)
                m_workflow.compareModelWithDisk();
            else
                m_workflow.compareTagsWithDisk();
        });
        connect(bar, &FileChangeBar::reloadRequested, this, [this, file = file] { reloadFromDisk(file); });
        connect(bar, &FileChangeBar::keepRequested, this, [this, file = file] { keepInSpiteOfDisk(file); });
    }
    connect(m_diskWatch, &DiskWatch::found, this, &MainWindow::showDiskChange);
    connect(&m_workflow, &Workflow::compared, this, &MainWindow::showDiskComparison);
}

} // namespace sunder
