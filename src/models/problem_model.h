#pragma once

#include "document/document.h"

#include <QAbstractListModel>

namespace sunder {

/// The document's problems as rows, errors first, each with what goes away with it behind it.
class ProblemModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { SeverityRole = Qt::UserRole + 1, IconRole, GoesWithRole };

    explicit ProblemModel(const Document& document, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] const Problem& problem(const QModelIndex& index) const;
    /// Repairs of a row that the row it goes with does not have.
    [[nodiscard]] std::vector<Repair> ownRepairs(const QModelIndex& index) const;
    /// How many there are that do not go away with another.
    [[nodiscard]] int count(Severity severity) const;
    /// Whether a problem has a repair that keeps what was painted: not to tag everything anew.
    [[nodiscard]] bool canRepair() const;

private:
    const Document& m_document;
    Problems m_problems; ///< a copy: the document's may change before we have reset
};

} // namespace sunder
