#include "passes/unflatten/module_stacks.h"

#include "ir/reader_stacks.h"
#include "passes/unflatten/module_objects.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <charconv>

namespace sunder {
namespace {

/// Returns the call index after the last "@" of a key; 0 if there is none.
std::uint32_t callIndex(std::string_view key)
{
    const std::size_t at = key.rfind('@');
    std::uint32_t index = 0;
    if (at != std::string_view::npos)
        std::from_chars(key.data() + at + 1, key.data() + key.size(), index);
    return index;
}

/// Returns whether one call of a stack may follow another: its path must have the other as a prefix. torch compares text, not
/// path components, so "mid" may be followed by "midway.leaf"; such a stack is refused later.
bool mayFollow(InternedString from, InternedString to)
{
    const std::string_view before = withoutCall(from.view());
    const std::string_view next = withoutCall(to.view());
    return next.size() > before.size() && next.starts_with(before);
}

} // namespace

ModuleStacks::ModuleStacks(std::size_t stackCount) : m_places(stackCount)
{
    m_calls.reserve(stackCount + 1);
    m_callIds.reserve(stackCount + 1);
    m_callsOf.reserve(4 * stackCount);
    m_keys.reserve(4 * stackCount);
    m_calls.push_back({});
    m_callIds.emplace(std::pair(std::uint64_t{0}, 0U), rootCall());
}

Result<ModuleStacks> ModuleStacks::read(const Program& program, Diagnostics& notes, ProgressMonitor& monitor)
{
    ModuleStacks stacks(program.stacks.size());
    SUNDER_PROPAGATE(stacks.readAll(program, notes, monitor));
    return stacks;
}

Result<void> ModuleStacks::readAll(const Program& program, Diagnostics& notes, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    StackId before;
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        const StackId stack = graph.node(id).meta.modules;
        if (stack == before || !stack)
            continue;
        before = stack;
        const StackId stated = program.statedStack(graph.node(id));
        if (stated && m_places[stated.index()].size == 0 && !program.stacks[stated.index()].empty())
            readStack(program, stated, id, notes);
        if (stated && stated != stack)
            m_places[stack.index()] = m_places[stated.index()];
    }
    return {};
}

bool ModuleStacks::isCalled(InternedString path) const
{
    if (m_paths.empty())
        for (const StackedCall& call : m_calls)
            m_paths.insert(call.path);
    return m_paths.contains(path);
}

/// Consecutive nodes have stacks with common prefixes, which are not parsed again.
void ModuleStacks::readStack(const Program& program, StackId id, NodeId user, Diagnostics& notes)
{
    const ModuleStack& stack = program.stacks[id.index()];
    const std::span<const ModuleFrame> last = m_last ? std::span(program.stacks[m_last.index()]) : std::span<const ModuleFrame>();
    const Place known = m_last ? m_places[m_last.index()] : Place();
    const auto begin = static_cast<std::uint32_t>(m_callsOf.size());
    bool isAlike = true;
    std::size_t valid = 0;
    for (; valid < stack.size(); ++valid) {
        const ModuleFrame& frame = stack[valid];
        isAlike = isAlike && valid < known.size && frame == last[valid];
        if (isAlike) {
            m_callsOf.push_back(m_callsOf[known.begin + valid]);
            m_keys.push_back(m_keys[known.begin + valid]);
            continue;
        }
        if (valid > 0 && !mayFollow(stack[valid - 1].path, frame.path))
            break;
        m_callsOf.push_back(callOf(frame));
        const std::string_view key = withoutCall(frame.key.view());
        m_keys.push_back(key.size() == frame.key.view().size() ? frame.key : intern(key));
    }
    m_places[id.index()] = {begin, static_cast<std::uint32_t>(valid),
                            stack.size() == 1 && stack.front().key.view() == kNoModulePath};
    m_last = id;
    m_maxDepth = std::max(m_maxDepth, valid);
    if (valid == stack.size())
        return;
    const std::string node = program.rootGraph().node(user).name.str();
    notes.push_back({Severity::warning,
                     "the module stack of " + node + " is not a path from " + stack[valid - 1].path.str() + " to "
                         + stack[valid].path.str() + "; its last " + std::to_string(stack.size() - valid) + " of "
                         + std::to_string(stack.size()) + " entries are ignored",
                     {.node = node, .other = stack[valid].path.str()}});
}

