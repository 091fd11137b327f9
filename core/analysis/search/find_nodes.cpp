#include "analysis/search/find_nodes.h"

#include "analysis/outline_tree.h"
#include "analysis/search/node_matcher.h"
#include "analysis/search/text_pattern.h"
#include "ir/module_tree.h"
#include "support/format.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
std::vector<ModulePlace> modulePlaces(const Program& program)
{
    std::vector<ModulePlace> places;
    std::unordered_map<std::string, std::size_t> placeOf;
    const auto placeAt = [&](std::string_view path) -> ModulePlace& {
        const auto [at, isNew] = placeOf.try_emplace(std::string(path), places.size());
        if (isNew)
            places.push_back({.path = at->first});
        return places[at->second];
    };
    const auto addWithAll = [&](std::string_view path) { // including its parents
        for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
            placeAt(path.substr(0, dot));
        if (!path.empty())
            placeAt(path);
    };
    std::unordered_set<const ModuleStack*> seen; // nodes share stacks
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (stack.empty()) {
            addWithAll(modulePathOf(program, graph[id]));
            continue;
        }
        if (!seen.insert(&stack).second)
            continue;
        for (const ModuleFrame& frame : stack) {
            addWithAll(frame.path.view());
            if (!frame.path.empty())
                placeAt(frame.path.view()).cls = frame.cls;
        }
    }
    return places;
}

std::vector<NodeId> nodesIn(const Program& program, std::string_view path)
{
    std::vector<NodeId> nodes;
    std::unordered_map<const ModuleStack*, bool> isIn;
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (stack.empty()) {
            if (isWithin(modulePathOf(program, graph[id]), path))
                nodes.push_back(id);
            continue;
        }
        const auto [at, isNew] = isIn.try_emplace(&stack, false);
        if (isNew)
            at->second = std::ranges::any_of(stack, [&](const ModuleFrame& frame) { return isWithin(frame.path.view(), path); });
        if (at->second)
            nodes.push_back(id);
    }
    return nodes;
}

namespace {

/// The matchers of a clause.
struct ClauseMatcher {
    std::vector<NodeMatcher> terms;
    bool negated = false;

    [[nodiscard]] bool matches(NodeId id)
    {
        return std::ranges::any_of(terms, [&](NodeMatcher& term) { return term.matches(id); }) != negated;
    }
};

std::string listOfWords(const std::vector<std::string>& words)
{
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : ", ") + word;
    return all;
}

/// Returns similar words for a term, with its field; empty if there are none.
std::vector<std::string> meantBy(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery::Term& term)
{
    constexpr std::size_t kOffered = 3;
    const std::vector<std::string> known = queryWords(snapshot, tags, term.field);
    const std::string prefix = term.field == QueryField::any ? "" : std::string(name(term.field)) + ":";
    std::vector<std::string> near = nearWords(term.written, known, kOffered);
    for (std::string& word : near)
        word.insert(0, prefix);
    return near;
}

std::string whyNot(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery::Clause& clause)
{
    std::string why = "No node matches " + clause.written;
    for (const NodeQuery::Term& term : clause.terms) {
        const std::vector<std::string> near = meantBy(snapshot, tags, term);
        if (!near.empty())
            return why + "; there is " + listOfWords(near);
    }
    if (clause.terms.front().field == QueryField::op && clause.terms.front().written.find('*') == std::string::npos)
        return why + "; op: matches the whole name, " + std::string("op:*") + clause.terms.front().written + "* any part of it";
    return why;
}

} // namespace

Result<std::vector<NodeId>> findNodes(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                                      ProgressMonitor& monitor)
{
    std::vector<NodeId> found;
    if (query.empty())
        return found;
    std::vector<ClauseMatcher> clauses;
    for (const NodeQuery::Clause& clause : query.clauses) {
        clauses.push_back({.terms = {}, .negated = clause.negated});
        for (const NodeQuery::Term& term : clause.terms)
            clauses.back().terms.emplace_back(snapshot, tags, term);
    }
    StepMonitor steps(monitor);
    for (const NodeId id : snapshot.graph().nodes()) {
        SUNDER_PROPAGATE(steps.step());
        if (std::ranges::all_of(clauses, [&](ClauseMatcher& clause) { return clause.matches(id); }))
            found.push_back(id);
    }
    return found;
}

