#pragma once

#include "analysis/alignment/folded_places.h"
#include "analysis/alignment/model_changes.h"
#include "analysis/cut/cut_summary.h"
#include "analysis/snapshot.h"
#include "cli/command.h"
#include "cli/report_page.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder::cli {

/// Default effort of the search for the least possible load, in seconds of a common processor.
inline constexpr double kReportTimeLimit = 1;

/// What a new export did to a cut: the facts of the report of `check` as text, Markdown, and JSON.
struct CutReport {
    /// Ops without a tag at one place.
    struct Untagged {
        FoldedPlace place;
        std::int32_t suggestion = TagAssignment::kUntagged;
        std::string operators = {};
    };
    std::string model; ///< path
    std::size_t ops = 0;
    std::vector<InternedString> order; ///< of the tags of the project; without one, of those that are checked
    std::optional<ModelChanges> changes = {}; ///< nothing if the graph is the same, or the project does not identify its ops
    std::vector<std::size_t> tagged = {}; ///< per tag of the project: ops of the previous export; empty: no project
    std::vector<Untagged> untagged = {};
    std::vector<std::string> names = {}; ///< per node of the graph
    CutSummary after = {}; ///< with the suggested tags if `isSuggested`
    bool isSuggested = false; ///< ops without a tag are counted with their suggested one
    bool isSuggestedLegal = false; ///< then: the cut holds with them
    bool hasSuggested = false; ///< ops without a tag have got their suggested one: --suggested
    std::string suggestedText = {}; ///< then: what a check of these tags says
    std::optional<CutSummary> before = {};
    std::string beforeFrom = {}; ///< with figures before: "project" or "model"
    std::string whyNoBefore = {}; ///< without them, if the graph has changed
};

/// Compares the cut with that of the project IN. The figures of the previous export are those that the project keeps, or those of its
/// model if that is still there. Those of the new export include the suggested tags if each op without a tag has a suggestion. Fails
/// with ErrorCode::cancelled.
Result<CutReport> cutReport(const Invocation& invocation, const Snapshot& snapshot, const TagAssignment& tags,
                            const std::vector<Device>& devices);

/// Adds the sentences and sections about changes and figures to a page.
void addReport(const Invocation& invocation, const CutReport& report, ReportPage& page);

/// Writes the members "source", "changes", "untagged", and "figures".
void writeReport(const Invocation& invocation, const CutReport& report, JsonWriter& json);

} // namespace sunder::cli
