#pragma once

#include "tagging/problems.h"
#include "tagging/repair_offers.h"

#include <string>

namespace sunder {

/// The common state of functions that find problems of tags, and their output.
struct ProblemSearch {
    const Snapshot& snapshot;
    const TagAssignment& tags;
    const TagReport& report;
    const ProblemOptions& options;
    RepairOffers& offers;
    Problems& found;

    [[nodiscard]] const Graph& graph() const { return snapshot.graph(); }
    [[nodiscard]] std::string nodeName(NodeId id) const { return snapshot.graph()[id].name.str(); }
    [[nodiscard]] std::string tagName(int tag) const
    {
        return tag < 0 ? std::string("untagged") : tags.order[static_cast<std::size_t>(tag)].str();
    }
    /// Returns "relu (tag a)".
    [[nodiscard]] std::string withTag(NodeId id, int tag) const { return nodeName(id) + " (tag " + tagName(tag) + ")"; }
    /// Adds a problem; sorts its fixes by cost.
    void add(Problem problem) const
    {
        sortByPrice(problem.repairs);
        if (!problem.nodes.empty())
            RepairOffers::offerToShow(problem);
        found.push_back(std::move(problem));
    }
    /// Adds a problem for those beyond the limit, with their nodes.
    void addMore(Severity severity, std::string text, std::vector<NodeId> nodes) const
    {
        add({.kind = Problem::Kind::more, .severity = severity, .text = std::move(text), .nodes = std::move(nodes)});
    }
};

/// Returns "a, b, c".
std::string joined(const std::vector<std::string>& names);

// Add the problems of each kind, errors first.
void addProof(const ProblemSearch& search);
void addPartNames(const ProblemSearch& search);
void addBackwardEdges(const ProblemSearch& search);
void addCircles(const ProblemSearch& search);
void addHiddenOrders(const ProblemSearch& search);
void addLeftRegions(const ProblemSearch& search);
void addSplitState(const ProblemSearch& search);
void addBoundCrossings(const ProblemSearch& search);
void addCutRegions(const ProblemSearch& search, bool canRepeat);
void addPartForms(const ProblemSearch& search);
void addOverflows(const ProblemSearch& search);
void addUntagged(const ProblemSearch& search);
void addSharedMemory(const ProblemSearch& search);
void addNonTensors(const ProblemSearch& search);
void addNoValues(const ProblemSearch& search);
void addIslands(const ProblemSearch& search);
void addEmptyTags(const ProblemSearch& search);

} // namespace sunder
