// Files of the main window: what is opened, saved, dropped and remembered.
#include "app/main_window.h"

#include "app/disk_watch.h"
#include "app/samples.h"
#include "dialogs/program_dialog.h"
#include "document/text.h"
#include "panels/file_change_bar.h"
#include "panels/log_panel.h"
#include "panes/source_pane.h"
#include "panels/welcome_page.h"

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>


namespace sunder {

namespace {

constexpr int kRecent = 8;

/// The first local file that is dragged; empty when there is none.
QString fileIn(const QMimeData* data)
{
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

} // namespace

void MainWindow::openModel(const QString& path)
{
    const QString whole = QDir::current().absoluteFilePath(path);
    if (!mayLoseTags())
        return;
    m_sinceOpening.start();
    m_workflow.openModelFile(whole, QSettings().value(QStringLiteral("programs")).toMap().value(whole).toString());
}

void MainWindow::chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs)
{
    const bool isOpenNow = m_document.isOpen() && m_document.filePath() == path;
    auto* dialog = new ProgramDialog(QFileInfo(path).fileName(), programs,
                                     isOpenNow ? m_document.programName() : QString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, path] {
        QSettings settings;
        QVariantMap kept;
        const QVariantMap before = settings.value(QStringLiteral("programs")).toMap();
        for (const QString& recent : settings.value(QStringLiteral("recent")).toStringList())
            if (before.contains(recent))
                kept.insert(recent, before.value(recent));
        kept.insert(path, dialog->program());
        settings.setValue(QStringLiteral("programs"), kept);
        m_sinceOpening.start();
        m_workflow.openModelFile(path, dialog->program());
    });
    dialog->open();
}

void MainWindow::openFailed(const QString& path, const QString& why)
{
    QSettings settings;
    QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
    if (!QFileInfo::exists(path) && recent.removeAll(path) > 0) {
        settings.setValue(QStringLiteral("recent"), recent);
        refreshWelcome();
    }
    complain(tr("%1 was not opened").arg(brief(QFileInfo(path).fileName())), why);
}

void MainWindow::chooseModel()
{
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a model"), settings.value(QStringLiteral("folder")).toString(),
        tr("Models (*.pt2 *.fxj *.fxj.gz *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    settings.setValue(QStringLiteral("folder"), QFileInfo(path).absolutePath());
    openModel(path);
}

void MainWindow::chooseTags()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open tags"), QFileInfo(m_document.filePath()).absolutePath(),
                                                      tr("Tags (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workflow.openTagsFile(path);
}

bool MainWindow::saveTags(bool askWhere)
{
    if (!m_document.isOpen())
        return false;
    QString path = m_document.tagsPath();
    if (path.isEmpty() || askWhere)
        path = QFileDialog::getSaveFileName(this, tr("Save tags"),
                                            path.isEmpty() ? tagsPathBeside(m_document.filePath()) : path,
                                            tr("Tags (*.json)"));
    if (path.isEmpty())
        return false;
    const bool isOwn = path == m_document.tagsPath() && !askWhere; // elsewhere the dialog has asked
    return isOwn && m_workflow.tagsChangedOnDisk() ? saveTagsOfOthers() : m_workflow.saveTags(path);
}

bool MainWindow::saveTagsOfOthers()
{
    const QString file = QFileInfo(m_document.tagsPath()).fileName();
    QMessageBox box(QMessageBox::Warning, tr("Save tags"), tr("%1 has changed on disk since it was read.").arg(file),
                    QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("Somebody else wrote to it. Saving puts the tags that are open in place of theirs."));
    const QAbstractButton* overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
    const QAbstractButton* elsewhere = box.addButton(tr("Save &as…"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == elsewhere)
        return saveTags(true);
    return box.clickedButton() == overwrite && m_workflow.saveTags(m_document.tagsPath());
}

void MainWindow::connectDiskWatch()
{
    m_diskWatch = new DiskWatch(m_document, m_workflow, *this);
    const auto reload = [this](WatchedFile file) {
        if (file == WatchedFile::model)
            m_workflow.reloadModel();
        else
            m_workflow.openTagsFile(m_document.tagsPath());
    };
    const auto compare = [this](WatchedFile file) {
        if (file == WatchedFile::model)
            m_workflow.compareModelWithDisk();
        else
            m_workflow.compareTagsWithDisk();
    };
    for (const auto& [bar, file] : {std::pair(m_modelChange, WatchedFile::model), std::pair(m_tagsChange, WatchedFile::tags)}) {
        connect(bar, &FileChangeBar::compareRequested, this, [compare, file = file] { compare(file); });
        connect(bar, &FileChangeBar::reloadRequested, this, [reload, file = file] { reload(file); });
        connect(bar, &FileChangeBar::keepRequested, this, [this, file = file] {
            m_diskWatch->keep(file);
            m_source->canvas().setFocus();
        });
    }
    connect(m_diskWatch, &DiskWatch::found, this, [this](WatchedFile file, const std::optional<DiskChange>& change) {
        FileChangeBar& bar = file == WatchedFile::model ? *m_modelChange : *m_tagsChange;
        if (!change) {
            if (bar.isAncestorOf(focusWidget()))
                m_source->canvas().setFocus();
            bar.hide();
            return;
        }
        QString text = tr("%1 has changed on disk: %2.").arg(QFileInfo(change->path).fileName(), change->what);
        if (change->isLost)
            text += tr(" Parts can be exported after a reload only: the weights of what is open are gone.");
        const bool isNew = bar.isHidden();
        bar.show(text, QDir::toNativeSeparators(change->path), change->isThere);
        if (isNew)
            m_log->add(text);
    });
    connect(&m_workflow, &Workflow::compared, this, [this](const QString& title, const QString& summary, const QString& details) {
        m_log->add(QStringLiteral("%1: %2").arg(title, summary));
        auto* box = new QMessageBox(QMessageBox::Information, title, summary, QMessageBox::Ok, this);
        box->setTextFormat(Qt::PlainText);
        box->setInformativeText(details);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

bool MainWindow::mayLoseTags()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved tags"), tr("The tags of %1 are not saved.").arg(brief(visible(m_document.displayName()))),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Save)
        return saveTags(false);
    return answer == QMessageBox::Discard;
}

void MainWindow::remember(const QString& path)
{
    QSettings settings;
    QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings.setValue(QStringLiteral("recent"), recent.mid(0, kRecent));
    refreshWelcome();
}

void MainWindow::refreshWelcome()
{
    std::vector<WelcomePage::Entry> recent;
    for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList().mid(0, 5))
        recent.push_back({path, QFileInfo(path).fileName(), QDir::toNativeSeparators(QFileInfo(path).absolutePath())});
    m_welcome->setRecent(recent);
    std::vector<WelcomePage::Entry> samples;
    for (const Sample& sample : sampleModels())
        samples.push_back({sample.path, sample.title, sample.description});
    m_welcome->setSamples(samples);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (fileIn(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    m_welcome->setDropping(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_welcome->setDropping(false);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_welcome->setDropping(false);
    const QString path = fileIn(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    if (m_document.isOpen() && path.endsWith(QLatin1String(".tags.json"), Qt::CaseInsensitive))
        m_workflow.openTagsFile(path);
    else
        openModel(path);
}

} // namespace sunder
