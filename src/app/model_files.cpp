#include "app/model_files.h"

#include "app/recent_models.h"
#include "dialogs/message_dialog.h"
#include "dialogs/program_dialog.h"
#include "document/text.h"
#include "text/shown_text.h"

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
    : m_document(document), m_workflow(workflow), m_window(window), m_state([this] { return projectStateOf(m_document); })
{
    connect(&m_workflow, &Workflow::openFailed, this, &ModelFiles::openFailed);
    connect(&m_workflow, &Workflow::programWanted, this, &ModelFiles::chooseProgram);
    connect(&m_workflow, &Workflow::opened, this, &ModelFiles::noteOpened);
    connect(&m_workflow, &Workflow::sourceMissing, this, &ModelFiles::findSource);
    connect(&m_workflow, &Workflow::projectSaved, this, [this](const QString& path) {
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
    connect(actions.takeTags, &QAction::triggered, this, &ModelFiles::chooseExport);
    connect(actions.save, &QAction::triggered, this, &ModelFiles::save);
    connect(actions.saveAs, &QAction::triggered, this, &ModelFiles::saveAs);
    connect(actions.exportTags, &QAction::triggered, this, &ModelFiles::exportTags);
    connect(actions.close, &QAction::triggered, this, [this] {
        if (mayLose())
            m_document.close();
    });
}

// Models ------------------------------------------------------------------------------------------

void ModelFiles::open(const QString& path)
{
    const QString whole = pathToOpen(path);
    if (!mayLose())
        return;
    emit openingBegan();
    if (isProject(whole))
        m_workflow.openProjectFile(whole);
    else
        m_workflow.openModelFile(whole, rememberedProgram(whole));
}

/// Adds the project to the recent files, or the model if it has no project.
void ModelFiles::noteOpened(const QString& model)
{
    if (returnsTags()) {
        noteHanded();
        return;
    }
    rememberModel(m_document.hasProject() ? m_document.tagsPath() : model);
    emit recentChanged();
    const QString beside = projectPathBeside(model);
    if (!m_document.hasProject() && QFileInfo(beside).isFile())
        emit projectBeside(beside);
}

void ModelFiles::findSource(const QString& project, const QString& model)
{
    auto* box = new MessageDialog(
        tr("Model not found"), tr("The model of %1 was not found.").arg(brief(visible(QFileInfo(project).fileName()))),
        tr("It is neither next to the project nor at its last known path: %1").arg(visible(model)), &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("&Find it…"), [this, project, model] {
        const QString found = QFileDialog::getOpenFileName(&m_window, tr("Find %1").arg(QFileInfo(model).fileName()),
                                                           QFileInfo(project).absolutePath(),
                                                           tr("Models (*.pt2 *.fxj *.fxj.gz *.json);;All files (*)"));
        if (!found.isEmpty())
            m_workflow.openProjectFile(project, found);
    });
    box->offerToLeave(tr("Cancel"));
    box->open();
}

void ModelFiles::openOtherProgram()
{
    if (mayLose())
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
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Open a model or a project"), settings.value(QStringLiteral("folder")).toString(),
        tr("Models and projects (*.pt2 *.fxj *.fxj.gz *.json *.sunder);;All files (*)"));
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
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Import tags from a file"),
                                                      QFileInfo(m_document.filePath()).absolutePath(),
                                                      tr("Tags and projects (*.json *.sunder);;All files (*)"));
    if (!path.isEmpty())
        m_workflow.openTagsFile(path);
}

void ModelFiles::chooseExport()
{
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Import tags from another export"), QFileInfo(m_document.filePath()).absolutePath(),
        tr("Models and projects (*.pt2 *.fxj *.fxj.gz *.json *.sunder);;All files (*)"));
    if (!path.isEmpty())
        m_workflow.takeTagsOver(path);
}

