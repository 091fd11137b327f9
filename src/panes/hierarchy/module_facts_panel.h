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

/// Below the graph of a module: what it takes and gives, the parameters that sank into it, and what the pass has to say.
class ModuleFactsPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit ModuleFactsPanel(QWidget* parent);
    ~ModuleFactsPanel() override;
    [[nodiscard]] FactTable& signature() { return *m_signature; }
    [[nodiscard]] FactTable& tensors() { return *m_tensors; }
    [[nodiscard]] FactTable& notes() { return *m_notes; }
    /// `module` is the object that owns the graph.
    void showModule(const Program& program, ModuleId module, const Graph& graph);
    /// Nothing runs in what is in sight.
    void showNoModule();
    /// Of the whole run; without any there is no tab for them.
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
