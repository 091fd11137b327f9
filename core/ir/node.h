#pragma once

#include "ir/argument.h"
#include "support/shared_value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// torch.fx's six kinds of node.
enum class Op : std::uint8_t { placeholder, getAttr, callFunction, callModule, callMethod, output };

/// Returns the torch.fx name: "call_function".
std::string_view name(Op op);
/// Returns the Op with a torch.fx name; nothing for other texts.
std::optional<Op> opOf(std::string_view name);

/// Whether a node is an op: call_function, call_module, or call_method. Passes tag, move, and count ops.
constexpr bool isCall(Op op)
{
    return op == Op::callFunction || op == Op::callModule || op == Op::callMethod;
}

/// Sizes in bytes as counted by the partitioner: of the output, and of output plus parameters.
struct SizeBytes {
    std::uint64_t output = 0;
    std::uint64_t total = 0;
    InternedString extra = {}; ///< raw JSON object of unknown keys
    friend bool operator==(const SizeBytes&, const SizeBytes&) = default;
};

/// Contents of torch.fx's `node.meta`. Copies of a node share them. Absent values are empty.
struct NodeMeta {
    std::optional<Argument> val;  ///< the value of the node: tensors, symbols, literals, nested
    InternedString valFrom;       ///< "example_value" if `val` is from there
    StackId modules;              ///< nn_module_stack
    InternedString trace;         ///< stack trace text
    InternedString outType;       ///< meta["type"] as text
    InternedString regionKey;     ///< nodes with equal keys are identical for region tracking
    InternedString json;          ///< other metadata: raw JSON object ("meta" of fx-json)
    /// Positions of arguments that are written to, counted among the nodes in args.
    SharedValue<std::vector<std::int32_t>> mutated;
};

/// All properties of a new node, for Graph.
struct NodeSpec {
    Op op = Op::callFunction;
    InternedString name;   ///< candidate for create(), exact for append(); if empty, derived from the target
    InternedString target; ///< qualified name of a callable, or the string target
    InternedString fn;     ///< a callable's __name__ if it differs from the last component of target
    Arguments args = {};
    Keywords kwargs = {};
    InternedString type = {}; ///< type expression, as text
    InternedString tag = {};  ///< `node.tag`; not part of the metadata and not copied with a node
    SharedValue<SizeBytes> sizeBytes = {};
    NodeMeta meta = {};
    InternedString extra = {}; ///< raw JSON object of unknown keys
};

/// A node of a Graph. Can be read directly, but changed only through the Graph.
class Node : private NodeSpec {
public:
    using NodeSpec::args;
    using NodeSpec::extra;
    using NodeSpec::fn;
    using NodeSpec::kwargs;
    using NodeSpec::meta;
    using NodeSpec::name;
    using NodeSpec::op;
    using NodeSpec::sizeBytes;
    using NodeSpec::tag;
    using NodeSpec::target;
    using NodeSpec::type;

    [[nodiscard]] bool isErased() const { return m_previous.index() == kErased; }
    [[nodiscard]] std::uint32_t userCount() const { return m_userCount; }
    [[nodiscard]] bool isCall() const { return sunder::isCall(op); }

    /// Restricts construction to Graph.
    class Key {
        friend class Graph;
        Key() = default;
    };
    Node(NodeSpec&& spec, Key) : NodeSpec(std::move(spec)) {}

private:
    friend class Graph;

    static constexpr std::uint32_t kNone = 0xffffffffU;
    static constexpr std::uint32_t kErased = 0xfffffffeU;
    NodeId m_previous; ///< kErased if the node is not in the list
    NodeId m_next;
    std::uint32_t m_firstUser = kNone; ///< uses of this node by others, in torch.fx's order of `users`
    std::uint32_t m_firstInput = kNone; ///< uses of others by this node, in order of first appearance
    std::uint32_t m_userCount = 0;
};
static_assert(sizeof(Node) == 128, "two cache lines; a graph of a million nodes is read and copied often");

/// Returns the name that torch.fx derives from a target before making it unique: `__name__` of a callable, or a string without
/// double underscores, in snake case.
InternedString candidateName(Op op, InternedString target, InternedString fn);

/// Converts to torch.fx's snake case: inserts "_" between a lower- and an uppercase letter, then converts to lowercase.
std::string snakeCase(std::string_view text);

} // namespace sunder
