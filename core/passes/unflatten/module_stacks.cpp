#include "passes/unflatten/module_stacks.h"

#include "passes/unflatten/module_objects.h"

#include <charconv>

namespace sunder {
namespace {

/// The call index behind the last "@" of a key; 0 when there is none.
std::uint32_t callIndex(std::string_view key)
{
    const std::size_t at = key.rfind('@');
    std::uint32_t index = 0;
    if (at != std::string_view::npos)
        std::from_chars(key.data() + at + 1, key.data() + key.size(), index);
    return index;
}

/// How many calls of a stack are a path: each text begins with the one before. torch compares texts, not parts of
/// paths, so "mid" may be followed by "midway.leaf"; such a stack is refused later.
std::size_t validDepth(const ModuleStack& stack)
{
    std::size_t valid = 1;
    std::string_view before = withoutCall(stack.front().path.view());
    for (; valid < stack.size(); ++valid) {
        const std::string_view next = withoutCall(stack[valid].path.view());
        if (next.size() <= before.size() || !next.starts_with(before))
            break;
        before = next;
    }
    return valid;
}

} // namespace

ModuleStacks::ModuleStacks(const Program& program, Diagnostics& notes)
    : m_stacks(program.stacks.size()), m_keys(program.stacks.size()), m_anywhere(program.stacks.size())
{
    m_calls.push_back({});
    m_callIds.emplace(std::pair(std::uint64_t{0}, 0U), rootCall());
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const StackId stack = graph.node(id).meta.modules;
        if (stack && m_stacks[stack.index()].empty() && !program.stacks[stack.index()].empty())
            read(program, stack, id, notes);
    }
}

void ModuleStacks::read(const Program& program, StackId id, NodeId user, Diagnostics& notes)
{
    const ModuleStack& stack = program.stacks[id.index()];
    m_anywhere[id.index()] = stack.size() == 1 && stack.front().key.view() == "_empty_nn_module_stack_from_metadata_hook";
    const std::size_t valid = validDepth(stack);
    m_stacks[id.index()].reserve(valid);
    m_keys[id.index()].reserve(valid);
    for (std::size_t i = 0; i < valid; ++i) {
        const ModuleFrame& frame = stack[i];
        const InternedString cls = frame.path.empty() ? InternedString() : frame.cls;
        const std::uint32_t call = callIndex(frame.key.view());
        const std::uint64_t module = static_cast<std::uint64_t>(frame.path.id()) << 32U | cls.id();
        const auto [known, isNew] = m_callIds.emplace(std::pair(module, call), CallId(m_calls.size()));
        if (isNew)
            m_calls.push_back({frame.path, cls, call});
        m_stacks[id.index()].push_back(known->second);
        const std::string_view key = withoutCall(frame.key.view());
        m_keys[id.index()].push_back(key.size() == frame.key.view().size() ? frame.key : intern(key));
    }
    m_maxDepth = std::max(m_maxDepth, valid);
    if (valid == stack.size())
        return;
    const std::string node = program.rootGraph().node(user).name.str();
    notes.push_back({Severity::warning,
                     "the module stack of " + node + " is no path from " + stack[valid - 1].path.str() + " to "
                         + stack[valid].path.str() + ": its last "
                         + std::to_string(stack.size() - valid) + " of " + std::to_string(stack.size())
                         + " entries are not used",
                     {.node = node, .other = stack[valid].path.str()}});
}

} // namespace sunder