bool ModelFiles::save()
{
    if (!m_document.isOpen())
        return false;
    if (!m_document.hasProject())
        return saveAs();
    return m_workflow.tagsChangedOnDisk() ? saveOverOthers() : saveTo(m_document.tagsPath());
}

bool ModelFiles::saveAs()
{
    if (!m_document.isOpen())
        return false;
    QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Save the project"),
        m_document.hasProject() ? m_document.tagsPath() : projectPathBeside(m_document.filePath()), tr("Projects (*.sunder)"),
        nullptr, QFileDialog::DontConfirmOverwrite); // disable Qt's question: it would appear before the suffix is added
    if (path.isEmpty())
        return false;
    if (!isProject(path))
        path += QStringLiteral(".sunder");
    if (!QFileInfo::exists(path) || (m_document.hasProject() && QFileInfo(path) == QFileInfo(m_document.tagsPath())))
        return saveTo(path);
    bool isSaved = false;
    MessageDialog box(tr("Save the project"), tr("%1 already exists.").arg(brief(visible(QFileInfo(path).fileName()))),
                      tr("Projects are saved as NAME.sunder."), &m_window);
    box.offerLoss(tr("&Overwrite"), [&] { isSaved = saveTo(path); });
    box.offerToLeave(tr("Cancel"), true);
    box.exec();
    return isSaved;
}

void ModelFiles::exportTags()
{
    if (!m_document.isOpen())
        return;
    const QString own = m_document.tagsPath();
    const QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Export tags"), own.isEmpty() || isProject(own) ? tagsPathBeside(m_document.filePath()) : own,
        tr("Tags (*.json)"));
    if (!path.isEmpty())
        m_workflow.saveTags(path);
}

bool ModelFiles::saveOverOthers()
{
    bool isSaved = false;
    MessageDialog box(
        tr("The project has changed on disk"),
        tr("%1 has changed on disk since it was read.").arg(brief(visible(QFileInfo(m_document.tagsPath()).fileName()))),
        tr("Overwriting it discards those changes. Save under another name to keep both versions."), &m_window);
    box.offerToLeave(tr("Cancel"), true);
    box.offer(tr("Save &as…"), [&] { isSaved = saveAs(); });
    box.offerLoss(tr("&Overwrite"), [&] { isSaved = saveTo(m_document.tagsPath()); });
    box.exec();
    return isSaved;
}

void ModelFiles::handTagsTo(const QString& path, const QString& model)
{
    m_tagsGoTo = QDir::current().absoluteFilePath(path);
    m_handedFile = pathToOpen(model);
    m_handedModel.clear();
    noteHanded();
}

void ModelFiles::noteHanded()
{
    if (!m_document.isOpen() || (m_document.hasProject() ? m_document.tagsPath() : m_document.filePath()) != m_handedFile)
        return;
    m_handedModel = m_document.filePath();
    emit handedOpened();
}

bool ModelFiles::isHandedOpen() const
{
    return returnsTags() && m_document.isOpen() && m_document.filePath() == m_handedModel;
}

bool ModelFiles::handTags()
{
    return isHandedOpen() && m_workflow.saveTags(m_tagsGoTo);
}

bool ModelFiles::mayClose()
{
    return isHandedOpen() ? handTags() : mayLose();
}

bool ModelFiles::mayLose()
{
    if (!m_document.isOpen() || !m_document.isModified())
        return true;
    bool mayGoOn = false;
    const QString file = m_document.tagsPath();
    MessageDialog box(
        tr("Unsaved changes"), tr("%1 has unsaved changes.").arg(brief(visible(m_document.displayName()))),
        file.isEmpty()
            ? tr("There is no project file yet: tags, devices, and runs are lost if you discard them.")
            : tr("Changes since %1 was last saved are lost if you discard them.").arg(brief(visible(QFileInfo(file).fileName()))),
        &m_window);
    box.offer(tr("&Save"), [&] { mayGoOn = save(); });
    box.offerLoss(tr("&Discard"), [&] { mayGoOn = true; });
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

#include "moc_model_files.cpp"
