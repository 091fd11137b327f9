#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A value described by a pickle. Nothing is imported, called, or constructed: a call is only the name of the function and its
/// arguments. Nested values are indices into the tree.
struct PickleValue {
    enum class Kind : std::uint8_t {
        none,
        boolean,    ///< integer: 0 or 1
        integer,    ///< integer
        floating,   ///< floating
        text,       ///< text
        bytes,      ///< text
        tuple,      ///< items
        list,       ///< items
        set,        ///< items
        dict,       ///< items: key, value, key, value …
        global,     ///< text: "torch._utils _rebuild_tensor_v2"
        call,       ///< items: the function, its arguments
        persistent, ///< items: the key of a value stored outside the pickle
        other,      ///< e.g. an integer beyond 64 bits or a buffer
    };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    double floating = 0;
    std::string text = {};
    std::vector<std::uint32_t> items = {};
    std::vector<std::uint32_t> entries = {}; ///< of a call: items added to its result, as in a list or dict
    std::optional<std::uint32_t> state = {}; ///< of a call: the state set on its result

    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
};

struct PickleTree {
    std::vector<PickleValue> values; ///< values may contain each other in cycles
    std::uint32_t root = 0;

    [[nodiscard]] const PickleValue& operator[](std::uint32_t number) const { return values[number]; }
    /// True if a value is a call of this global, e.g. "collections OrderedDict".
    [[nodiscard]] bool isCall(std::uint32_t number, std::string_view global) const;
    /// Arguments of a call, which are a tuple; null for all other values.
    [[nodiscard]] const std::vector<std::uint32_t>* argumentsOf(std::uint32_t number) const;
};

/// Reads a pickle, protocols 0 to 5, as a description of its values. Malformed, naming the position, if it is invalid, ends
/// early, pops an empty stack, or contains an unknown opcode. Time and memory are linear in its length. Source:
/// Lib/pickletools.py of Python, which documents each opcode.
Result<PickleTree> readPickle(std::string_view bytes);

} // namespace sunder
