#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "tagging/problem.h"

#include <QJsonArray>

namespace sunder::cli {

/// The repairs that change tags, in the order of the problems: number 1 is the first.
std::vector<const Repair*> repairsOf(const Problems& problems);

/// Problems of tags and their repairs, in words and as JSON. Graph and tags must outlive it.
class ProblemTexts final {
public:
    ProblemTexts(const Graph& graph, const TagAssignment& tags) : m_graph(graph), m_tags(tags) {}

    /// "Move relu to a: 1 op, 0 B of weights"
    [[nodiscard]] std::string line(const Repair& repair) const;
    [[nodiscard]] QJsonObject json(const Repair& repair) const;
    /// Says all problems, each with its repairs and their numbers.
    void add(const Problems& problems, Outcome& outcome) const;

private:
    [[nodiscard]] QJsonArray names(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::string tagName(int tag) const;

    const Graph& m_graph;
    const TagAssignment& m_tags;
};

} // namespace sunder::cli
