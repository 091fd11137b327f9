#include "analysis/alignment/export_transfer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

/// Returns the index of a tag in the order; appends the tag if it is missing.
std::int32_t placeInOrder(InternedString tag, std::vector<InternedString>& order)
{
    const auto at = std::ranges::find(order, tag);
    const auto place = static_cast<std::int32_t>(at - order.begin());
    if (at == order.end())
        order.push_back(tag);
    return place;
}

/// Restores the tags of one state. Returns those that remain lost.
Result<std::vector<TagPair>> restoreState(ExportTransfer& transfer, const ExportTags& state, LostTags& lost,
                                          ProgressMonitor& monitor)
{
    SUNDER_TRY(const GraphAlignment alignment, alignGraphs(state.identity, transfer.now, monitor));
    const CarriedTags carried = carriedTags(transfer.now, alignment, oldTags(state.identity, state.order, state.tags));
    std::unordered_set<InternedString> back;
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        const AlignedCall& call = alignment.calls[i];
        const std::int32_t tag = carried.calls[i].tag;
        if (call.old == AlignedCall::kNone || tag < 0 || call.kind >= transfer.alignment.calls[i].kind || lost.isBack[i])
            continue;
        CarriedTag& now = transfer.carried.calls[i];
        if (transfer.alignment.calls[i].kind >= MatchKind::inPlace && now.tag < 0 && !now.isEitherWay)
            --transfer.carried.untagged;
        now.tag = placeInOrder(state.order[static_cast<std::size_t>(tag)], transfer.order);
        lost.isBack[i] = true;
        back.insert(state.identity.nodes[call.old].name);
    }
    lost.back += back.size();
    std::vector<TagPair> left = state.tags;
    std::erase_if(left, [&back](const TagPair& pair) { return back.contains(pair.first); });
    return left;
}

} // namespace

Result<ExportTransfer> transferFrom(ExportTags old, const Program& program, ProgressMonitor& monitor)
{
    ExportTransfer made{.old = std::move(old.identity),
                        .now = identityOf(program),
                        .alignment = {},
                        .carried = {},
                        .order = std::move(old.order),
                        .oldTags = {}};
    SUNDER_TRY(made.alignment, alignGraphs(made.old, made.now, monitor));
    made.oldTags = oldTags(made.old, made.order, old.tags);
    made.carried = carriedTags(made.now, made.alignment, made.oldTags);
    return made;
}

Result<LostTags> restoreTags(ExportTransfer& transfer, std::span<const ExportTags* const> earlier, ProgressMonitor& monitor)
{
    LostTags lost{.left = std::vector<std::vector<TagPair>>(earlier.size()),
                  .isBack = std::vector<bool>(transfer.alignment.calls.size(), false)};
    for (const std::uint32_t node : transfer.alignment.lost)
        if (const std::int32_t tag = transfer.oldTags[node]; tag >= 0)
            lost.lost.emplace_back(transfer.old.nodes[node].name, transfer.order[static_cast<std::size_t>(tag)]);
    for (std::size_t state = earlier.size(); state-- > 0;) {
        SUNDER_TRY(lost.left[state], restoreState(transfer, *earlier[state], lost, monitor));
    }
    return lost;
}

} // namespace sunder
