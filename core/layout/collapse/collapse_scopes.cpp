#include "layout/collapse/collapse_scopes.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace sunder::collapse {
namespace {

/// What torch.export.load puts on nodes whose module it does not know.
constexpr std::string_view kNoModule = "_empty_nn_module_stack_from_metadata_hook";

Index callIndexOf(std::string_view key)
{
    const std::size_t at = key.rfind('@');
    Index call = 0;
    if (at == std::string_view::npos)
        return 0;
    const char* end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data() + at + 1, end, call);
    return error == std::errc() && rest == end ? call : 0;
}

/// The module at `path` is that at `within`, or one around it.
bool holds(std::string_view path, std::string_view within)
{
    return !path.empty() && within.substr(0, path.size()) == path && (within.size() == path.size() || within[path.size()] == '.');
}

struct ScopeName {
    Index parent;
    Index path;
    Index call;
    friend bool operator==(const ScopeName&, const ScopeName&) = default;
};

struct ScopeNameHash {
    std::size_t operator()(const ScopeName& name) const
    {
        std::uint64_t hash = name.parent * 0x9E3779B97F4A7C15ULL;
        hash = (hash ^ name.path) * 0xBF58476D1CE4E5B9ULL;
        return (hash ^ name.call) * 0x94D049BB133111EBULL;
    }
};

} // namespace

Index ScopeTree::childOf(Index outer, Index inner) const
{
    while (scopes[inner].depth > scopes[outer].depth + 1)
        inner = scopes[inner].parent;
    return inner;
}

Index ScopeTree::commonOf(Index a, Index b) const
{
    while (a != b) {
        if (scopes[a].depth >= scopes[b].depth)
            a = scopes[a].parent;
        else
            b = scopes[b].parent;
    }
    return a;
}

ScopeTree scopesOf(const Program& program, std::string_view within)
{
    ScopeTree tree;
    tree.scopes.push_back({});
    tree.ofStack.reserve(program.stacks.size());
    std::unordered_map<ScopeName, Index, ScopeNameHash> known;
    for (const ModuleStack& stack : program.stacks) {
        Index scope = kNone;
        for (const ModuleFrame& frame : stack) {
            if (frame.path.view() == kNoModule)
                continue;
            if (scope == kNone)
                scope = 0;
            if (holds(frame.path.view(), within))
                continue;
            const Index call = callIndexOf(frame.key.view());
            const Scope& outer = tree.scopes[scope];
            const bool isSame = frame.path == outer.path && call == outer.call;
            if (frame.path.empty() || isSame || outer.depth >= ScopeTree::kMaxDepth)
                continue;
            const auto [found, isNew] = known.try_emplace({scope, frame.path.id(), call}, tree.scopes.size());
            if (isNew) {
                const Index depth = outer.depth + 1;
                tree.scopes.push_back({scope, depth, frame.path, call, frame.cls});
            }
            scope = found->second;
        }
        tree.ofStack.push_back(scope);
    }
    return tree;
}

} // namespace sunder::collapse
