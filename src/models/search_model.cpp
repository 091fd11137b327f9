#include "models/search_model.h"

#include "analysis/outline_tree.h"
#include "analysis/search/node_matcher.h"
#include "document/text.h"

namespace sunder {

SearchModel::SearchModel(const Document& document, QObject* parent) : QAbstractListModel(parent), m_document(document)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            setQuery({});
    });
}

void SearchModel::setQuery(const QString& query)
{
    setAnswer(m_document.isOpen() ? *answerTo(query, *m_document.snapshot(), m_document.tags(), ProgressMonitor::none())
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
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return text(node.name.view());
    case DetailRole: {
        const QString what = node.isCall() ? text(shortTarget(node.target.view())) : text(name(node.op));
        const QString module = text(modulePathOf(m_document.snapshot()->program, node));
        return module.isEmpty() ? what : QStringLiteral("%1 · %2").arg(what, module);
    }
    case TagRole: return node.isCall() ? m_document.tags()[id] : -2;
    default: return {};
    }
}

Result<SearchAnswer> answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags, ProgressMonitor& monitor)
{
    const Result<NodeQuery> parsed = parseQuery(query.toStdString());
    if (!parsed) {
        QString why = text(parsed.error().message);
        if (!why.isEmpty())
            why[0] = why[0].toUpper();
        return SearchAnswer{.hits = {}, .why = why};
    }
    SUNDER_TRY(std::vector<NodeId> hits, findNodes(snapshot, tags, *parsed, monitor));
    SearchAnswer answer{.hits = std::move(hits), .why = {}};
    if (answer.hits.empty() && !parsed->empty()) {
        SUNDER_TRY(const std::string why, whyNothing(snapshot, tags, *parsed, monitor));
        answer.why = text(why);
    }
    return answer;
}

} // namespace sunder

#include "moc_search_model.cpp"
