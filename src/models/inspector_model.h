#pragma once

#include "models/inspection.h"

#include <QAbstractItemModel>

namespace sunder {

/// Properties of the selection in two columns, key and value, on two levels.
class InspectorModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit InspectorModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// Heights of the bars that replace a value, as a QList<double>.
    static constexpr int kBarsRole = Qt::UserRole + 1;

    void setProperties(std::vector<Property> properties);
    /// Returns the line of a row; null for an invalid index.
    [[nodiscard]] const Property* property(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex&) const override { return 2; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    static constexpr quintptr kTop = ~quintptr(0);
    std::vector<Property> m_properties;
};

} // namespace sunder
