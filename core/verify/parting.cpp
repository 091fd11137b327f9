#include "verify/parting.h"

#include <algorithm>

namespace sunder {
namespace {

/// Children of a call before its arguments: target, state, keywords, random numbers.
constexpr std::size_t kState = 1;
constexpr std::size_t kRandom = 3;
constexpr std::size_t kArguments = 4;

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

/// Two calls: true when `parting` says all, false when its operands `a` and `b` are to be looked into.
bool partCalls(const TermTable& terms, Parting& parting)
{
    parting.kind = Parting::Kind::call;
    parting.callA = parting.a;
    parting.callB = parting.b;
    const std::span<const TermId> first = terms.children(parting.a);
    const std::span<const TermId> second = terms.children(parting.b);
    if (!alike(terms[parting.a], terms[parting.b]) || first[0] != second[0] || first[2] != second[2])
        return true;
    const std::size_t at = firstDifference(first, second, kArguments);
    const std::size_t setting = first[kState] != second[kState] ? kState : kRandom;
    const std::size_t part = at < first.size() ? at : setting;
    parting.a = first[part];
    parting.b = second[part];
    if (at < first.size()) {
        parting.kind = Parting::Kind::operand;
        parting.argument = at - kArguments;
        return false;
    }
    parting.kind = setting == kState ? Parting::Kind::state : Parting::Kind::random;
    return true;
}

} // namespace

Parting findParting(const TermTable& terms, TermId a, TermId b)
{
    Parting parting{.a = a, .b = b};
    while (a != b) {
        parting.a = a;
        parting.b = b;
        const bool isRead = terms[a].kind == TermKind::read || terms[b].kind == TermKind::read;
        if (isRead && placeOf(terms, a) == placeOf(terms, b)) {
            parting.kind = Parting::Kind::version;
            parting.place = placeOf(terms, a);
            parting.a = versionOf(terms, a);
            parting.b = versionOf(terms, b);
            return parting;
        }
        if (isRead) {
            a = placeOf(terms, a);
            b = placeOf(terms, b);
            continue;
        }
        const std::span<const TermId> first = terms.children(a);
        if (terms[a].kind != TermKind::call && alike(terms[a], terms[b]) && !first.empty()) {
            const std::size_t at = firstDifference(first, terms.children(b), 0);
            if (at == first.size())
                return parting;
            const TermId next = terms.children(b)[at];
            a = first[at];
            b = next;
            continue;
        }
        if (terms[a].kind != TermKind::call || terms[b].kind != TermKind::call || partCalls(terms, parting))
            return parting;
        a = parting.a;
        b = parting.b;
    }
    return parting;
}

} // namespace sunder
