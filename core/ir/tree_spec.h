#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pytree spec of torch (`torch.utils._pytree.treespec_dumps`): how nested containers are taken apart into leaves.
struct TreeSpec {
    /// `other`: a class that is not one of Python's own containers, or one whose context we cannot read.
    enum class Kind : std::uint8_t { leaf, tuple, list, dict, namedTuple, other } kind = Kind::leaf;
    std::string type;              ///< "builtins.tuple"; of a named tuple: its class
    std::vector<std::string> keys; ///< of a dict, or of a class whose context names its children
    std::vector<TreeSpec> children;

    /// Reads the text of a spec. Nothing when it is malformed or deeper than 200. O(length).
    static std::optional<TreeSpec> parse(std::string_view text);
    /// A tuple of so many leaves.
    static TreeSpec tupleOf(std::size_t leaves);
    /// Arguments of a call: a tuple of so many positional ones, and a dict of none.
    static TreeSpec argumentsOf(std::size_t leaves);

    /// As torch writes it (`treespec_dumps`), dicts with their keys. Empty where something else than tuples, lists and dicts is in
    /// it. O(size).
    [[nodiscard]] std::string text() const;
    /// How many values it is for. O(size).
    [[nodiscard]] std::size_t leafCount() const;
    /// True when there is no `other` in it. O(size).
    [[nodiscard]] bool isKnown() const;
};

/// A spec as a program keeps it: the text, which is written back as it was read, and what it says, read once.
class StoredTreeSpec {
public:
    StoredTreeSpec() = default;
    StoredTreeSpec(std::string text);
    StoredTreeSpec(const char* text) : StoredTreeSpec(std::string(text)) {}
    explicit StoredTreeSpec(const TreeSpec& tree) : StoredTreeSpec(tree.text()) {}

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Null where the text is no spec. Lives as long as this or a copy of it.
    [[nodiscard]] const TreeSpec* tree() const { return m_tree.get(); }

private:
    std::string m_text;
    std::shared_ptr<const TreeSpec> m_tree;
};

} // namespace sunder
