#include "layout/collapse/collapse_pieces.h"

#include "layout/collapse/fold_runs.h"

#include <algorithm>

namespace sunder::collapse {
namespace {

using StructureOf = std::function<std::uint64_t(const std::vector<Index>&, bool)>;

Quotient contract(const Quotient& graph, const std::vector<Index>& groupOf, Index groupCount)
{
    return quotientOf(groupCount, [&](const auto& visit) {
        for (Index to = 0; to < graph.count; ++to) {
            for (Index e = graph.inStart[to]; e < graph.inStart[to + 1]; ++e) {
                if (groupOf[graph.in[e]] != groupOf[to])
                    visit(groupOf[graph.in[e]], groupOf[to]);
            }
        }
    });
}

/// Elements are numbered by their first child.
void assignElements(const Quotient& children, Folding& folding)
{
    std::vector<Index> pieceOfChild(children.count, kNone);
    for (Index p = 0; p < folding.pieces.size(); ++p) {
        for (const std::vector<Index>& member : folding.pieces[p].members) {
            for (const Index child : member)
                pieceOfChild[child] = p;
        }
    }
    std::vector<Index> elementOfPiece(folding.pieces.size(), kNone);
    folding.elementOf.assign(children.count, kNone);
    folding.elements.clear();
    folding.pieceOf.clear();
    for (Index child = 0; child < children.count; ++child) {
        const Index piece = pieceOfChild[child];
        Index element = piece == kNone ? kNone : elementOfPiece[piece];
        if (element == kNone) {
            element = static_cast<Index>(folding.elements.size());
            folding.elements.emplace_back();
            folding.pieceOf.push_back(piece);
            if (piece != kNone)
                elementOfPiece[piece] = element;
        }
        folding.elementOf[child] = element;
        folding.elements[element].push_back(child);
    }
    folding.graph = contract(children, folding.elementOf, static_cast<Index>(folding.elements.size()));
}

bool standsTogether(const Piece& piece)
{
    Index next = piece.members.front().front();
    for (const std::vector<Index>& member : piece.members) {
        for (const Index child : member) {
            if (child != next++)
                return false;
        }
    }
    return true;
}

/// Per piece whether it lies in a cycle.
std::vector<bool> piecesInCycles(const Folding& folding)
{
    const Components components = componentsOf(folding.graph);
    std::vector<bool> result(folding.pieces.size(), false);
    for (Index element = 0; element < folding.elements.size(); ++element) {
        if (folding.pieceOf[element] != kNone && components.size[components.of[element]] > 1)
            result[folding.pieceOf[element]] = true;
    }
    return result;
}

/// The children from `begin` on, before `end`.
std::vector<Index> interval(Index begin, Index end)
{
    std::vector<Index> result;
    for (Index child = begin; child < end; ++child)
        result.push_back(child);
    return result;
}

bool areAlike(const std::vector<std::vector<Index>>& members, bool isVaried, const StructureOf& structureOf)
{
    const std::uint64_t first = structureOf(members.front(), isVaried);
    return std::all_of(members.begin() + 1, members.end(),
                       [&](const std::vector<Index>& member) { return structureOf(member, isVaried) == first; });
}

/// The piece with what stands behind each member taken in, else with what stands before each, or each but the first.
bool takeGapsIn(Piece& piece, Index childCount, const std::vector<Index>& pieceOfChild, const StructureOf& structureOf)
{
    std::vector<Index> modules;
    for (const std::vector<Index>& member : piece.members)
        modules.push_back(member.front());
    const Index gap = modules[1] - modules[0] - 1;
    const Index own = pieceOfChild[modules.front()];
    const auto isFree = [&](Index begin, Index end) {
        for (Index child = begin; child < std::min(end, childCount); ++child) {
            if (pieceOfChild[child] != kNone && pieceOfChild[child] != own)
                return false;
        }
        return end <= childCount;
    };
    for (Index i = 0; i + 1 < modules.size(); ++i) {
        if (modules[i + 1] - modules[i] - 1 != gap)
            return false;
    }
    std::vector<std::vector<Index>> behind;
    std::vector<std::vector<Index>> before;
    for (const Index module : modules) {
        behind.push_back(interval(module, module + 1 + gap));
        if (module >= gap)
            before.push_back(interval(module - gap, module + 1));
    }
    const std::size_t least = std::min<std::size_t>(kLeastRun, modules.size());
    const auto takesIn = [&](std::vector<std::vector<Index>>& members) {
        const bool fits = members.size() >= least && isFree(members.front().front(), members.back().back() + 1)
            && areAlike(members, piece.isVaried, structureOf);
        if (fits)
            piece.members = std::move(members);
        return fits;
    };
    if (takesIn(behind) || takesIn(before))
        return true;
    if (before.size() == modules.size())
        before.erase(before.begin());
    return takesIn(before);
}

void addNeighbours(const Piece& piece, std::vector<Piece>& out)
{
    Piece part{.isOpen = piece.isOpen, .isVaried = piece.isVaried};
    const auto finish = [&] {
        if (part.members.size() >= kLeastRun)
            out.push_back(part);
        part.members.clear();
    };
    for (const std::vector<Index>& member : piece.members) {
        if (!part.members.empty() && part.members.back().back() + 1 != member.front())
            finish();
        part.members.push_back(member);
    }
    finish();
}

} // namespace

Folding foldPieces(const Quotient& children, std::vector<Piece> pieces, const StructureOf& structureOf)
{
    Folding folding;
    folding.pieces = std::move(pieces);
    assignElements(children, folding);
    for (const bool mayTakeIn : {true, false}) {
        const std::vector<bool> inCycle = piecesInCycles(folding);
        if (std::find(inCycle.begin(), inCycle.end(), true) == inCycle.end())
            break;
        std::vector<Index> pieceOfChild(children.count, kNone);
        for (Index child = 0; child < children.count; ++child)
            pieceOfChild[child] = folding.pieceOf[folding.elementOf[child]];
        std::vector<Piece> next;
        for (Index p = 0; p < folding.pieces.size(); ++p) {
            Piece& piece = folding.pieces[p];
            // The last round leaves only runs of neighbours, which close no cycle: their order is a topological one.
            const bool stays = standsTogether(piece) || (mayTakeIn && !inCycle[p]);
            if (stays || (mayTakeIn && takeGapsIn(piece, children.count, pieceOfChild, structureOf)))
                next.push_back(std::move(piece));
            else
                addNeighbours(piece, next);
        }
        folding.pieces = std::move(next);
        assignElements(children, folding);
    }
    return folding;
}

} // namespace sunder::collapse
