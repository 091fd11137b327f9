#pragma once

#include "analysis/cost/cost_figures.h"
#include "analysis/search/find_nodes.h"
#include "document/document.h"

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace sunder {

/// The result of a query.
struct SearchAnswer {
    std::vector<NodeId> hits;
    QString why; ///< why there are no hits: an error in the query, or an unknown name; empty for an empty query
};

/// Parses and runs a query; explains why it has no hits. The hits are in graph order, or with the greatest of `order` first.
/// Fails only with ErrorCode::cancelled. Same cost as findNodes(), and sorting.
Result<SearchAnswer> answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags,
                              const CostFiguresPtr& order, ProgressMonitor& monitor);

/// The hits of the search field.
class SearchModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole + 1, TagRole, CostRole };

    explicit SearchModel(const Document& document, QObject* parent = nullptr);
    /// Searches synchronously. `order` is as for answerTo().
    void setQuery(const QString& query, const CostFiguresPtr& order = {});
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
