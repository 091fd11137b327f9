#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"
#include "jobs/jobs.h"

#include <QObject>

namespace sunder {

class PartitionDialog;

/// How one asks for passes: from menus and forms, and again from runs.
class PassRequests final : public QObject {
    Q_OBJECT

public:
    /// Connects the passes' actions. Forms come up over `window`.
    PassRequests(Document& document, Jobs& jobs, Workflow& workflow, const Actions& actions, QWidget& window);

    /// With these options; flags that are in the menu stay so from now on.
    void runWith(const QString& id, const PassOptions& options);
    /// Asks for other options than that run's, and makes another one.
    void runAgain(int number);

private:
    void start(const Pass& pass);
    void ask(const Pass& pass, const PassOptions& options);
    void showPartition(const PassOptions& options);

    Document& m_document;
    Jobs& m_jobs;
    Workflow& m_workflow;
    const Actions& m_actions;
    QWidget& m_window;
    PartitionDialog* m_partitionDialog = nullptr; ///< made when first asked for
};

} // namespace sunder
