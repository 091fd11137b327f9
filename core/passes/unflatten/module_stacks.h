#pragma once

#include "ir/program.h"
#include "support/diagnostic.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sunder {

/// One call of a module on a stack. Two are the same when path, class and call index are.
struct StackedCall {
    InternedString path;
    InternedString cls;  ///< empty for the root
    std::uint32_t call = 0;
};

/// The nn_module_stacks of a program as paths down the tree of modules: cut where the next path does not go on from
/// the one before, as torch cuts them.
class ModuleStacks {
public:
    using CallId = Id<struct StackedCallTag>; ///< equal ids: the same path, class and call index

    /// Reads the stacks that nodes of the root graph have. Notes a cut once for each stack. Unfinished once `monitor` was
    /// cancelled.
    ModuleStacks(const Program& program, Diagnostics& notes, ProgressMonitor& monitor);

    /// The calls of a stack, outermost first; empty if the file has none.
    [[nodiscard]] std::span<const CallId> of(StackId stack) const
    {
        return std::span(m_callsOf).subspan(m_places[stack.index()].begin, m_places[stack.index()].size);
    }
    /// True for the stack that torch gives nodes which belong wherever they stand.
    [[nodiscard]] bool isAnywhere(StackId stack) const { return m_places[stack.index()].isAnywhere; }
    /// The calls around a node by its own stack; empty if it has none, or if its stack is the one that isAnywhere().
    [[nodiscard]] std::span<const CallId> ofNode(const Node& node) const
    {
        const StackId stack = node.meta.modules;
        return stack && !isAnywhere(stack) ? of(stack) : std::span<const CallId>();
    }
    /// Whether any node is in the module at a path or below it. O(1) after the first call, which is linear.
    [[nodiscard]] bool isCalled(InternedString path) const;
    [[nodiscard]] const StackedCall& call(CallId id) const { return m_calls[id.index()]; }
    /// The root, called once.
    [[nodiscard]] static CallId rootCall() { return CallId(0U); }
    [[nodiscard]] std::size_t callCount() const { return m_calls.size(); }
    [[nodiscard]] std::size_t maxDepth() const { return m_maxDepth; }
    /// The keys of a stack without call index: what names a module, whatever path it is called by.
    [[nodiscard]] std::span<const InternedString> keys(StackId stack) const
    {
        return std::span(m_keys).subspan(m_places[stack.index()].begin, m_places[stack.index()].size);
    }

private:
    struct Place {
        std::uint32_t begin = 0; ///< into m_callsOf and m_keys
        std::uint32_t size = 0;
        bool isAnywhere = false;
    };

    void read(const Program& program, StackId stack, NodeId user, Diagnostics& notes);
    CallId callOf(const ModuleFrame& frame);

    std::vector<Place> m_places; ///< per stack
    std::vector<CallId> m_callsOf;
    std::vector<InternedString> m_keys;
    StackId m_last; ///< the stack that was read last
    std::vector<StackedCall> m_calls;
    struct CallHash {
        std::size_t operator()(const std::pair<std::uint64_t, std::uint32_t>& call) const
        {
            return (call.first ^ call.second * 0xBF58476D1CE4E5B9ULL) * 0x9E3779B97F4A7C15ULL;
        }
    };
    std::unordered_map<std::pair<std::uint64_t, std::uint32_t>, CallId, CallHash> m_callIds; ///< by path and class, and index
    std::size_t m_maxDepth = 1;
    mutable std::unordered_set<InternedString> m_paths; ///< of all calls; filled by the first isCalled()
};

} // namespace sunder
