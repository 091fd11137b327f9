#pragma once

#include "app/workflow.h"
#include "document/document.h"
#include "document/open_project.h"
#include "document/project_state.h"
#include "jobs/jobs.h"

#include <QObject>

#include <map>
#include <memory>

namespace sunder {

class AssumedSizes;
class Bookmarks;
class CustomOperators;
class Workspace;

/// What a project keeps beside the document: collects it when one is written, and gives it back when one is opened. Runs are made
/// again in the background, of the tags and devices that they were made of; until one is there it is kept as the file has it.
class Project final : public QObject {
    Q_OBJECT

public:
    /// What it collects from, and gives to; all outlive it.
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

    /// All that is written.
    [[nodiscard]] ProjectState state() const;

signals:
    void message(const QString& text);

private:
    void forget(bool isOther);
    void learnMark();
    void restore(const OpenedProject& project);
    void restoreView();
    /// Once sizes are what the project assumes.
    void makeRuns();
    void makeRun(const ProjectRun& run);
    void runIsDone();
    [[nodiscard]] std::string viewText() const;

    Parts m_parts;
    ProjectFile m_rest; ///< what is written back as it was read
    std::vector<ProjectRun> m_waiting; ///< not made again yet
    int m_underWay = 0; ///< of these
    bool m_awaitsSizes = false;
    std::optional<SourceMark> m_mark;
};

} // namespace sunder
