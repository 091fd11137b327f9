#include "document/fills.h"

#include "analysis/training/followed_changes.h"
#include "document/followed_tags.h"
#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/text.h"

namespace sunder {

Result<FillPlan> planFill(const Snapshot& snapshot, const TagState& state, const FillRequest& request)
{
    SUNDER_TRY(Fill fill, fillOf(snapshot, state.tags, request));
    FillPlan plan{.fill = std::move(fill), .effect = {}, .changes = {}, .tag = state.active};
    Retagging found;
    if (plan.tag >= 0) {
        found = followedRetagging(state, snapshot, wantedOf(plan.fill.nodes, plan.tag));
        for (const auto& [node, tag] : found.changes)
            plan.changes.push_back(node);
        plan.kept = keptText(state, found.kept);
        plan.kept.chop(plan.kept.endsWith(QLatin1Char('.')) ? 1 : 0); // callers continue the sentence
    }
    plan.effect = followsForward(state, snapshot) ? followedEffect(snapshot, state.tags, found.changes, plan.tag)
                                                  : fillEffect(snapshot, state.tags, plan.changes, plan.tag);
    return plan;
}

int Document::fill(const FillPlan& plan)
{
    if (!isOpen() || plan.tag < 0 || plan.tag >= tagCount())
        return 0;
    const TagChanges wanted = wantedOf(plan.fill.nodes, plan.tag);
    TagChanges changes = followedRetagging(m_state, *m_snapshot, wanted).changes;
    if (changes.empty())
        return 0;
    const int count = static_cast<int>(changes.size());
    const QString verb = tr("Fill %1 with %2").arg(exact(plan.fill.what), tagName(plan.tag));
    m_undoStack.push(new RetagCommand(*this, std::move(changes), 0, verb));
    return count;
}

} // namespace sunder
