#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <vector>

namespace sunder {

/// One entry of a TagReport, as numbers that do not depend on the tags of the program, so that the effect of a fix can be
/// computed as a set difference.
struct Finding {
    enum class Kind : std::uint8_t {
        untagged,   ///< a: call
        unknownTag, ///< a: call
        backward,   ///< a: edge
        circle,     ///< a: id of the name of a tag in a dependency cycle
        order,      ///< a: index of a OrderDependency
        region,     ///< a: call
        nonTensor,  ///< a: call
        shared,     ///< a: memory, b: index of the copy
        emptyTag,   ///< a: id of the name
        twiceTag,   ///< a: id of the name
        island,     ///< a: call
        overflow,   ///< a: device
        copies,     ///< a: written memory, b: id of the name of the tag with the outdated copy; kResult: the program's result
        boundValue, ///< a: call
        cutRegion,  ///< a: setter that other parts cannot repeat
        repeated,   ///< a: setter that other parts repeat
    } kind = Kind::untagged;
    static constexpr std::uint32_t kResult = 0xffffffffU;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    friend auto operator<=>(const Finding&, const Finding&) = default;
};

/// Sorted.
using Findings = std::vector<Finding>;

/// Returns the findings that are not among `others`.
inline Findings without(const Findings& findings, const Findings& others)
{
    Findings rest;
    std::ranges::set_difference(findings, others, std::back_inserter(rest));
    return rest;
}

} // namespace sunder
