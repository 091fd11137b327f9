#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Which modules a rule is about, by their paths from the model itself. `layers.3` is that module and what is in it, and not
/// `layers.30` nor `model.layers.3`. In the place of an element: `3-7` (also `3–7`, `3..7`) is a number from 3 to 7, `*` any text
/// within it, `**` any number of elements, none included. `a|b`: one of several. Case counts.
class ModulePattern {
public:
    /// Refuses, with a sentence, empty elements, ranges that run backwards, and more than 64 elements or 32 alternatives.
    static Result<ModulePattern> parse(std::string_view text);
    /// O(elements of the path × of the pattern).
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
