#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"

#include <QObject>

#include <functional>

class QMimeData;

namespace sunder {

/// Opens and saves models, projects, and tags. Shows dialogs where needed and remembers recent files.
class ModelFiles final : public QObject {
    Q_OBJECT

public:
    /// Connects the file actions. Dialogs open over `window`.
    ModelFiles(Document& document, Workflow& workflow, const Actions& actions, QWidget& window);

    void open(const QString& path);
    void chooseModel();
    /// Opens a file dropped on the window: tags for the open model, or another model.
    void openDropped(const QString& path);
    /// Saves the project to its file; asks for a file if it has none. Returns false if it was not saved.
    bool save();
    bool saveAs();
    /// Writes only the tags, to a file chosen in a dialog.
    void exportTags();
    /// Asks if there are unsaved changes. Returns false to keep the document open.
    [[nodiscard]] bool mayLose();
    /// Hands the tags of `model` to a waiting script: they are written to `path` when the window closes, without asking. The
    /// session does not change the recent files. Saving the project elsewhere does not change `model`.
    void handTagsTo(const QString& path, const QString& model);
    [[nodiscard]] bool returnsTags() const { return !m_tagsGoTo.isEmpty(); }
    /// Returns whether the open model is the one whose tags are handed over.
    [[nodiscard]] bool isHandedOpen() const;
    /// Hands over the tags, or asks about unsaved changes, before the window closes. Returns false to keep the window open.
    [[nodiscard]] bool mayClose();
    /// Writes the tags for a waiting script. Returns false if there is none, its model is not open, or the file cannot be
    /// written.
    [[nodiscard]] bool handTags();
    /// Sets the function that returns the complete project state for each save.
    void setState(std::function<ProjectState()> state) { m_state = std::move(state); }

signals:
    /// Emitted when a model was chosen, before it has been read.
    void openingBegan();
    /// Emitted when a model was opened although there is a project next to it.
    void projectBeside(const QString& path);
    void recentChanged();
    /// Emitted when the model was opened whose tags are handed over.
    void handedOpened();
    /// Reports an error. `next` is the action name of a command that may help; may be empty.
    void failed(const QString& title, const QString& why, const QString& next = {});

private:
    void connectActions(const Actions& actions);
    void openOtherProgram();
    void chooseTags();
    /// Asks for another export to transfer tags from.
    void chooseExport();
    void openFailed(const QString& path, const QString& why);
    void chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs);
    /// Asks what to do if another program changed the project file. Returns true if it was saved, there or elsewhere.
    bool saveOverOthers();
    bool saveTo(const QString& path) { return m_workflow.saveProject(m_state(), path); }
    void findSource(const QString& project, const QString& model);
    void noteOpened(const QString& model);
    void noteHanded();

    Document& m_document;
    Workflow& m_workflow;
    QWidget& m_window;
    std::function<ProjectState()> m_state;
    QString m_tagsGoTo;    ///< empty if no script waits for tags
    QString m_handedFile;  ///< model or project file given with the path
    QString m_handedModel; ///< path of its model; empty until it is open
};

/// Returns the first local file of a drag; empty if there is none.
[[nodiscard]] QString localFileIn(const QMimeData& data);

} // namespace sunder
