#include "document/fills.h"

#include "analysis/training/followed_changes.h"
#include "document/document.h"
#include "document/followed_tags.h"
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

int Painting::fill(const FillPlan& plan)
{
    if (!document().isOpen() || plan.tag < 0 || plan.tag >= document().tagCount())
        return 0;
    const TagChanges wanted = wantedOf(plan.fill.nodes, plan.tag);
    TagChanges changes = followedRetagging(m_store.state(), *snapshot(), wanted).changes;
    if (changes.empty())
        return 0;
    const int count = static_cast<int>(changes.size());
    const QString verb = QObject::tr("Fill %1 with %2").arg(exact(plan.fill.what), document().tagName(plan.tag));
    m_store.pushRetagging(std::move(changes), 0, verb);
    return count;
}

} // namespace sunder
