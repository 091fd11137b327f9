#pragma once

#include "passes/split_tables.h"

#include <QAbstractTableModel>
#include <QWidget>
#include <memory>

namespace sunder {

/// The names of a cut, of one part or all parts, filtered by a text.
class NameModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SourceColumn, ResultColumn, KindColumn, PartColumn, ColumnCount };
    static constexpr std::int32_t kAllParts = -1;

    explicit NameModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// `part`: kAllParts or the part to show. `names`: the names of the parts.
    void show(std::shared_ptr<const NameTable> table, std::int32_t part, std::vector<InternedString> names);
    /// Sets the filter text; case-insensitive.
    void setFilter(const QString& text);
    [[nodiscard]] const NameRow& row(const QModelIndex& index) const;
    /// Returns the row of a node; invalid if it is not shown.
    [[nodiscard]] QModelIndex indexOf(NodeRef node) const;
    /// The number of rows without a filter.
    [[nodiscard]] std::size_t totalRows() const { return m_total; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void choose();
    [[nodiscard]] QString cell(const NameRow& row, int column) const;

    std::shared_ptr<const NameTable> m_table;
    std::int32_t m_part = kAllParts;
    std::vector<InternedString> m_names;
    std::string m_filter;
    std::vector<std::uint32_t> m_rows; ///< indices of the shown rows in the table
    std::size_t m_total = 0;
};

} // namespace sunder

class QLineEdit;
class QTreeView;

namespace sunder {

namespace Ui {
class NamesPanel;
}

/// The names of a part's nodes in the source and in the cut, with a field that searches both.
class NamesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit NamesPanel(QWidget* parent = nullptr);
    ~NamesPanel() override;
    [[nodiscard]] NameModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] QLineEdit& filterField();
    void show(std::shared_ptr<const NameTable> table, std::int32_t part, const std::vector<InternedString>& names);
    /// Marks the row of this node without emitting a signal.
    void showNode(NodeRef node);

signals:
    void nodePicked(sunder::NodeRef node);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showCount();
    void shareWidth();
    void pick(const QModelIndex& index);

    NameModel* m_model;
    bool m_isOfAll = false; ///< for the main graph: names of all parts
    bool m_showing = false;
    std::unique_ptr<Ui::NamesPanel> m_ui;
};

} // namespace sunder
