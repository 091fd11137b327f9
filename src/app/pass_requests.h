#pragma once

#include "app/actions.h"
#include "app/workflow.h"
#include "document/document.h"
#include "jobs/jobs.h"

#include <QObject>

namespace sunder {

class PartitionDialog;

/// Starts passes from menus, forms, and earlier runs.
class PassRequests final : public QObject {
    Q_OBJECT

public:
    /// Connects the actions of passes. Forms open over `window`.
    PassRequests(Document& document, Jobs& jobs, Workflow& workflow, const Actions& actions, QWidget& window);

    /// Runs a pass with these options. Also sets its flags in the menu.
    void runWith(const QString& id, const PassOptions& options);
    /// Opens the form with the options of a run, to start another run.
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
    PartitionDialog* m_partitionDialog = nullptr; ///< created on first use
};

} // namespace sunder
