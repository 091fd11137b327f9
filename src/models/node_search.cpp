#include "models/node_search.h"

#include "document/text.h"

#include <QRegularExpression>

#include <algorithm>

namespace sunder {
namespace {

bool has(InternedString string, const QString& part)
{
    return text(string).contains(part, Qt::CaseInsensitive);
}

bool matchesShape(const Node& node, QString part)
{
    if (!node.meta.val)
        return false;
    part.replace(QLatin1Char('x'), QChar(0x00D7));
    return text(describeShape(*node.meta.val)).contains(part, Qt::CaseInsensitive);
}

bool matches(const Snapshot& snapshot, const TagAssignment& tags, NodeId id, const NodeQuery::Term& term)
{
    const Node& node = snapshot.graph()[id];
    switch (term.field) {
    case NodeQuery::Field::name: return has(node.name, term.text);
    case NodeQuery::Field::op: {
        const std::string_view op = name(node.op);
        return has(node.target, term.text) || text(op).compare(term.text, Qt::CaseInsensitive) == 0;
    }
    case NodeQuery::Field::module: return modulePathOf(snapshot.program, node).contains(term.text, Qt::CaseInsensitive);
    case NodeQuery::Field::tag: {
        const std::int32_t tag = tags[id];
        if (!node.isCall())
            return false;
        if (tag < 0)
            return term.text.compare(QLatin1String("none"), Qt::CaseInsensitive) == 0
                || term.text.compare(QLatin1String("untagged"), Qt::CaseInsensitive) == 0;
        return text(tags.order[static_cast<std::size_t>(tag)]).compare(term.text, Qt::CaseInsensitive) == 0;
    }
    case NodeQuery::Field::shape: return matchesShape(node, term.text);
    case NodeQuery::Field::any:
        return has(node.name, term.text) || has(node.target, term.text)
            || modulePathOf(snapshot.program, node).contains(term.text, Qt::CaseInsensitive);
    }
    return false;
}

} // namespace

NodeQuery parseQuery(const QString& query)
{
    static const std::pair<const char*, NodeQuery::Field> kFields[] = {
        {"name:", NodeQuery::Field::name}, {"op:", NodeQuery::Field::op},       {"module:", NodeQuery::Field::module},
        {"tag:", NodeQuery::Field::tag},   {"shape:", NodeQuery::Field::shape},
    };
    NodeQuery parsed;
    for (const QString& word : query.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts)) {
        NodeQuery::Term term{.text = word};
        for (const auto& [prefix, field] : kFields)
            if (word.startsWith(QLatin1String(prefix), Qt::CaseInsensitive))
                term = {field, word.mid(static_cast<qsizetype>(qstrlen(prefix)))};
        if (!term.text.isEmpty())
            parsed.terms.push_back(term);
    }
    return parsed;
}

std::vector<NodeId> findNodes(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                              const ProgressMonitor& monitor)
{
    constexpr std::size_t kBetweenLooks = 4096;
    std::vector<NodeId> found;
    if (query.empty())
        return found;
    std::size_t seen = 0;
    for (const NodeId id : snapshot.graph().nodes()) {
        if (++seen % kBetweenLooks == 0 && monitor.isCancelled())
            break;
        if (std::all_of(query.terms.begin(), query.terms.end(),
                        [&](const NodeQuery::Term& term) { return matches(snapshot, tags, id, term); }))
            found.push_back(id);
    }
    return found;
}

QString modulePathOf(const Program& program, const Node& node)
{
    const ModuleStack& stack = program.stackOf(node);
    return stack.empty() ? QString() : text(stack.back().path);
}

} // namespace sunder
