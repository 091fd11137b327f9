#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pytree spec of PyTorch (`torch.utils._pytree.treespec_dumps`): the structure that flattens nested containers to leaves.
struct TreeSpec {
    /// `other`: a class other than Python's built-in containers, or one whose context cannot be parsed.
    enum class Kind : std::uint8_t { leaf, tuple, list, dict, namedTuple, other } kind = Kind::leaf;
    std::string type;              ///< "builtins.tuple"; for a named tuple: its class
    std::vector<std::string> keys; ///< for a dict, or for a class whose context names its children
    std::vector<TreeSpec> children;

    /// Parses a spec. Returns nothing if it is malformed or nested deeper than 200. O(length).
    static std::optional<TreeSpec> parse(std::string_view text);
    /// Returns a tuple of leaves.
    static TreeSpec tupleOf(std::size_t leaves);
    /// Returns the arguments of a call: a tuple of positional leaves and an empty dict.
    static TreeSpec argumentsOf(std::size_t leaves);

    /// Returns the text that PyTorch writes (`treespec_dumps`), including the keys of dicts. Empty if it contains anything but
    /// tuples, lists, and dicts. O(size).
    [[nodiscard]] std::string text() const;
    /// Returns the number of leaves. O(size).
    [[nodiscard]] std::size_t leafCount() const;
    /// Whether the spec contains no `other`. O(size).
    [[nodiscard]] bool isKnown() const;
};

/// The spec of a program: its original text, which is preserved when written, and its parsed form.
class StoredTreeSpec {
public:
    StoredTreeSpec() = default;
    StoredTreeSpec(std::string text);
    StoredTreeSpec(const char* text) : StoredTreeSpec(std::string(text)) {}
    explicit StoredTreeSpec(const TreeSpec& tree) : StoredTreeSpec(tree.text()) {}

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Null if the text is not a valid spec. Valid for the lifetime of this object or of a copy.
    [[nodiscard]] const TreeSpec* tree() const { return m_tree.get(); }

private:
    std::string m_text;
    std::shared_ptr<const TreeSpec> m_tree;
};

} // namespace sunder
