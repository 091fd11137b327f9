#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"

#include <QObject>

#include <functional>

class QMimeData;

namespace sunder {

/// Opens and saves what one works with: asks where it has to, and remembers what was open.
class ModelFiles final : public QObject {
    Q_OBJECT

public:
    /// Connects the actions of files. Dialogs come up over `window`.
    ModelFiles(Document& document, Workflow& workflow, const Actions& actions, QWidget& window);

    void open(const QString& path);
    void chooseModel();
    /// A file that was dropped on the window: tags of the open model, or a model.
    void openDropped(const QString& path);
    /// The project, to its file; asks where there is none. False when it was not saved.
    bool save();
    bool saveAs();
    /// The tags alone, to a file that it asks for.
    void exportTags();
    /// Asks when something is not saved; false when it is to stay open.
    [[nodiscard]] bool mayLose();
    /// Whoever started the window waits for tags: those of `model` are written to `path` when the window closes, without a
    /// question, and the session leaves no trace in the lists of what was open. It stays `model` when it is saved elsewhere.
    void handTagsTo(const QString& path, const QString& model);
    [[nodiscard]] bool handsTags() const { return !m_tagsGoTo.isEmpty(); }
    /// Whether the model is open whose tags somebody waits for.
    [[nodiscard]] bool isHandedOpen() const;
    /// Before the window closes: hands the tags, or asks when something is not saved; false when it is to stay open.
    [[nodiscard]] bool mayClose();
    /// False where nobody waits for tags, their model is not open, or they cannot be written.
    [[nodiscard]] bool handTags();
    /// What a project keeps beside the document, asked for when one is written.
    void setState(std::function<ProjectState()> state) { m_state = std::move(state); }

signals:
    /// Somebody chose a model; what is read is not there yet.
    void openingBegan();
    /// The model was opened without its project, which lies beside it.
    void projectBeside(const QString& path);
    void recentChanged();
    /// The model is open whose tags somebody waits for.
    void handedOpened();
    /// `next`: the command that may help, by the name of its action; empty where none does.
    void failed(const QString& title, const QString& why, const QString& next = {});

private:
    void connectActions(const Actions& actions);
    void openOtherProgram();
    void chooseTags();
    /// Another export, whose tags are taken over.
    void chooseExport();
    void openFailed(const QString& path, const QString& why);
    void chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs);
    /// Somebody else has written to the project: asks. True when it was saved, there or elsewhere.
    bool saveOverOthers();
    bool saveTo(const QString& path) { return m_workflow.saveProject(m_state(), path); }
    void findSource(const QString& project, const QString& model);
    void noteOpened(const QString& model);
    void noteHanded();

    Document& m_document;
    Workflow& m_workflow;
    QWidget& m_window;
    std::function<ProjectState()> m_state;
    QString m_tagsGoTo;    ///< empty: nobody waits for them
    QString m_handedFile;  ///< the model or project whose tags they are
    QString m_handedModel; ///< its model; empty before it is open
};

/// The first local file that is dragged; empty when there is none.
[[nodiscard]] QString localFileIn(const QMimeData& data);

} // namespace sunder
