#pragma once

#include "document/document.h"
#include "models/search_answer.h"

#include <QAbstractListModel>

namespace sunder {

/// The hits of the search field.
class SearchModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole + 1, TagRole };

    explicit SearchModel(const Document& document, QObject* parent = nullptr);
    /// Searches synchronously.
    void setQuery(const QString& query);
    /// Sets the result of a search in a job.
    void setAnswer(SearchAnswer answer);
    [[nodiscard]] const std::vector<NodeId>& hits() const { return m_answer.hits; }
    /// Why there are no hits; empty for an empty query.
    [[nodiscard]] const QString& why() const { return m_answer.why; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    const Document& m_document;
    SearchAnswer m_answer;
};

} // namespace sunder
