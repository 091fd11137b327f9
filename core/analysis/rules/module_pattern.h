#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pattern for the modules of a rule, matched against paths that start at the model. `layers.3` matches that module and
/// everything in it, but neither `layers.30` nor `model.layers.3`. Special elements: `3-7` (also `3–7`, `3..7`) matches a number
/// from 3 to 7, `*` any text within an element, `**` any number of elements, including none. `a|b` matches either alternative.
/// Case-sensitive.
class ModulePattern {
public:
    /// Refuses, with a reason in a sentence, empty elements, descending ranges, more than 64 elements, and more than 32
    /// alternatives.
    static Result<ModulePattern> parse(std::string_view text);
    /// Returns whether a path matches. O(elements of the path × of the pattern).
    [[nodiscard]] bool matches(std::string_view path) const;

private:
    struct Element {
        enum class Kind : std::uint8_t { text, range, any } kind = Kind::text;
        std::string text = {};
        std::uint64_t from = 0;
        std::uint64_t to = 0;
    };
    using Elements = std::vector<Element>;

    static Result<Elements> parsePath(std::string_view text);
    static Result<Element> parseElement(std::string_view text);
    [[nodiscard]] static bool isElement(const Element& element, std::string_view text);
    [[nodiscard]] static bool startsWith(const Elements& elements, std::string_view path);

    std::vector<Elements> m_alternatives;
};

} // namespace sunder
