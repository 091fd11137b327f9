#pragma once

#include "document/document.h"
#include "models/node_search.h"

#include <QAbstractListModel>

namespace sunder {

/// Hits of the search field.
class SearchModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole + 1, TagRole };

    explicit SearchModel(const Document& document, QObject* parent = nullptr);
    /// Searches at once.
    void setQuery(const QString& query);
    /// What was found elsewhere.
    void setHits(std::vector<NodeId> hits);
    [[nodiscard]] const std::vector<NodeId>& hits() const { return m_hits; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    const Document& m_document;
    std::vector<NodeId> m_hits;
};

} // namespace sunder
