#include "verify/divergence.h"

#include <algorithm>
#include <bit>

namespace sunder {
namespace {

/// Indices of the children of a call that precede its arguments: target, state, keywords, random numbers.
constexpr std::size_t kGroupState = 1;
constexpr std::size_t kRandom = 3;
constexpr std::size_t kArguments = 4;
/// Indices of the children of a version of memory.
constexpr std::size_t kCall = 1;
constexpr std::size_t kPlace = 2;
constexpr std::size_t kContent = 3;

bool alike(const Term& a, const Term& b)
{
    return a.kind == b.kind && a.detail == b.detail && a.head == b.head && a.childCount == b.childCount;
}

std::size_t firstDifference(std::span<const TermId> a, std::span<const TermId> b, std::size_t from)
{
    for (std::size_t i = from; i < a.size(); ++i)
        if (a[i] != b[i])
            return i;
    return a.size();
}

TermId placeOf(const TermTable& terms, TermId id)
{
    return terms[id].kind == TermKind::read ? terms.children(id)[0] : id;
}

TermId versionOf(const TermTable& terms, TermId id)
{
    return terms[id].kind == TermKind::read ? terms.children(id)[1] : TermTable::nothing();
}

class Descent {
public:
    Descent(const TermTable& terms, TermId a, TermId b) : m_terms(terms) { m_parting.a = a, m_parting.b = b; }

    Divergence run()
    {
        while (m_parting.a != m_parting.b && step()) {
        }
        return std::move(m_parting);
    }

private:
    /// Descends one level. Returns false when the difference is fully described.
    bool step()
    {
        const TermId a = m_parting.a;
        const TermId b = m_parting.b;
        const bool isRead = m_terms[a].kind == TermKind::read || m_terms[b].kind == TermKind::read;
        if (isRead && placeOf(m_terms, a) == placeOf(m_terms, b))
            return versions(placeOf(m_terms, a), versionOf(m_terms, a), versionOf(m_terms, b));
        if (isRead)
            return contents(a, b);
        if (m_terms[a].kind == TermKind::again || m_terms[b].kind == TermKind::again)
            return descend(computed(a), computed(b));
        if (m_terms[a].kind == TermKind::call && m_terms[b].kind == TermKind::call)
            return calls(a, b);
        const bool isTensor = m_terms[a].kind == TermKind::tensor; // described as a whole
        if (!alike(m_terms[a], m_terms[b]) || m_terms[a].childCount == 0 || isTensor)
            return false;
        const std::span<const TermId> first = m_terms.children(a);
        const std::span<const TermId> second = m_terms.children(b);
        const std::size_t at = firstDifference(first, second, 0);
        const bool isGroup = m_terms[a].kind == TermKind::group;
        if (at == first.size() || (isGroup && at == 0)) // lists and tuples whose kinds differ
            return false;
        if (isGroup)
            m_parting.items.push_back(at - 1);
        return descend(first[at], second[at]);
    }

    bool descend(TermId a, TermId b)
    {
        m_parting.a = a;
        m_parting.b = b;
        return true;
    }

    TermId computed(TermId id) const { return m_terms[id].kind == TermKind::again ? m_terms.children(id)[0] : id; }

    /// Compares the contents of different memory, written by at least one program: descends to the last writes if both are known.
    bool contents(TermId a, TermId b)
    {
        const auto written = [&](TermId id) { return m_terms[id].kind == TermKind::read ? writerOfWhole(m_terms, id) : id; };
        if (written(a).isValid() && written(b).isValid())
            return descend(written(a), written(b));
        const bool areBoth = m_terms[a].kind == TermKind::read && m_terms[b].kind == TermKind::read;
        m_parting.mayBeOverwritten = m_parting.mayBeOverwritten || areBoth;
        return areBoth && descend(placeOf(m_terms, a), placeOf(m_terms, b));
    }

