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

} // namespace

Parting findParting(const TermTable& terms, TermId a, TermId b)
{
    Parting parting{.a = a, .b = b};
    const auto placeOf = [&](TermId id) { return terms[id].kind == TermKind::read ? terms.children(id)[0] : id; };
    const auto versionOf = [&](TermId id) {
        return terms[id].kind == TermKind::read ? terms.children(id)[1] : TermTable::nothing();
    };
    while (a != b) {
        parting.a = a;
        parting.b = b;
        const bool isRead = terms[a].kind == TermKind::read || terms[b].kind == TermKind::read;
        if (isRead && placeOf(a) == placeOf(b)) {
            parting.kind = Parting::Kind::version;
            parting.place = placeOf(a);
            parting.a = versionOf(a);
            parting.b = versionOf(b);
            return parting;
        }
        if (isRead) {
            a = placeOf(a);
            b = placeOf(b);
            continue;
        }
        const std::span<const TermId> first = terms.children(a);
        const std::span<const TermId> second = terms.children(b);
        if (terms[a].kind != TermKind::call && alike(terms[a], terms[b]) && !first.empty()) {
            const std::size_t at = firstDifference(first, second, 0);
            if (at == first.size())
                return parting;
            a = first[at];
            b = second[at];
            continue;
        }
        if (terms[a].kind != TermKind::call || terms[b].kind != TermKind::call)
            return parting;
        parting.kind = Parting::Kind::call;
        parting.callA = a;
        parting.callB = b;
        if (!alike(terms[a], terms[b]) || first[0] != second[0] || first[2] != second[2])
            return parting;
        const std::size_t at = firstDifference(first, second, kArguments);
        if (at < first.size()) {
            parting.kind = Parting::Kind::operand;
            parting.argument = at - kArguments;
            a = first[at];
            b = second[at];
            continue;
        }
        const std::size_t setting = first[kState] != second[kState] ? kState : kRandom;
        parting.kind = setting == kState ? Parting::Kind::state : Parting::Kind::random;
        parting.a = first[setting];
        parting.b = second[setting];
        return parting;
    }
    return parting;
}

} // namespace sunder
