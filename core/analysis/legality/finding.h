#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <vector>

namespace sunder {

/// One thing that a TagReport says, as numbers that are the same for all tags of a program: what a repair removes and adds.
struct Finding {
    enum class Kind : std::uint8_t {
        untagged,   ///< a: call
        unknownTag, ///< a: call
        backward,   ///< a: edge
        circle,     ///< a: id of the name of a tag that needs another one and is needed by it
        order,      ///< a: hidden order
        region,     ///< a: call
        nonTensor,  ///< a: call
        shared,     ///< a: memory, b: which of its copies
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

/// Those of the first that are not among the second.
inline Findings without(const Findings& findings, const Findings& others)
{
    Findings rest;
    std::ranges::set_difference(findings, others, std::back_inserter(rest));
    return rest;
}

} // namespace sunder
