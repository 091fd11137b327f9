#pragma once

#include "ir/program.h"
#include "support/diagnostic.h"
#include "support/mix_hash.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sunder {

/// A module call on a stack. Two calls are equal if path, class and call index are.
struct StackedCall {
    InternedString path;
    InternedString cls;  ///< empty for the root
    std::uint32_t call = 0;
};

/// The nn_module_stacks of a program as paths in the module tree. A stack is truncated where a path does not extend the previous
/// one, as in torch.
class ModuleStacks {
public:
    using CallId = Id<struct StackedCallTag>; ///< equal ids: same path, class and call index

    /// Reads the stacks of nodes of the root graph. Adds one note per truncated stack. Fails with ErrorCode::cancelled.
    static Result<ModuleStacks> read(const Program& program, Diagnostics& notes, ProgressMonitor& monitor);

    /// Returns the calls of a stack, outermost first; empty if the file has none.
    [[nodiscard]] std::span<const CallId> of(StackId stack) const
    {
        return std::span(m_callsOf).subspan(m_places[stack.index()].begin, m_places[stack.index()].size);
    }
    /// True for the stack that PyTorch assigns to nodes that may belong to any module.
    [[nodiscard]] bool isAnywhere(StackId stack) const { return m_places[stack.index()].isAnywhere; }
    /// Returns the enclosing calls of a node by its own stack; empty if it has none or if isAnywhere() applies to it.
    [[nodiscard]] std::span<const CallId> ofNode(const Node& node) const
    {
        const StackId stack = node.meta.modules;
        return stack && !isAnywhere(stack) ? of(stack) : std::span<const CallId>();
    }
    /// Returns whether any node is in the module at a path or in its descendants. O(1) after the first call, which is linear.
    [[nodiscard]] bool isCalled(InternedString path) const;
    [[nodiscard]] const StackedCall& call(CallId id) const { return m_calls[id.index()]; }
    /// The first call of the root.
    [[nodiscard]] static CallId rootCall() { return CallId(0U); }
    [[nodiscard]] std::size_t callCount() const { return m_calls.size(); }
    [[nodiscard]] std::size_t maxDepth() const { return m_maxDepth; }
    /// Returns the keys of a stack without call index. A key identifies a module, regardless of the path of the call.
    [[nodiscard]] std::span<const InternedString> keys(StackId stack) const
    {
        return std::span(m_keys).subspan(m_places[stack.index()].begin, m_places[stack.index()].size);
    }

private:
    struct Place {
        std::uint32_t begin = 0; ///< index into m_callsOf and m_keys
        std::uint32_t size = 0;
        bool isAnywhere = false;
    };

    explicit ModuleStacks(std::size_t stackCount);

    Result<void> readAll(const Program& program, Diagnostics& notes, ProgressMonitor& monitor);
    void readStack(const Program& program, StackId stack, NodeId user, Diagnostics& notes);
    CallId callOf(const ModuleFrame& frame);

    std::vector<Place> m_places; ///< per stack
    std::vector<CallId> m_callsOf;
    std::vector<InternedString> m_keys;
    StackId m_last; ///< the stack read last
    std::vector<StackedCall> m_calls;
    struct CallHash {
        std::size_t operator()(const std::pair<std::uint64_t, std::uint32_t>& call) const
        {
            return mixHash(call.first, call.second);
        }
    };
    /// (path and class, call index) → id
    std::unordered_map<std::pair<std::uint64_t, std::uint32_t>, CallId, CallHash> m_callIds;
    std::size_t m_maxDepth = 1;
    mutable std::unordered_set<InternedString> m_paths; ///< paths of all calls; filled by the first isCalled()
};

/// The calls that end and start before a node of the flat graph.
struct CallChange {
    NodeId node;
    std::size_t kept = 0; ///< number of open calls that go on, outermost first; the root is one
    StackId opened; ///< afterward the calls of this stack are open; invalid: only those that go on
};

/// Returns where the calls of a flat graph start and end, in graph order; at the output, all calls end. A node without a stack
/// belongs to the root. Between nodes of one call it stays in that call, since leaving it would split the call. Refuses a
/// placeholder after a call, and a stack that does not begin with the root module. Linear in nodes times the depth of stacks.
Result<std::vector<CallChange>> callChanges(const Graph& flat, const ModuleStacks& stacks);

} // namespace sunder
