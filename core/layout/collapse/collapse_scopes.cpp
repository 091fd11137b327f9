#include "layout/collapse/collapse_scopes.h"

#include "ir/module_tree.h"
#include "ir/reader_stacks.h"
#include "layout/picture/item_text.h"
#include "support/mix_hash.h"
#include "support/progress_monitor.h"
#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <unordered_map>

namespace sunder::collapse {
namespace {

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

struct ScopeName {
    Index parent;
    Index path;
    Index call;
    friend bool operator==(const ScopeName&, const ScopeName&) = default;
};

struct ScopeNameHash {
    std::size_t operator()(const ScopeName& name) const { return mixHash(mixHash(name.parent, name.path), name.call); }
};

/// Creates the scopes of module stacks. Consecutive stacks share a prefix, so the scopes of the previous stack are reused.
class StackScopes {
public:
    StackScopes(ScopeTree& tree, std::string_view within) : m_tree(tree), m_within(within) {}

    Index of(const ModuleStack& stack)
    {
        bool isAlike = true;
        Index scope = kNone;
        for (std::size_t i = 0; i < stack.size(); ++i) {
            isAlike = isAlike && i < m_last.size() && stack[i] == m_last[i];
            if (!isAlike) {
                m_scopes.resize(i);
                m_scopes.push_back(below(scope, stack[i]));
            }
            scope = m_scopes[i];
        }
        m_last = stack;
        return scope;
    }

private:
    /// The scope of a frame inside another scope; kNone as long as no frame names a module.
    Index below(Index scope, const ModuleFrame& frame)
    {
        if (frame.path.view() == kNoModulePath)
            return scope;
        if (scope == kNone)
            scope = 0;
        if (!frame.path.view().empty() && isWithin(m_within, frame.path.view()))
            return scope;
        const Index call = callIndexOf(frame.key.view());
        const Scope& outer = m_tree.scopes[scope];
        const bool isSame = frame.path == outer.path && call == outer.call;
        if (frame.path.empty() || isSame || outer.depth >= ScopeTree::kMaxDepth)
            return scope;
        const auto [found, isNew] = m_known.try_emplace({scope, frame.path.id(), call}, m_tree.scopes.size());
        if (isNew) {
            const Index depth = outer.depth + 1;
            m_tree.scopes.push_back({scope, depth, depth, frame.path, call, frame.cls});
        }
        return found->second;
    }

    ScopeTree& m_tree;
    std::string_view m_within;
    std::unordered_map<ScopeName, Index, ScopeNameHash> m_known;
    std::span<const ModuleFrame> m_last; ///< previous stack
    std::vector<Index> m_scopes;         ///< per frame of it
};

/// Returns the enclosing list element of a path, e.g. "down.3" for "down.3.0". Empty if its name is not a number or the element
/// is not below `outer`.
std::string_view listElementOf(std::string_view path, std::string_view outer)
{
    const std::size_t end = path.rfind('.');
    if (end == std::string_view::npos)
        return {};
    const std::string_view element = path.substr(0, end);
    const std::size_t dot = element.rfind('.');
    const std::string_view number = element.substr(dot == std::string_view::npos ? 0 : dot + 1);
    const bool isBelow = outer.empty() || (element.size() > outer.size() && isWithin(element, outer));
    return isBelow && !number.empty() && std::all_of(number.begin(), number.end(), isAsciiDigit) ? element : std::string_view();
}

/// Inserts list elements between modules and their enclosing modules.
class ListElements {
public:
    /// Skips the list element at `within` and its enclosing elements.
    ListElements(ScopeTree& tree, std::string_view within) : m_tree(tree), m_within(within) {}

