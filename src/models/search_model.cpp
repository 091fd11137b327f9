#include "models/search_model.h"

#include "analysis/outline_tree.h"
#include "analysis/search/node_matcher.h"
#include "document/text.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sunder {

SearchModel::SearchModel(const Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            setQuery({});
    });
}

void SearchModel::setQuery(const QString& query, const CostFiguresPtr& order)
{
    setAnswer(m_document.isOpen() ? *answerTo(query, *m_document.snapshot(), m_document.tags(), order, ProgressMonitor::none())
                                  : SearchAnswer());
}

void SearchModel::setAnswer(SearchAnswer answer)
{
    beginResetModel();
    m_answer = std::move(answer);
    endResetModel();
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_answer.hits.size());
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const NodeId id = m_answer.hits[static_cast<std::size_t>(index.row())];
    const Node& node = m_document.graph()[id];
    switch (role) {
    case Qt::DisplayRole: return text(node.name.view());
    case Qt::AccessibleTextRole: {
        const QString cost = data(index, CostRole).toString();
        return cost.isEmpty() ? text(node.name.view()) : QStringLiteral("%1, %2").arg(text(node.name.view()), cost);
    }
    case CostRole: {
        const CostFiguresPtr figures = m_document.costs().figures(m_document.costs().listed());
        if (!figures)
            return {};
        const QString cost = text(describe(*figures, figures->of(id)));
        const QString share = text(costShareText(*figures, figures->of(id)));
        return share.isEmpty() ? cost : QStringLiteral("%1 · %2").arg(cost, share);
    }
    case DetailRole: {
        const QString what = node.isCall() ? text(shortTarget(node.target.view())) : text(name(node.op));
        const QString module = text(modulePathOf(m_document.snapshot()->program, node));
        return module.isEmpty() ? what : QStringLiteral("%1 · %2").arg(what, module);
    }
    case TagRole: return node.isCall() ? m_document.tags()[id] : -2;
    default: return {};
    }
}

Result<SearchAnswer> answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags,
                              const CostFiguresPtr& order, ProgressMonitor& monitor)
{
    const Result<NodeQuery> parsed = parseQuery(query.toStdString());
    if (!parsed) {
        QString why = text(parsed.error().message);
        if (!why.isEmpty())
            why[0] = why[0].toUpper();
        return SearchAnswer{.hits = {}, .why = why};
    }
    SUNDER_TRY(std::vector<NodeId> hits, findNodes(snapshot, tags, *parsed, monitor));
    if (order)
        std::ranges::stable_sort(hits, std::greater(), [&](NodeId id) {
            const CostFigure figure = order->of(id);
            return std::pair(figure.isKnown(), figure.isKnown() ? figure.value : 0);
        });
    SearchAnswer answer{.hits = std::move(hits), .why = {}};
    if (answer.hits.empty() && !parsed->empty()) {
        SUNDER_TRY(const std::string why, whyNothing(snapshot, tags, *parsed, monitor));
        answer.why = text(why);
    }
    return answer;
}

} // namespace sunder

#include "moc_search_model.cpp"
