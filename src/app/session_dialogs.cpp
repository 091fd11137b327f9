#include "app/session_dialogs.h"

#include "app/actions.h"
#include "app/export_subjects.h"
#include "app/messages.h"
#include "app/pass_requests.h"
#include "app/preferences.h"
#include "app/session.h"
#include "app/step_commands.h"
#include "app/work_area.h"
#include "app/workspace.h"
#include "dialogs/balance_dialog.h"
#include "dialogs/device_preset_dialog.h"
#include "dialogs/export_dialog.h"
#include "dialogs/links_dialog.h"
#include "dialogs/message_dialog.h"
#include "dialogs/operators_dialog.h"
#include "dialogs/parts_run_dialog.h"
#include "dialogs/support_dialog.h"
#include "dialogs/tagging_dialog.h"
#include "dialogs/units_dialog.h"
#include "document/tagging_command.h"
#include "document/text.h"
#include "panels/devices_panel.h"
#include "panels/log_panel.h"
#include "panes/source_pane.h"
#include "panes/timeline/timeline_pane.h"

namespace sunder {

SessionDialogs::SessionDialogs(const Parts& parts, QWidget& window) : QObject(&window), m_parts(parts), m_window(window)
{
    connectActions();
    connectDevices();
}

void SessionDialogs::connectActions()
{
    const Actions& actions = m_parts.actions;
    const auto on = [this](QAction* action, auto what) { connect(action, &QAction::triggered, this, what); };
    on(actions.exportAll, [this] { showExport(nullptr); });
    on(actions.stages, [this] { showTagging(TaggingRequest::Way::equalStages); });
    on(actions.balance, [this] { showBalance(); });
    on(actions.support, [this] { showSupport(); });
    on(actions.runParts, [this] { showPartsRun(); });
    on(actions.straighten, [this] { showTagging(TaggingRequest::Way::straighten); });
    on(actions.customOperators, [this] { showOperators(); });
    connect(&m_parts.work.panes(), &Workspace::exportRequested, this, &SessionDialogs::showExport);
}

void SessionDialogs::showTagging(TaggingRequest::Way way)
{
    auto* dialog = new TaggingDialog(m_parts.session.document(), m_parts.session.jobs(), {.way = way}, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TaggingDialog::proposed, this, [this](const TaggingProposal* proposal) {
        m_parts.work.panes().source().showProposal(proposal == nullptr ? nullptr : &proposal->tags);
    });
    connect(dialog, &TaggingDialog::taken, this, [this](const TaggingRequest& wish, const TagAssignment& before) {
        m_parts.steps.note(taggingCommand(m_parts.session.document().graph(), wish, before));
    });
    dialog->open();
}

void SessionDialogs::showBalance()
{
    auto* dialog = new BalanceDialog(m_parts.session.document(), m_parts.session.jobs(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &BalanceDialog::proposed, this,
            [this](const BalancePlanPtr& plan) { m_parts.work.panes().showProposal(plan ? &plan->tags : nullptr, plan); });
    connect(dialog, &QDialog::finished, &m_parts.work.panes(), &Workspace::endProposal);
    dialog->open();
}

void SessionDialogs::showSupport()
{
    auto* dialog = new SupportDialog(m_parts.session.document(), m_parts.session.jobs(), m_support, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SupportDialog::proposed, this,
            [this](const SupportCutPtr& cut) { m_parts.work.panes().showProposal(cut ? &cut->tags : nullptr); });
    connect(dialog, &QDialog::finished, this, [this, dialog] { m_support = dialog->wish(); });
    connect(dialog, &QDialog::finished, &m_parts.work.panes(), &Workspace::endProposal);
    dialog->open();
}

void SessionDialogs::showPartsRun()
{
    auto* dialog = new PartsRunDialog(m_parts.session.document(), m_parts.session.jobs(), Preferences::torchPython(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PartsRunDialog::pythonChosen, this, &Preferences::setTorchPython);
    dialog->open();
}

void SessionDialogs::showOperators()
{
    Session& session = m_parts.session;
    auto* dialog = new OperatorsDialog(session.operators(), session.document(), session.jobs(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// Export -----------------------------------------------------------------------------------------

void SessionDialogs::showExport(Pane* front)
{
    const Document& document = m_parts.session.document();
    if (!document.isOpen())
        return;
    const Workspace& panes = m_parts.work.panes();
    auto* dialog = new ExportDialog(exportSubjectOf(document, panes, front), m_parts.session.jobs(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::message, &m_parts.messages, &Messages::say);
    connect(dialog, &ExportDialog::written, this, &rememberExportFolder);
    connect(dialog, &ExportDialog::cutAgainRequested, this, &SessionDialogs::cutAgain);
    connect(&document, &Document::changed, dialog, [&document, &panes, dialog, front](Changes what) {
        if (what.testFlag(Change::outcome))
            dialog->setSubject(exportSubjectOf(document, panes, front));
    });
    if (front != nullptr && front == &panes.timeline())
        dialog->setFormat(QStringLiteral("picture"));
    dialog->open();
}

/// Repeats a cut with the current tags, devices, and sizes.
void SessionDialogs::cutAgain(const RunResult& result)
{
    const SplitOutcomePtr cut = as<SplitOutcomePtr>(result);
    if (!cut || !cut->plan) {
        m_parts.passes.runWith(result->pass, result->options);
        return;
    }
    PartitionRequest request = cut->plan->request;
    request.config.devices = m_parts.session.document().devices().list();
    m_parts.session.workflow().partition(request);
}

// Devices ----------------------------------------------------------------------------------------

void SessionDialogs::connectDevices()
{
    DevicesPanel* panel = &m_parts.work.devices();
    connect(panel, &DevicesPanel::unitsWanted, this, &SessionDialogs::askForUnits);
    connect(panel, &DevicesPanel::presetsWanted, this, &SessionDialogs::showPresets);
    connect(panel, &DevicesPanel::linksWanted, this, &SessionDialogs::showLinks);
    connect(panel, &DevicesPanel::importFailed, this, &SessionDialogs::offerOtherDevices);
}

void SessionDialogs::askForUnits(const QString& rows)
{
    DevicesPanel* panel = &m_parts.work.devices();
    auto* dialog = new UnitsDialog(rows.toStdString(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, panel, [panel, dialog, rows] { panel->pasteRows(rows, dialog->units()); });
    dialog->open(); // open() instead of exec(): jobs continue
}

void SessionDialogs::showPresets()
{
    DevicesPanel* panel = &m_parts.work.devices();
    auto* dialog = new DevicePresetDialog(&m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, panel, [panel, dialog] {
        if (const DevicePreset* preset = dialog->preset())
            panel->addPreset(*preset, dialog->count());
    });
    dialog->open();
}

void SessionDialogs::showLinks()
{
    auto* dialog = new LinksDialog(m_parts.session.document(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// Reports why a device file was rejected and offers to choose another file or clear the table.
void SessionDialogs::offerOtherDevices(const QString& why)
{
    m_parts.work.log().add(why);
    Devices* devices = &m_parts.session.document().devices();
    const QString title = tr("The devices were not imported");
    const QString text = tr("%1\n\nThe device table is unchanged.").arg(withShortWords(visible(why)));
    auto* box = new MessageDialog(title, title, text, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->offer(tr("Choose another file…"), [panel = &m_parts.work.devices()] { panel->chooseImport(); });
    if (!devices->list().empty())
        box->offerLoss(
            tr("Clear the table"), [devices] { devices->set({}, tr("Clear the device table")); },
            tr("Remove all devices; undo restores them"));
    box->open(); // open() instead of exec(): jobs continue
}

} // namespace sunder

#include "moc_session_dialogs.cpp"
