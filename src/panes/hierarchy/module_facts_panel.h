#pragma once

#include "ir/program.h"
#include "panes/hierarchy/fact_table.h"
#include "support/diagnostic.h"

#include <QTabWidget>

#include <memory>

namespace sunder {

namespace Ui {
class ModuleFactsPanel;
}

/// Tabs below a module's graph: its signature, its parameters, and the diagnostics of the pass.
class ModuleFactsPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit ModuleFactsPanel(QWidget* parent);
    ~ModuleFactsPanel() override;
    [[nodiscard]] FactTable& signature() { return *m_signature; }
    [[nodiscard]] FactTable& tensors() { return *m_tensors; }
    [[nodiscard]] FactTable& notes() { return *m_notes; }
    /// `module` owns the graph.
    void showModule(const Program& program, ModuleId module, const Graph& graph);
    /// Clears the tabs because the selected module has no graph.
    void showNoModule();
    /// Sets the diagnostics of the whole run; their tab is hidden if there are none.
    void setNotes(const Diagnostics& notes);

private:
    enum Tab : int { signatureTab, tensorTab, noteTab };

    void fitColumns();

    FactTable* m_signature;
    FactTable* m_tensors;
    FactTable* m_notes;
    std::unique_ptr<Ui::ModuleFactsPanel> m_ui;
};

} // namespace sunder
