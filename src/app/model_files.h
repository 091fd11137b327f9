#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"

#include <QObject>

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
    /// To their file; asks where there is none. False when they were not saved.
    bool saveTags();
    bool saveTagsAs();
    /// Asks when tags are not saved; false when they are to stay open.
    [[nodiscard]] bool mayLoseTags();

signals:
    /// Somebody chose a model; what is read is not there yet.
    void openingBegan();
    void recentChanged();
    /// `next`: the command that may help, by the name of its action; empty where none does.
    void failed(const QString& title, const QString& why, const QString& next = {});

private:
    void connectActions(const Actions& actions);
    void openOtherProgram();
    void chooseTags();
    void openFailed(const QString& path, const QString& why);
    void chooseProgram(const QString& path, const std::vector<Pt2ProgramEntry>& programs);
    /// Somebody else has written to the tags file: asks. True when tags were saved, there or elsewhere.
    bool saveTagsOfOthers();

    Document& m_document;
    Workflow& m_workflow;
    QWidget& m_window;
};

/// The first local file that is dragged; empty when there is none.
[[nodiscard]] QString localFileIn(const QMimeData& data);

} // namespace sunder
