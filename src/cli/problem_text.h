#pragma once

#include "analysis/tag_assignment.h"
#include "cli/command.h"
#include "tagging/problem.h"

#include <QJsonArray>

namespace sunder::cli {

/// Returns the fixes that change tags, in the order of the problems, numbered from 1.
std::vector<const Repair*> repairsOf(const Problems& problems);

/// Formats tag problems and their fixes as text and JSON. Graph and tags must outlive it.
class ProblemTexts final {
public:
    ProblemTexts(const Graph& graph, const TagAssignment& tags) : m_graph(graph), m_tags(tags) {}

    /// Returns "Move relu to a: 1 op, 0 B of weights"
    [[nodiscard]] std::string line(const Repair& repair) const;
    [[nodiscard]] QJsonObject json(const Repair& repair) const;
    /// Adds all problems, each with its numbered fixes.
    void add(const Problems& problems, Outcome& outcome) const;

private:
    [[nodiscard]] QJsonArray names(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::string tagName(int tag) const;

    const Graph& m_graph;
    const TagAssignment& m_tags;
};

} // namespace sunder::cli
