#include "models/match_groups.h"

#include "support/ascii.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kMinRows = 3;

/// Returns the block of a node: its module path up to the first number, or else the outermost module.
std::string_view blockOf(const GraphIdentity& graph, std::uint32_t node)
{
    const std::string_view path = graph.modules[graph.nodes[node].module].path.view();
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t end = std::min(path.find('.', from), path.size());
        if (isAsciiNumber(path.substr(from, end - from)))
            return path.substr(0, end);
        from = end + 1;
    }
    return path.substr(0, path.find('.'));
}

std::string_view blockOf(const TagTransfer& transfer, const MatchRow& row)
{
    return row.isLost ? blockOf(transfer.old, transfer.alignment.lost[row.index])
                      : blockOf(transfer.now, transfer.alignment.calls[row.index].node);
}

bool isAlike(const TagTransfer& transfer, const MatchRow& a, const MatchRow& b)
{
    if (a.isLost != b.isLost || blockOf(transfer, a) != blockOf(transfer, b))
        return false;
    if (a.isLost)
        return transfer.oldTags[transfer.alignment.lost[a.index]] == transfer.oldTags[transfer.alignment.lost[b.index]];
    const AlignedCall& one = transfer.alignment.calls[a.index];
    const AlignedCall& other = transfer.alignment.calls[b.index];
    const CarriedTag& tag = transfer.carried.calls[a.index];
    const CarriedTag& otherTag = transfer.carried.calls[b.index];
    return one.kind == other.kind && one.mayBeNew == other.mayBeNew && one.hasMore == other.hasMore && tag.tag == otherTag.tag
        && tag.suggestion == otherTag.suggestion && tag.isEitherWay == otherTag.isEitherWay;
}

/// Names the blocks of the old ops that the rows match or may match: "layers.2", "layers.2 or layers.3", "layers.2, layers.3 and
/// 4 more".
QString blocksOf(const TagTransfer& transfer, std::span<const MatchRow> group, const QString& lastWord)
{
    constexpr qsizetype kShown = 3;
    QStringList blocks;
    const auto note = [&](std::uint32_t old) {
        const std::string_view block = blockOf(transfer.old, old);
        const QString name = block.empty() ? QObject::tr("the model") : brief(text(block));
        if (!blocks.contains(name))
            blocks << name;
    };
    for (const MatchRow& row : group) {
        const AlignedCall& call = transfer.alignment.calls[row.index];
        if (call.old != AlignedCall::kNone)
            note(call.old);
        for (const std::uint32_t other : call.others)
            note(other);
    }
    if (blocks.size() > kShown)
        return QObject::tr("%1 and %2 more").arg(blocks.first(kShown).join(QStringLiteral(", "))).arg(blocks.size() - kShown);
    if (blocks.size() < 2)
        return blocks.join(QString());
    const QString last = blocks.takeLast();
    return QStringLiteral("%1 %2 %3").arg(blocks.join(QStringLiteral(", ")), lastWord, last);
}

} // namespace

std::vector<MatchGroup> groupsOf(const TagTransfer& transfer, std::span<const MatchRow> rows)
{
    std::vector<MatchGroup> groups;
    for (std::size_t from = 0; from < rows.size();) {
        std::size_t end = from + 1;
        while (end < rows.size() && isAlike(transfer, rows[from], rows[end]))
            ++end;
        const std::string_view block = blockOf(transfer, rows[from]);
        if (end - from >= kMinRows && !block.empty())
            groups.push_back({.first = from, .count = end - from, .block = brief(text(block))});
        else
            for (std::size_t row = from; row < end; ++row)
                groups.push_back({.first = row});
        from = end;
    }
    return groups;
}

QString reasonOf(const TagTransfer& transfer, std::span<const MatchRow> group)
{
    const MatchRow& row = group.front();
    if (row.isLost)
        return QObject::tr("not in this export");
    const AlignedCall& call = transfer.alignment.calls[row.index];
    const bool isEitherWay = transfer.carried.calls[row.index].isEitherWay;
    switch (call.kind) {
    case MatchKind::identity: return QObject::tr("the same");
    case MatchKind::structure:
        return QObject::tr("match ops in %1 by structure").arg(blocksOf(transfer, group, QObject::tr("and")));
    case MatchKind::moved: return QObject::tr("the same, with different inputs");
    case MatchKind::inPlace:
        return QObject::tr("replace ops in %1").arg(blocksOf(transfer, group, QObject::tr("and")))
            + (isEitherWay ? QString() : QObject::tr("; their tags differ"));
    case MatchKind::undecided: {
        const QString blocks = blocksOf(transfer, group, QObject::tr("or"));
        return (blocks.isEmpty() ? QObject::tr("many possible matches") : QObject::tr("may match ops in %1").arg(blocks))
            + (call.mayBeNew ? QObject::tr(", or be new") : QString())
            + (isEitherWay ? QObject::tr("; the tag is the same either way") : QString());
    }
    case MatchKind::added: break;
    }
    return QObject::tr("new");
}

} // namespace sunder