    bool calls(TermId a, TermId b)
    {
        m_parting.kind = Divergence::Kind::call;
        m_parting.calls.emplace_back(a, b);
        m_parting.callA = a;
        m_parting.callB = b;
        m_parting.items.clear();
        const std::span<const TermId> first = m_terms.children(a);
        const std::span<const TermId> second = m_terms.children(b);
        if (!alike(m_terms[a], m_terms[b]) || first[0] != second[0] || first[2] != second[2])
            return false;
        const std::size_t at = firstDifference(first, second, kArguments);
        if (at < first.size()) {
            const std::size_t arguments = firstArgument(m_terms, a);
            m_parting.kind = Divergence::Kind::operand;
            m_parting.argument = at < arguments ? at - kArguments : at - arguments;
            return descend(first[at], second[at]);
        }
        const std::size_t setting = first[kGroupState] != second[kGroupState] ? kGroupState : kRandom;
        if (first[setting] == second[setting]) // their arguments overlap the written memory in different ways
            return false;
        m_parting.kind = setting == kGroupState ? Divergence::Kind::state : Divergence::Kind::random;
        descend(first[setting], second[setting]);
        return false;
    }

    /// Compares two versions of memory. If each program has one write there that the other lacks, descends into these writes.
    bool versions(TermId place, TermId a, TermId b)
    {
        const std::vector<TermId> first = versionsUpTo(m_terms, a);
        const std::vector<TermId> second = versionsUpTo(m_terms, b);
        const auto [one, other] = std::ranges::mismatch(first, second);
        const bool areBoth = one != first.end() && other != second.end();
        // Several writes may cancel each other.
        m_parting.severalWrites = std::max(first.end() - one, second.end() - other) > 1;
        if (areBoth && !m_parting.severalWrites && m_terms.children(*one)[kPlace] == m_terms.children(*other)[kPlace]) {
            const TermId mine = leftBy(*one);
            const TermId theirs = leftBy(*other);
            if (mine.isValid() && theirs.isValid() && mine != theirs) {
                m_parting.places.emplace_back(place, m_terms.children(*one)[kPlace]);
                return descend(mine, theirs);
            }
        }
        m_parting.kind = areBoth ? Divergence::Kind::writes : Divergence::Kind::version;
        m_parting.place = place;
        descend(a, b);
        return false;
    }

    /// Returns the term that a write stores: the call that writes, or the copied content.
    TermId leftBy(TermId version) const
    {
        const std::span<const TermId> written = m_terms.children(version);
        return written[kContent] != TermTable::nothing()     ? written[kContent]
            : m_terms[written[kCall]].kind == TermKind::call ? written[kCall]
                                                             : TermId();
    }

    const TermTable& m_terms;
    Divergence m_parting;
};

} // namespace

TermId writerOfWhole(const TermTable& terms, TermId read)
{
    const std::span<const TermId> seen = terms.children(read); // a place and a version
    const std::span<const TermId> written = terms.children(seen[1]);
    const bool isWhole = terms[seen[1]].kind == TermKind::write && written[kPlace] == seen[0];
    return isWhole && terms[written[kCall]].kind == TermKind::call ? written[kCall] : TermId();
}

bool isOpaqueCall(const TermTable& terms, TermId call)
{
    return terms[call].kind == TermKind::call && terms[terms.children(call)[kRandom]].kind == TermKind::group;
}

std::optional<double> writtenNumber(const TermTable& terms, TermId id)
{
    if (terms[id].kind != TermKind::constant)
        return std::nullopt;
    switch (static_cast<ArgumentKind>(terms[id].detail)) {
    case ArgumentKind::integer: return static_cast<double>(static_cast<std::int64_t>(terms[id].bits));
    case ArgumentKind::floating: return std::bit_cast<double>(terms[id].bits);
    default: return std::nullopt;
    }
}

std::size_t firstArgument(const TermTable& terms, TermId call)
{
    return kArguments + terms[call].detail;
}

std::vector<TermId> versionsUpTo(const TermTable& terms, TermId version)
{
    std::vector<TermId> versions;
    for (; version.isValid() && version != TermTable::nothing(); version = terms.children(version)[0])
        versions.push_back(version);
    std::ranges::reverse(versions);
    return versions;
}

Divergence findParting(const TermTable& terms, TermId a, TermId b)
{
    return Descent(terms, a, b).run();
}

} // namespace sunder
