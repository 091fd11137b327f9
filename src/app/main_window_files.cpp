// Files of the main window: what is opened, saved, dropped and remembered.
#include "app/main_window.h"

#include "app/samples.h"
#include "dialogs/operators_dialog.h"
#include "dialogs/program_dialog.h"
#include "document/text.h"
#include "panels/welcome_page.h"

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
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
    auto* dialog = new ProgramDialog(QFileInfo(path).fileName(), programs, isOpenNow ? m_document.programName() : QString(),
                                     this);
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
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a model"),
                                                      settings.value(QStringLiteral("folder")).toString(),
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
        path = QFileDialog::getSaveFileName(this, tr("Save tags"), path.isEmpty() ? tagsPathBeside(m_document.filePath()) : path,
                                            tr("Tags (*.json)"));
    if (path.isEmpty())
        return false;
    const bool isOwn = path == m_document.tagsPath() && !askWhere; // elsewhere the dialog has asked
    return isOwn && m_workflow.tagsChangedOnDisk() ? saveTagsOfOthers() : m_workflow.saveTags(path);
}

void MainWindow::connectOperators()
{
    const QString key = QStringLiteral("operators/file");
    connect(&m_operators, &CustomOperators::changed, this, [this, key] {
        QSettings().setValue(key, m_operators.path());
        m_workflow.setOperators(m_operators.library());
    });
    connect(&m_operators, &CustomOperators::message, this, &MainWindow::say);
    connect(&m_operators, &CustomOperators::failed, this, &MainWindow::complain);
    m_operators.restore(QSettings().value(key).toString());
}

void MainWindow::showOperators()
{
    auto* dialog = new OperatorsDialog(m_operators, m_document, m_jobs, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

bool MainWindow::mayLoseTags()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved tags"),
                                              tr("The tags of %1 are not saved.").arg(brief(visible(m_document.displayName()))),
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
