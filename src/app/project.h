#pragma once

#include "app/workflow.h"
#include "document/document.h"
#include "document/open_project.h"
#include "document/project_state.h"
#include "jobs/jobs.h"
#include "support/json_tape.h"

#include <QObject>

#include <map>
#include <memory>

namespace sunder {

class AssumedSizes;
class Bookmarks;
class CustomOperators;
class Pane;
class Workspace;

/// Collects and restores the project state that the document does not hold. Recomputes the runs of an opened project in the
/// background, with their tags and devices; until then keeps them as read from the file.
class Project final : public QObject {
    Q_OBJECT

public:
    /// Sources and receivers of the state; all must outlive this object.
    struct Parts {
        Document& document;
        Workflow& workflow;
        Jobs& jobs;
        AssumedSizes& sizes;
        CustomOperators& operators;
        Workspace& workspace;
        Bookmarks& bookmarks;
    };
    Project(const Parts& parts, QObject* parent);

    /// Returns the complete state to write.
    [[nodiscard]] ProjectState state() const;

signals:
    void message(const QString& text);

private:
    void forget(bool isOther);
    void learnMark();
    void restore(const OpenedProject& project);
    void restoreView();
    /// Restores the position in the graph of a pane, now or once the graph is shown.
    void restoreSight(Pane& pane, JsonValue kept);
    /// Returns whether the view of the project is still to be restored.
    [[nodiscard]] bool isRestoring() const { return m_awaitsSizes || m_underWay > 0; }
    /// Starts the runs once the sizes of the project are applied.
    void makeRuns();
    void makeRun(const ProjectRun& run);
    void runIsDone();
    [[nodiscard]] std::string viewText() const;

    Parts m_parts;
    ProjectFile m_rest; ///< content to write back unchanged
    std::vector<ProjectRun> m_waiting; ///< runs not yet recomputed
    int m_underWay = 0; ///< number of running jobs for m_waiting
    bool m_awaitsSizes = false;
    std::optional<SourceMark> m_mark;
};

} // namespace sunder
