#include "panes/sequence/sequence_rows.h"

#include "document/text.h"

#include <map>

namespace sunder {
namespace {

std::vector<SequenceRow::Share> sharesOf(const ModelSequence& sequence, std::span<const std::int32_t> partOf, std::uint32_t first,
                                         std::uint32_t last)
{
    if (std::all_of(partOf.begin() + first, partOf.begin() + last, [&](std::int32_t tag) { return tag == partOf[first]; }))
        return {{partOf[first], 1}};
    std::map<std::uint32_t, double> weights; // as unsigned keys, so that untagged (−1) is last
    double sum = 0;
    for (std::uint32_t call = first; call < last; ++call) {
        const double weight = static_cast<double>(sequence.callBytes[call]) + 1;
        weights[static_cast<std::uint32_t>(partOf[call])] += weight;
        sum += weight;
    }
    std::vector<SequenceRow::Share> shares;
    for (const auto& [tag, weight] : weights)
        shares.push_back({static_cast<std::int32_t>(tag), weight / sum});
    return shares;
}

} // namespace

std::vector<SequenceRow> sequenceRows(const ModelSequence& sequence, std::span<const std::int32_t> partOf,
                                      const SequenceScale& scale, double pixelRatio)
{
    std::vector<SequenceRow> rows;
    const auto lines = static_cast<std::uint32_t>(std::max(1.0, std::round(scale.bar.height() * pixelRatio)));
    const double lineHeight = scale.bar.height() / lines;
    for (std::uint32_t line = 0; line < lines; ++line) {
        const auto first = static_cast<std::uint32_t>(std::uint64_t{line} * scale.calls / lines);
        const auto end = static_cast<std::uint32_t>((std::uint64_t{line} + 1) * scale.calls / lines);
        std::vector<SequenceRow::Share> shares = sharesOf(sequence, partOf, first, std::max(end, first + 1));
        if (!rows.empty() && rows.back().shares == shares)
            rows.back().bottom += lineHeight;
        else
            rows.push_back({scale.bar.top() + line * lineHeight, scale.bar.top() + (line + 1) * lineHeight, std::move(shares)});
    }
    return rows;
}

std::uint8_t labeledDepth(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight)
{
    std::uint8_t depth = sequence.coarseDepth;
    for (std::uint8_t deeper = depth + 1; deeper <= sequence.deepest; ++deeper) {
        const auto count = std::ranges::count_if(sequence.visits,
                                                 [&](const ModuleVisit& visit) { return visit.depth == deeper; });
        if (static_cast<double>(count) * lineHeight > scale.bar.height())
            break;
        depth = deeper;
    }
    return depth;
}

namespace {

/// Returns whether a visit has this depth, or is less deep and contains no other visit.
bool isOfDepth(const ModelSequence& sequence, std::size_t at, std::uint8_t depth)
{
    const ModuleVisit& visit = sequence.visits[at];
    const bool holdsOthers = at + 1 < sequence.visits.size() && sequence.visits[at + 1].parent == static_cast<std::int32_t>(at);
    return visit.depth == depth || (visit.depth < depth && !holdsOthers);
}

/// Adds a label. If it would overlap the previous one, it moves down within its module; if there is no room, the longer module
/// keeps its label.
void addLabel(std::vector<SequenceLabel>& labels, SequenceLabel label, const ModelSequence& sequence, const SequenceScale& scale,
              double lineHeight)
{
    const auto calls = [&](const SequenceLabel& of) { return sequence.visits[of.visit].end - sequence.visits[of.visit].begin; };
    const double free = labels.empty() ? label.y : labels.back().y + lineHeight;
    // below this it would appear to name the next module
    const double lowest = scale.y(sequence.visits[label.visit].end) - lineHeight / 4;
    if (free > lowest && free > label.y) {
        const bool isShorter = calls(label) <= calls(labels.back());
        const bool hasRoom = labels.size() < 2 || label.y - labels[labels.size() - 2].y >= lineHeight;
        if (isShorter || !hasRoom)
            return;
        labels.pop_back();
        labels.push_back(label);
        return;
    }
    label.y = std::max(label.y, free);
    labels.push_back(label);
}

} // namespace

std::vector<SequenceLabel> sequenceLabels(const ModelSequence& sequence, const SequenceScale& scale, double lineHeight)
{
    const std::uint8_t depth = labeledDepth(sequence, scale, lineHeight);
    std::vector<SequenceLabel> outer;
    for (std::size_t at = 0; at < sequence.visits.size(); ++at) {
        const ModuleVisit& visit = sequence.visits[at];
        if (!isOfDepth(sequence, at, sequence.coarseDepth))
            continue;
        const double middle = (scale.y(visit.begin) + scale.y(visit.end)) / 2;
        const double y = depth == sequence.coarseDepth ? middle : std::min(middle, scale.y(visit.begin) + lineHeight / 2);
        addLabel(outer, {at, y}, sequence, scale, lineHeight);
    }
    if (depth == sequence.coarseDepth)
        return outer;
    std::vector<SequenceLabel> labels;
    std::size_t next = 0; // index into `outer`
    for (std::size_t at = 0; at < sequence.visits.size(); ++at) {
        const ModuleVisit& visit = sequence.visits[at];
        if (next < outer.size() && outer[next].visit == at)
            labels.push_back(outer[next++]);
        if (visit.depth <= sequence.coarseDepth || !isOfDepth(sequence, at, depth))
            continue;
        const double y = (scale.y(visit.begin) + scale.y(visit.end)) / 2;
        const bool isFree = (labels.empty() || y - labels.back().y >= lineHeight)
            && (next == outer.size() || outer[next].y - y >= lineHeight);
        if (isFree)
            labels.push_back({at, y, true});
    }
    return labels;
}

QString visitLabel(const ModelSequence& sequence, const ModuleVisit& visit)
{
    const QString path = text(visit.path);
    if (visit.parent < 0)
        return path;
    const QString outer = text(sequence.visits[static_cast<std::size_t>(visit.parent)].path) + QLatin1Char('.');
    if (!path.startsWith(outer))
        return path;
    qsizetype begin = outer.size();
    while (begin > 0 && path[begin].isDigit())
        begin = path.lastIndexOf(QLatin1Char('.'), begin - 2) + 1;
    return path.mid(begin);
}

std::int32_t visitAround(const ModelSequence& sequence, std::uint32_t call, std::uint8_t depth)
{
    std::int32_t visit = sequence.visitOf[call];
    while (visit >= 0 && sequence.visits[static_cast<std::size_t>(visit)].depth > depth)
        visit = sequence.visits[static_cast<std::size_t>(visit)].parent;
    return visit;
}

} // namespace sunder
