#include "layout/collapse/collapse_pieces.h"

#include "layout/collapse/run_folding.h"

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

/// Numbers the elements by their first child.
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

bool isContiguousPiece(const Piece& piece)
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

/// Returns for each piece whether it is in a cycle.
std::vector<bool> piecesInCycles(const Folding& folding)
{
    const StrongComponents components = componentsOf(folding.graph);
    std::vector<bool> result(folding.pieces.size(), false);
    for (Index element = 0; element < folding.elements.size(); ++element) {
        if (folding.pieceOf[element] != kNone && components.size[components.of[element]] > 1)
            result[folding.pieceOf[element]] = true;
    }
    return result;
}

/// The children in [begin, end).
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

constexpr Index kLargestGap = 64; ///< maximum number of ops between two members

/// Adds the plain units between non-adjacent members to a piece. Each gap is divided at the same position: some units join the
/// next member, and the others the previous one, such that all members are alike. If that fails, the first member is left out and
/// each other member takes the whole gap before it.
class GapFiller {
public:
    GapFiller(Piece& piece, const std::vector<Index>& pieceOfChild, const StructureOf& structureOf)
        : m_piece(piece), m_pieceOfChild(pieceOfChild), m_structureOf(structureOf), m_own(pieceOfChild[piece.members[0].front()])
    {
        for (const std::vector<Index>& member : piece.members)
            m_modules.push_back(member.front());
        m_gap = m_modules[1] - m_modules[0] - 1;
    }

    /// Prefers equal members to members of one kind. False if the gaps differ.
    bool fill()
    {
        for (Index i = 0; i + 1 < m_modules.size(); ++i) {
            if (m_modules[i + 1] - m_modules[i] - 1 != m_gap)
                return false;
        }
        if (m_gap > kLargestGap)
            return false;
        for (const bool isVaried : {false, true}) {
            if (isVaried != m_piece.isVaried && m_piece.isVaried)
                continue;
            for (Index behind = m_gap + 1; behind-- > 0;) {
                if (takesIn(membersWith(0, m_gap - behind, behind), isVaried))
                    return true;
            }
            if (m_modules.size() > kMinRun && takesIn(membersWith(1, m_gap, 0), isVaried))
                return true;
        }
        return false;
    }

private:
    /// Empty if there are not enough units before the first or after the last member.
    [[nodiscard]] std::vector<std::vector<Index>> membersWith(std::size_t first, Index before, Index behind) const
    {
        std::vector<std::vector<Index>> members;
        if (m_modules[first] < before || m_modules.back() + behind >= m_pieceOfChild.size())
            return {};
        for (std::size_t i = first; i < m_modules.size(); ++i)
            members.push_back(interval(m_modules[i] - before, m_modules[i] + 1 + behind));
        return members;
    }

    bool takesIn(std::vector<std::vector<Index>> members, bool isVaried)
    {
        if (members.empty())
            return false;
        for (Index child = members.front().front(); child <= members.back().back(); ++child) {
            if (m_pieceOfChild[child] != kNone && m_pieceOfChild[child] != m_own)
                return false;
        }
        if (!areAlike(members, isVaried, m_structureOf))
            return false;
        m_piece.members = std::move(members);
        m_piece.isVaried = isVaried;
        return true;
    }

    Piece& m_piece;
    const std::vector<Index>& m_pieceOfChild;
    const StructureOf& m_structureOf;
    Index m_own;
    std::vector<Index> m_modules;
    Index m_gap = 0;
};

void addNeighbors(const Piece& piece, std::vector<Piece>& out)
{
    Piece part{.isOpen = piece.isOpen, .isVaried = piece.isVaried};
    const auto finish = [&] {
        if (part.members.size() >= kMinRun)
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
        if (std::all_of(folding.pieces.begin(), folding.pieces.end(), isContiguousPiece))
            break;
        std::vector<Index> pieceOfChild(children.count, kNone);
        for (Index child = 0; child < children.count; ++child)
            pieceOfChild[child] = folding.pieceOf[folding.elementOf[child]];
        std::vector<Piece> next;
        for (Index p = 0; p < folding.pieces.size(); ++p) {
            Piece& piece = folding.pieces[p];
            // The last round keeps only runs of adjacent members and those that are in no cycle. Adjacent members close no cycle,
            // because children are in topological order.
            const bool isFilled = isContiguousPiece(piece) || (mayTakeIn && GapFiller(piece, pieceOfChild, structureOf).fill());
            if (isFilled || !inCycle[p])
                next.push_back(std::move(piece));
            else
                addNeighbors(piece, next);
            for (const std::vector<Index>& member : isFilled ? next.back().members : std::vector<std::vector<Index>>()) {
                for (const Index child : member)
                    pieceOfChild[child] = p; // reserved for this piece
            }
        }
        folding.pieces = std::move(next);
        assignElements(children, folding);
    }
    return folding;
}

} // namespace sunder::collapse
