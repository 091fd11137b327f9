#pragma once

#include "document/document.h"

#include <QAbstractTableModel>

namespace sunder {

/// The history of runs, newest first: number and name, result, verdict, duration, time, options.
class RunModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, OutcomeColumn, VerdictColumn, TimeColumn, WhenColumn, OptionsColumn, ColumnCount };
    enum Role {
        NumberRole = Qt::UserRole + 1, ///< int
        ShownRole ///< bool: its result is shown in a pane
    };

    explicit RunModel(Document& document, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QModelIndex indexOf(int number) const;

private:
    [[nodiscard]] const Run& run(const QModelIndex& index) const;

    Document& m_document;
    std::vector<Run> m_runs; ///< a copy: the document's runs may change before the model is reset; results are shared
};

} // namespace sunder
