#pragma once

#include "ir/program.h"
#include "support/diagnostic.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <QTabWidget>
#include <memory>

namespace sunder {

/// A read-only table of texts with column headings.
class FactTable final : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Row {
        QStringList cells;
        QString tip = {};
    };

    explicit FactTable(QStringList headings, QObject* parent = nullptr);

    void setRows(std::vector<Row> rows);
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headings;
    std::vector<Row> m_rows;
};

/// Returns a row for each input and output of a module's graph: direction, name, type, bytes. O(nodes).
std::vector<FactTable::Row> signatureRows(const Graph& graph);

/// Returns a row for each parameter, buffer, and constant that a module's graph reads: name, kind, type, bytes, other names.
/// `module` owns the graph. O(nodes + tensors).
std::vector<FactTable::Row> tensorRows(const Program& program, ModuleId module, const Graph& graph);
/// Returns the total size of these tensors, each memory once. O(tensors).
std::uint64_t tensorBytes(const Program& program, ModuleId module, const Graph& graph);

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