Result<std::string> whyNothing(const Snapshot& snapshot, const TagAssignment& tags, const NodeQuery& query,
                               ProgressMonitor& monitor)
{
    std::string each;
    for (const NodeQuery::Clause& clause : query.clauses) {
        NodeQuery alone;
        alone.clauses.push_back(clause);
        SUNDER_TRY(const std::vector<NodeId> found, findNodes(snapshot, tags, alone, monitor));
        if (found.empty())
            return whyNot(snapshot, tags, clause);
        each += (each.empty() ? "" : ", ") + formatCount(found.size(), "node") + (found.size() == 1 ? " matches " : " match ")
            + clause.written;
    }
    return "No node matches all terms: " + each;
}

std::vector<std::string> queryWords(const Snapshot& snapshot, const TagAssignment& tags, QueryField field)
{
    std::set<std::string, std::less<>> words;
    const auto add = [&](std::string_view word) {
        if (!word.empty() && !words.contains(word))
            words.emplace(word);
    };
    if (field == QueryField::tag) {
        for (const InternedString tag : tags.order)
            add(tag.view());
        add("none");
    }
    const bool ofNodes = field == QueryField::op || field == QueryField::dtype || field == QueryField::cls
        || field == QueryField::module;
    if (!ofNodes)
        return {words.begin(), words.end()};
    // Nodes share targets and stacks, so each is visited once.
    std::unordered_set<InternedString> targets;
    std::unordered_set<const ModuleStack*> stacks;
    for (const NodeId id : snapshot.graph().nodes()) {
        const Node& node = snapshot.graph()[id];
        if (field == QueryField::op && (!node.isCall() || targets.insert(node.target).second))
            add(node.isCall() ? shortTarget(node.target.view()) : name(node.op));
        if (field == QueryField::dtype && node.meta.val && node.meta.val->kind() == ArgumentKind::tensor)
            add(node.meta.val->asTensor().dtype.view());
        const bool ofModules = field == QueryField::cls || field == QueryField::module;
        const bool isNewStack = ofModules && stacks.insert(&snapshot.program.stackOf(node)).second;
        if (isNewStack)
            for (const ModuleFrame& frame : snapshot.program.stackOf(node))
                add(field == QueryField::cls ? unqualifiedClass(frame.cls.view()) : frame.path.view());
        if (field == QueryField::module && (isNewStack || snapshot.program.stackOf(node).empty()))
            add(modulePathOf(snapshot.program, node));
    }
    return {words.begin(), words.end()};
}

std::vector<QueryCompletion> completionsOf(const Snapshot& snapshot, const TagAssignment& tags, std::string_view query,
                                           std::size_t most)
{
    const std::size_t begin = query.find_last_of(" |-") == std::string_view::npos ? 0 : query.find_last_of(" |-") + 1;
    const std::string_view word = query.substr(begin);
    const std::string before(query.substr(0, begin));
    std::vector<QueryCompletion> completions;
    const auto offer = [&](const std::string& whole) {
        if (completions.size() < most && whole != word)
            completions.push_back({.word = whole, .query = before + whole});
    };
    const std::size_t colon = word.find(':');
    for (const QueryField field : kQueryFields) {
        const std::string prefix = std::string(name(field))
            + (field == QueryField::bytes || field == QueryField::weights ? ">" : ":");
        if (colon == std::string_view::npos && !word.empty() && prefix.starts_with(word) && prefix != word)
            offer(prefix);
        if (colon == std::string_view::npos || word.substr(0, colon) != name(field))
            continue;
        const std::vector<std::string> known = queryWords(snapshot, tags, field);
        const std::string_view value = word.substr(colon + 1);
        const std::vector<std::string> near = value.empty() ? known : nearWords(value, known, most);
        for (const std::string& one : near) {
            const bool plain = one.find_first_of(" |\"") == std::string::npos;
            offer(prefix + (plain ? one : "\"" + one + "\""));
        }
    }
    return completions;
}

} // namespace sunder
