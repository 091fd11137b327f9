#pragma once

#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A value that a pickle describes. Nothing is imported, called or built: a call stays the name of what would be
/// called and its arguments. Other values are numbers into the tree.
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
        call,       ///< items: what is called, its arguments
        persistent, ///< items: what stands for a value that is kept outside
        other,      ///< a number beyond 64 bits, a buffer
    };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    double floating = 0;
    std::string text = {};
    std::vector<std::uint32_t> items = {};
    std::vector<std::uint32_t> entries = {}; ///< of a call: what is put into its result, as in a list or dict
    std::optional<std::uint32_t> state = {}; ///< of a call: the state that its result is set to

    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
};

struct PickleTree {
    std::vector<PickleValue> values; ///< values may hold each other in circles
    std::uint32_t root = 0;

    [[nodiscard]] const PickleValue& operator[](std::uint32_t number) const { return values[number]; }
    /// Whether a value is the call of a global: "collections OrderedDict".
    [[nodiscard]] bool isCall(std::uint32_t number, std::string_view global) const;
    /// Arguments of a call that are a tuple; null for every other value.
    [[nodiscard]] const std::vector<std::uint32_t>* argumentsOf(std::uint32_t number) const;
};

/// Walks the opcodes of a pickle, protocols 0 to 5, and notes what they describe. Malformed when it is none, ends early,
/// takes from an empty stack or holds an opcode that is not known, naming the place. Time and memory are linear in its
/// length. Source: Lib/pickletools.py of Python, which says what each opcode does.
Result<PickleTree> readPickle(std::string_view bytes);

} // namespace sunder
