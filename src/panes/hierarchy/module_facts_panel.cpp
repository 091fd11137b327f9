#include "panes/hierarchy/module_facts_panel.h"

#include "document/text.h"
#include "panes/hierarchy/module_facts.h"
#include "text/amounts.h"

#include <QHeaderView>
#include <QTabBar>
#include <QTreeView>

namespace sunder {

ModuleFactsPanel::ModuleFactsPanel(QWidget* parent)
    : QTabWidget(parent), m_signature(new FactTable({QString(), tr("Name"), tr("Type"), tr("Bytes")}, this)),
      m_tensors(new FactTable({tr("Name"), tr("Kind"), tr("Type"), tr("Bytes"), tr("Shared with")}, this)),
      m_notes(new FactTable({tr("What the pass did otherwise than asked")}, this))
{
    setDocumentMode(true);
    setAccessibleName(tr("About the module"));
    tabBar()->setAccessibleName(tr("About the module"));
    addTab(makeTable(*m_signature, tr("Inputs and outputs of the module")), tr("Signature"));
    addTab(makeTable(*m_tensors, tr("Parameters, buffers and constants of the module")), tr("Parameters"));
    QTreeView* notes = makeTable(*m_notes, tr("Notes of the pass"));
    notes->setWordWrap(true);
    notes->setUniformRowHeights(false);
    addTab(notes, tr("Notes"));
    setTabToolTip(signatureTab, tr("What the module takes and gives"));
    setTabToolTip(tensorTab, tr("Parameters, buffers and constants that it reads as its own, with their bytes"));
    setTabToolTip(noteTab, tr("What the pass did otherwise than asked, and why"));
    setTabVisible(noteTab, false);
}

QTreeView* ModuleFactsPanel::makeTable(FactTable& model, const QString& name)
{
    auto* table = new QTreeView(this);
    table->setObjectName(QStringLiteral("facts"));
    table->setModel(&model);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setAccessibleName(name);
    table->header()->setStretchLastSection(true);
    return table;
}

void ModuleFactsPanel::showModule(const Program& program, ModuleId module, const Graph& graph)
{
    m_signature->setRows(signatureRows(graph));
    m_tensors->setRows(tensorRows(program, module, graph));
    setTabText(signatureTab, tr("Signature %1").arg(m_signature->rowCount()));
    const std::uint64_t bytes = tensorBytes(program, module, graph);
    setTabText(tensorTab, bytes == 0 ? tr("Parameters %1").arg(m_tensors->rowCount())
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
    for (int tab : {signatureTab, tensorTab}) {
        auto* table = qobject_cast<QTreeView*>(widget(tab));
        for (int column = 0; column < table->model()->columnCount(); ++column)
            table->resizeColumnToContents(column);
    }
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
