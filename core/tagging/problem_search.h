#pragma once

#include "tagging/problems.h"
#include "tagging/repair_offers.h"

#include <string>

namespace sunder {

/// What everybody needs who finds problems of tags, and where they are put.
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
    /// "relu (tag a)"
    [[nodiscard]] std::string withTag(NodeId id, int tag) const { return nodeName(id) + " (tag " + tagName(tag) + ")"; }
    /// Its repairs are sorted, the cheapest first.
    void add(Problem problem) const
    {
        sortByPrice(problem.repairs);
        if (!problem.nodes.empty())
            RepairOffers::offerToShow(problem);
        found.push_back(std::move(problem));
    }
    /// One for those beyond the limit, with what they are about.
    void addMore(Severity severity, std::string text, std::vector<NodeId> nodes) const
    {
        add({.kind = Problem::Kind::more, .severity = severity, .text = std::move(text), .nodes = std::move(nodes)});
    }
};

/// "a, b, c"
std::string joined(const std::vector<std::string>& names);

// What each kind finds, errors first.
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
