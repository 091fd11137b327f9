#include "app/pass_requests.h"

#include "dialogs/partition_dialog.h"
#include "dialogs/pass_options_dialog.h"

#include <QSettings>

namespace sunder {
namespace {

QString settingsKey(const Pass& pass)
{
    return QStringLiteral("passes/%1").arg(pass.id);
}

/// Stores the initial options of the next form. Tag options are omitted, since they depend on the model.
void rememberOptions(const Pass& pass, PassOptions options)
{
    for (const PassOption& option : pass.options)
        if (option.kind == PassOption::Kind::tags)
            options.remove(option.id);
    QSettings().setValue(settingsKey(pass), options);
}

} // namespace

PassRequests::PassRequests(Document& document, Jobs& jobs, Workflow& workflow, const Actions& actions, QWidget& window)
    : m_document(document), m_jobs(jobs), m_workflow(workflow), m_actions(actions), m_window(window)
{
    for (const PassAction& pass : m_actions.passes)
        connect(pass.action, &QAction::triggered, this, [this, of = pass.pass] { start(*of); });
    for (const PassSwitch& option : m_actions.passSwitches) {
        const QString key = option.pass->id + QLatin1Char('/') + option.option;
        option.action->setChecked(QSettings().value(key).toBool());
        connect(option.action, &QAction::toggled, this, [key](bool isOn) { QSettings().setValue(key, isOn); });
    }
}

/// Starts a pass. A form is initialized with the last options.
void PassRequests::start(const Pass& pass)
{
    switch (pass.asking) {
    case PassAsking::none: m_workflow.run(pass, {}); return;
    case PassAsking::menu: m_workflow.run(pass, m_actions.switchedOn(pass)); return;
    case PassAsking::form: break;
    }
    ask(pass, QSettings().value(settingsKey(pass)).toMap());
}

void PassRequests::runWith(const QString& id, const PassOptions& options)
{
    const Pass* pass = findPass(id);
    for (const PassSwitch& option : m_actions.passSwitches)
        if (option.pass == pass)
            option.action->setChecked(options.value(option.option).toBool()); // also applies to later runs
    m_workflow.run(*pass, options);
}

void PassRequests::runAgain(int number)
{
    const Run* run = m_document.runs().find(number);
    if (const Pass* pass = run == nullptr ? nullptr : findPass(run->result->pass))
        ask(*pass, run->result->options);
}

void PassRequests::ask(const Pass& pass, const PassOptions& options)
{
    if (!m_document.isOpen())
        return;
    if (pass.work == nullptr) { // the pass has its own form
        showPartition(options);
        return;
    }
    auto* dialog = new PassOptionsDialog(pass, m_document, options, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, &pass] {
        const PassOptions chosen = dialog->options();
        if (pass.asking == PassAsking::form)
            rememberOptions(pass, chosen);
        runWith(pass.id, chosen);
    });
    dialog->open();
}

/// `options` of a run to repeat with changes; if empty, the last options are used.
void PassRequests::showPartition(const PassOptions& options)
{
    if (m_partitionDialog == nullptr) {
        m_partitionDialog = new PartitionDialog(m_document, m_jobs, &m_window);
        connect(m_partitionDialog, &PartitionDialog::partitionRequested, &m_workflow, &Workflow::partition);
    }
    if (!options.isEmpty())
        m_partitionDialog->takeOptions(options);
    m_partitionDialog->show(); // non-modal: devices can be edited meanwhile
    m_partitionDialog->raise();
    m_partitionDialog->activateWindow();
}

} // namespace sunder

#include "moc_pass_requests.cpp"
