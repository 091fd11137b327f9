#include "panes/hierarchy/module_facts_panel.h"

#include "document/text.h"
#include "models/name_delegate.h"
#include "panes/hierarchy/module_facts.h"
#include "panes/hierarchy/ui_module_facts_panel.h"
#include "text/amounts.h"

#include <QTabBar>

namespace sunder {

ModuleFactsPanel::ModuleFactsPanel(QWidget* parent)
    : QTabWidget(parent), m_signature(new FactTable({QString(), tr("Name"), tr("Type"), tr("Bytes")}, this)),
      m_tensors(new FactTable({tr("Name"), tr("Kind"), tr("Type"), tr("Bytes"), tr("Shared with")}, this)),
      m_notes(new FactTable({tr("Notes about the result")}, this)), m_ui(std::make_unique<Ui::ModuleFactsPanel>())
{
    m_ui->setupUi(this);
    tabBar()->setAccessibleName(accessibleName());
    m_ui->signature->setModel(m_signature);
    m_ui->tensors->setModel(m_tensors);
    m_ui->notes->setModel(m_notes);
    for (QTreeView* view : {m_ui->signature, m_ui->tensors, m_ui->notes})
        view->setItemDelegate(new NameDelegate(view));
    setTabVisible(noteTab, false);
}

ModuleFactsPanel::~ModuleFactsPanel() = default;

void ModuleFactsPanel::showModule(const Program& program, ModuleId module, const Graph& graph)
{
    m_signature->setRows(signatureRows(graph));
    m_tensors->setRows(tensorRows(program, module, graph));
    setTabText(signatureTab, tr("Signature %1").arg(m_signature->rowCount()));
    const std::uint64_t bytes = tensorBytes(program, module, graph);
    setTabText(tensorTab,
               bytes == 0 ? tr("Parameters %1").arg(m_tensors->rowCount())
                          : tr("Parameters %1 · %2").arg(m_tensors->rowCount()).arg(bytesText(bytes)));
    fitColumns();
}

void ModuleFactsPanel::showNoModule()
{
    m_signature->setRows({});
    m_tensors->setRows({});
    setTabText(signatureTab, tr("Signature"));
    setTabText(tensorTab, tr("Parameters"));
}

void ModuleFactsPanel::fitColumns()
{
    for (QTreeView* table : {m_ui->signature, m_ui->tensors})
        for (int column = 0; column < table->model()->columnCount(); ++column)
            table->resizeColumnToContents(column);
}

void ModuleFactsPanel::setNotes(const Diagnostics& notes)
{
    std::vector<FactTable::Row> rows;
    for (const Diagnostic& note : notes)
        rows.push_back({{sentence(note.message)}, sentence(note.message)});
    m_notes->setRows(std::move(rows));
    setTabText(noteTab, tr("Notes %1").arg(notes.size()));
    setTabVisible(noteTab, !notes.empty());
}

} // namespace sunder

#include "moc_module_facts_panel.cpp"
