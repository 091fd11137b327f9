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

/// As torch.fx writes it: "call_function".
std::string_view name(Op op);
/// The Op of a torch.fx name; nothing for another text.
std::optional<Op> opOf(std::string_view name);

/// True for call_function, call_module and call_method: what passes tag, move and count.
constexpr bool isCall(Op op)
{
    return op == Op::callFunction || op == Op::callModule || op == Op::callMethod;
}

/// Sizes in bytes as the partitioner counts them: of the output, and of output plus parameters.
struct SizeBytes {
    std::uint64_t output = 0;
    std::uint64_t total = 0;
    InternedString extra = {}; ///< raw JSON object of keys that this version does not know
    friend bool operator==(const SizeBytes&, const SizeBytes&) = default;
};

/// What torch keeps in `node.meta`; a copy of a node shares it. Absent values are empty.
struct NodeMeta {
    std::optional<Argument> val;  ///< what the node computes: tensors, symbols, literals, nested
    InternedString valFrom;       ///< "example_value" when `val` came from there
    StackId modules;              ///< nn_module_stack
    InternedString trace;         ///< stack trace text
    InternedString outType;       ///< meta["type"] as text
    InternedString regionKey;     ///< equal keys: identical for region tracking
    InternedString json;          ///< everything else worth keeping: raw JSON object ("meta" of fx-json)
    SharedValue<std::vector<std::int32_t>> mutated; ///< positions written to, counted among nodes in args
};

/// All that makes a node, as one hands it to a Graph.
struct NodeSpec {
    Op op = Op::callFunction;
    InternedString name;   ///< candidate for create(), exact for append(); empty: from the target
    InternedString target; ///< qualified name of a callable, or the string target
    InternedString fn;     ///< a callable's __name__ where it differs from what follows target's last dot
    Arguments args = {};
    Keywords kwargs = {};
    InternedString type = {}; ///< type expression, as text
    InternedString tag = {};  ///< `node.tag`; not part of meta, node copies do not take it along
    SharedValue<SizeBytes> sizeBytes = {};
    NodeMeta meta = {};
    InternedString extra = {}; ///< raw JSON object of keys that this version does not know
};

/// A node of a Graph. Read freely; change it through the Graph.
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

    /// Only a Graph makes nodes.
    class Key {
        friend class Graph;
        Key() = default;
    };
    Node(NodeSpec&& spec, Key) : NodeSpec(std::move(spec)) {}

private:
    friend class Graph;

    static constexpr std::uint32_t kNone = 0xffffffffU;
    static constexpr std::uint32_t kErased = 0xfffffffeU;
    NodeId m_previous; ///< kErased: the node is not in the list
    NodeId m_next;
    std::uint32_t m_firstUser = kNone; ///< uses of this node by others, in torch's order of `users`
    std::uint32_t m_firstInput = kNone; ///< uses that this node makes of others, in order of first appearance
    std::uint32_t m_userCount = 0;
};
static_assert(sizeof(Node) == 128, "two cache lines; a graph of a million nodes is read and copied often");

/// The name that torch.fx derives from a target when none is given, before it is made unique: `__name__` of a
/// callable, a string without its double underscores; in snake case.
InternedString candidateName(Op op, InternedString target, InternedString fn);

/// torch.fx's snake case: "_" between a lower and an upper letter, then all lower.
std::string snakeCase(std::string_view text);

} // namespace sunder
