#pragma once

#include "document/document.h"

#include <QAbstractListModel>

namespace sunder {

/// The document's problems as rows, errors first. Problems that are resolved together with another follow it.
class ProblemModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { SeverityRole = Qt::UserRole + 1, IconRole, GoesWithRole };

    explicit ProblemModel(const Document& document, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] const Problem& problem(const QModelIndex& index) const;
    /// Returns the fixes of a row that the row it follows does not have.
    [[nodiscard]] std::vector<Repair> ownRepairs(const QModelIndex& index) const;
    /// Returns the number of problems that are not resolved together with another.
    [[nodiscard]] int count(Severity severity) const;
    /// Returns whether any problem has a fix that keeps the painted tags instead of tagging everything again.
    [[nodiscard]] bool canRepair() const;
    /// Returns why fixes of a problem are not possible. Those of a problem that is fixed with another one are those of the latter.
    [[nodiscard]] std::vector<BlockedRepair> ownBlocked(const QModelIndex& index) const;

private:
    const Document& m_document;
    Problems m_problems; ///< a copy: the document's problems may change before the model is reset
};

} // namespace sunder
