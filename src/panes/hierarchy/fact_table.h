#pragma once

#include <QAbstractTableModel>
#include <QStringList>

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

} // namespace sunder