    Result<void> insert(StepMonitor& steps)
    {
        SUNDER_PROPAGATE(find(steps));
        std::vector<Index> placeOf{0};
        std::vector<Scope> scopes{m_tree.scopes.front()};
        for (Index i = 1; i < m_tree.scopes.size(); ++i) {
            SUNDER_PROPAGATE(steps.step());
            Scope scope = m_tree.scopes[i];
            scope.parent = placeOf[scope.parent];
            if (m_elementOf[i] != kNone) {
                Element& element = m_elements[m_elementOf[i]];
                if (element.place == kNone) {
                    element.place = static_cast<Index>(scopes.size());
                    const Scope& outer = scopes[scope.parent];
                    scopes.push_back({.parent = scope.parent,
                                      .depth = outer.depth + 1,
                                      .calls = outer.calls,
                                      .path = element.path,
                                      .call = scope.call,
                                      .cls = classOf(element)});
                }
                scope.parent = element.place;
            }
            scope.depth = scopes[scope.parent].depth + 1;
            placeOf.push_back(static_cast<Index>(scopes.size()));
            scopes.push_back(scope);
        }
        m_tree.scopes = std::move(scopes);
        for (Index& scope : m_tree.ofStack)
            scope = scope == kNone ? kNone : placeOf[scope];
        return {};
    }

private:
    struct Element {
        InternedString path;
        std::vector<InternedString> classes; ///< distinct, in order of appearance
        Index members = 0;
        Index place = kNone; ///< index in the new scope table
    };

    /// Fills the table of elements and drops those with only one member, which add no information. A path that is called itself
    /// is not a list element, even if others call modules inside it.
    Result<void> find(StepMonitor& steps)
    {
        std::unordered_map<ScopeName, Index, ScopeNameHash> known;
        for (const Scope& scope : m_tree.scopes) {
            SUNDER_PROPAGATE(steps.step());
            known.emplace(ScopeName{scope.parent, scope.path.id(), scope.call}, kNone);
        }
        m_elementOf.assign(m_tree.scopes.size(), kNone);
        for (Index i = 1; i < m_tree.scopes.size(); ++i) {
            SUNDER_PROPAGATE(steps.step());
            const Scope& scope = m_tree.scopes[i];
            const std::string_view path = listElementOf(scope.path.view(), m_tree.scopes[scope.parent].path.view());
            if (path.empty() || isWithin(m_within, path))
                continue;
            const InternedString name = InternedString::of(path);
            const auto [found, isNew] = known.try_emplace({scope.parent, name.id(), scope.call}, m_elements.size());
            if (found->second == kNone)
                continue;
            if (isNew)
                m_elements.push_back({.path = name});
            Element& element = m_elements[found->second];
            ++element.members;
            if (std::find(element.classes.begin(), element.classes.end(), scope.cls) == element.classes.end()
                && element.classes.size() <= kMaxClasses)
                element.classes.push_back(scope.cls);
            m_elementOf[i] = found->second;
        }
        for (Index& element : m_elementOf) {
            if (element != kNone && m_elements[element].members < 2)
                element = kNone;
        }
        return {};
    }

    static InternedString classOf(const Element& element)
    {
        if (element.classes.size() == 1)
            return InternedString::of(std::to_string(element.members) + " × "
                                      + std::string(shortClass(element.classes.front().view())));
        std::string text;
        for (std::size_t i = 0; i < std::min(element.classes.size(), kMaxClasses); ++i)
            text += (i > 0 ? " + " : "") + std::string(shortClass(element.classes[i].view()));
        return InternedString::of(element.classes.size() > kMaxClasses ? text + " + …" : text);
    }

    static constexpr std::size_t kMaxClasses = 2;
    ScopeTree& m_tree;
    std::string_view m_within;
    std::vector<Element> m_elements;
    std::vector<Index> m_elementOf; ///< per scope
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

Result<ScopeTree> scopesOf(const Program& program, std::string_view within, ProgressMonitor& monitor)
{
    ScopeTree tree;
    tree.scopes.push_back({});
    tree.ofStack.reserve(program.stacks.size());
    StackScopes scopes(tree, within);
    StepMonitor steps(monitor);
    for (const ModuleStack& stack : program.stacks) {
        SUNDER_PROPAGATE(steps.step());
        tree.ofStack.push_back(scopes.of(stack));
    }
    SUNDER_PROPAGATE(ListElements(tree, within).insert(steps));
    return tree;
}

} // namespace sunder::collapse
