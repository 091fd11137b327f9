#include "app/model_files.h"

#include "app/recent_models.h"
#include "dialogs/message_dialog.h"
#include "dialogs/program_dialog.h"
#include "document/text.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QUrl>

namespace sunder {

ModelFiles::ModelFiles(Document& document, Workflow& workflow, const Actions& actions, QWidget& window)
    : m_document(document), m_workflow(workflow), m_window(window)
{
    connect(&m_workflow, &Workflow::openFailed, this, &ModelFiles::openFailed);
    connect(&m_workflow, &Workflow::programWanted, this, &ModelFiles::chooseProgram);
    connect(&m_workflow, &Workflow::opened, this, [this](const QString& path) {
        rememberModel(path);
        emit recentChanged();
    });
    connectActions(actions);
}

void ModelFiles::connectActions(const Actions& actions)
{
    connect(actions.open, &QAction::triggered, this, &ModelFiles::chooseModel);
    connect(actions.otherProgram, &QAction::triggered, this, &ModelFiles::openOtherProgram);
    connect(actions.openTags, &QAction::triggered, this, &ModelFiles::chooseTags);
    connect(actions.saveTags, &QAction::triggered, this, &ModelFiles::saveTags);
    connect(actions.saveTagsAs, &QAction::triggered, this, &ModelFiles::saveTagsAs);
    connect(actions.close, &QAction::triggered, this, [this] {
        if (mayLoseTags())
            m_document.close();
    });
}

// Models ------------------------------------------------------------------------------------------

void ModelFiles::open(const QString& path)
{
    const QString whole = QDir::current().absoluteFilePath(path);
    if (!mayLoseTags())
        return;
    emit openingBegan();
    m_workflow.openModelFile(whole, rememberedProgram(whole));
}

void ModelFiles::openOtherProgram()
{
    if (mayLoseTags())
        m_workflow.openModelFile(m_document.filePath());
}

void ModelFiles::openDropped(const QString& path)
{
    if (m_document.isOpen() && path.endsWith(QLatin1String(".tags.json"), Qt::CaseInsensitive))
        m_workflow.openTagsFile(path);
    else
        open(path);
}

void ModelFiles::chooseModel()
{
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open a model"),
                                                      settings.value(QStringLiteral("folder")).toString(),
                                                      tr("Models (*.pt2 *.fxj *.fxj.gz *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    settings.setValue(QStringLiteral("folder"), QFileInfo(path).absolutePath());
    open(path);
}

void ModelFiles::chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs)
{
    const bool isOpenNow = m_document.isOpen() && m_document.filePath() == path;
    auto* dialog = new ProgramDialog(QFileInfo(path).fileName(), programs, isOpenNow ? m_document.programName() : QString(),
                                     &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, path] {
        rememberProgram(path, dialog->program());
        emit openingBegan();
        m_workflow.openModelFile(path, dialog->program());
    });
    dialog->open();
}

void ModelFiles::openFailed(const QString& path, const QString& why)
{
    if (!QFileInfo::exists(path) && forgetModel(path))
        emit recentChanged();
    emit failed(tr("%1 was not opened").arg(brief(QFileInfo(path).fileName())), why, QStringLiteral("open"));
}

// Tags --------------------------------------------------------------------------------------------

void ModelFiles::chooseTags()
{
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open tags"), QFileInfo(m_document.filePath()).absolutePath(),
                                                      tr("Tags (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_workflow.openTagsFile(path);
}

bool ModelFiles::saveTags()
{
    if (!m_document.isOpen())
        return false;
    if (m_document.tagsPath().isEmpty())
        return saveTagsAs();
    return m_workflow.tagsChangedOnDisk() ? saveTagsOfOthers() : m_workflow.saveTags(m_document.tagsPath());
}

bool ModelFiles::saveTagsAs()
{
    if (!m_document.isOpen())
        return false;
    const QString own = m_document.tagsPath();
    const QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Save tags"), own.isEmpty() ? tagsPathBeside(m_document.filePath()) : own, tr("Tags (*.json)"));
    return !path.isEmpty() && m_workflow.saveTags(path); // whether to overwrite, the dialog has asked
}

bool ModelFiles::saveTagsOfOthers()
{
    MessageDialog box(
        tr("Save tags"),
        tr("%1 has changed on disk since it was read.").arg(brief(visible(QFileInfo(m_document.tagsPath()).fileName()))),
        tr("Somebody else wrote to it. If you overwrite it, your tags take the place of theirs; theirs are lost. "
           "To keep both, save yours under another name."),
        &m_window);
    bool isSaved = false;
    box.offerToLeave(tr("Cancel"), true);
    box.offer(tr("Save &as…"), [&] { isSaved = saveTagsAs(); });
    box.offerLoss(tr("&Overwrite"), [&] { isSaved = m_workflow.saveTags(m_document.tagsPath()); });
    box.exec();
    return isSaved;
}

bool ModelFiles::mayLoseTags()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return true;
    bool mayGoOn = false;
    MessageDialog box(tr("Unsaved tags"), tr("The tags of %1 are not saved.").arg(brief(visible(m_document.displayName()))),
                      m_document.tagsPath().isEmpty() ? tr("They are in no file yet: what you painted is lost if you discard it.")
                                                      : tr("What you painted since %1 was saved is lost if you discard it.")
                                                            .arg(brief(visible(QFileInfo(m_document.tagsPath()).fileName()))),
                      &m_window);
    box.offer(tr("&Save tags"), [&] { mayGoOn = saveTags(); });
    box.offerLoss(tr("&Discard tags"), [&] { mayGoOn = true; });
    box.offerToLeave(tr("Cancel"));
    box.exec();
    return mayGoOn;
}

QString localFileIn(const QMimeData& data)
{
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

} // namespace sunder