ModuleStacks::CallId ModuleStacks::callOf(const ModuleFrame& frame)
{
    const InternedString cls = frame.path.empty() ? InternedString() : frame.cls;
    const std::uint32_t call = callIndex(frame.key.view());
    const std::uint64_t module = static_cast<std::uint64_t>(frame.path.id()) << 32U | cls.id();
    const auto [known, isNew] = m_callIds.emplace(std::pair(module, call), CallId(m_calls.size()));
    if (isNew)
        m_calls.push_back({frame.path, cls, call});
    return known->second;
}

namespace {

class CallFinder {
public:
    CallFinder(const Graph& flat, const ModuleStacks& stacks) : m_flat(flat), m_stacks(stacks) {}

    Result<std::vector<CallChange>> run()
    {
        NodeId id = m_flat.first();
        while (id && m_flat.node(id).op == Op::placeholder)
            id = m_flat.next(id);
        for (; id && m_flat.node(id).op != Op::output; id = m_flat.next(id))
            SUNDER_PROPAGATE(visit(id));
        if (m_open.size() > 1)
            m_changes.push_back({.node = id, .kept = 1, .opened = {}});
        return std::move(m_changes);
    }

private:
    Result<void> visit(NodeId id)
    {
        const Node& node = m_flat.node(id);
        m_isAheadKnown = m_isAheadKnown && id != m_ahead;
        if (node.op == Op::placeholder)
            return fail(ErrorCode::refused, "placeholder " + node.name.str() + " comes after a call", {.node = node.name.str()});
        const StackId stack = node.meta.modules;
        if (stack && (stack == m_current || m_stacks.isAnywhere(stack)))
            return {};
        const std::span<const ModuleStacks::CallId> wanted = m_stacks.ofNode(node);
        if (wanted.empty()) {
            change(id, std::max<std::size_t>(1, common(callsAhead(id))), {}, m_open.size());
            return {};
        }
        const std::size_t kept = common(wanted);
        if (kept == 0)
            return fail(ErrorCode::refused, "the nn_module_stack of " + node.name.str() + " does not start with the root module",
                        {.node = node.name.str()});
        change(id, kept, stack, wanted.size());
        m_open.insert(m_open.end(), wanted.begin() + static_cast<std::ptrdiff_t>(kept), wanted.end());
        m_current = stack;
        return {};
    }

    /// Closes calls; the caller opens those of a stack of `depth` calls.
    void change(NodeId id, std::size_t kept, StackId stack, std::size_t depth)
    {
        if (kept == m_open.size() && depth <= kept)
            return;
        m_changes.push_back({id, kept, stack});
        m_open.resize(kept);
        m_current = {};
    }

    [[nodiscard]] std::size_t common(std::span<const ModuleStacks::CallId> calls) const
    {
        return static_cast<std::size_t>(std::ranges::mismatch(calls, m_open).in1 - calls.begin());
    }

    /// Returns the calls of the first node with a stack after a node without one.
    std::span<const ModuleStacks::CallId> callsAhead(NodeId id)
    {
        if (!m_isAheadKnown) {
            m_ahead = m_flat.next(id);
            while (m_ahead && m_stacks.ofNode(m_flat.node(m_ahead)).empty())
                m_ahead = m_flat.next(m_ahead);
            m_isAheadKnown = true;
        }
        return m_ahead ? m_stacks.ofNode(m_flat.node(m_ahead)) : std::span<const ModuleStacks::CallId>();
    }

    const Graph& m_flat;
    const ModuleStacks& m_stacks;
    std::vector<CallChange> m_changes;
    std::vector<ModuleStacks::CallId> m_open{ModuleStacks::rootCall()};
    StackId m_current; ///< the stack of the open calls; invalid if unknown
    NodeId m_ahead;    ///< the next node with a stack; invalid: none
    bool m_isAheadKnown = false;
};

} // namespace

Result<std::vector<CallChange>> callChanges(const Graph& flat, const ModuleStacks& stacks)
{
    return CallFinder(flat, stacks).run();
}

} // namespace sunder
