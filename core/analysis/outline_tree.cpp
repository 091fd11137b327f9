#include "analysis/outline_tree.h"

#include "analysis/sizes.h"
#include "ir/reader_stacks.h"
#include "support/format.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

std::string_view lastPart(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string_view parentPath(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

/// Returns the short target of a node, or nothing if the node's name says the same ("linear_3" is a linear).
InternedString whatItDoes(const Node& node)
{
    if (!node.isCall())
        return intern(name(node.op));
    const std::string_view what = shortTarget(node.target.view());
    const std::string_view called = node.name.view();
    const bool isCopy = called.starts_with(what)
        && called.find_first_not_of("_0123456789", what.size()) == std::string_view::npos;
    return isCopy ? InternedString() : intern(what);
}

class Building {
public:
    Building(const Program& program, std::string_view rootName) : m_program(program), m_graph(program.rootGraph())
    {
        m_tree.entryOf.assign(m_graph.idBound(), -1);
        m_tree.entries.push_back({.name = intern(rootName)});
        m_modules.emplace(std::string_view(), 0);
        const ModuleTree& modules = program.modules;
        setClass(0, modules[ModuleTree::root()].cls.view());
    }

    OutlineTree build()
    {
        const std::vector<TensorId> tensors = tensorsOfNodes(m_program);
        const auto tensorOf = [&](NodeId id) { return id.index() < tensors.size() ? tensors[id.index()] : TensorId(); };
        for (const NodeId id : orderByReaders(m_program, m_graph))
            if (!tensorOf(id) && m_graph[id].op != Op::output)
                addNode(id, moduleOf(id));
        for (const NodeId id : m_graph.nodes())
            if (const TensorId tensor = tensorOf(id))
                addParameter(id, m_program.tensors[tensor].fqn.view());
        if (const NodeId output = m_graph.output())
            addNode(output, 0);
        groupFreeNodes();
        number();
        return std::move(m_tree);
    }

private:
    std::int32_t moduleOf(NodeId id)
    {
        const Node& node = m_graph[id];
        const ModuleStack& stack = m_program.stackOf(node);
        std::string_view path;
        for (const ModuleFrame& frame : stack) {
            if (frame.path.view().find(kNoModulePath) != std::string_view::npos)
                continue;
            path = frame.path.view();
            setClass(module(path), frame.cls.view());
        }
        if (stack.empty() && node.op == Op::callModule)
            path = parentPath(node.target.view());
        return module(path);
    }

    std::int32_t module(std::string_view path)
    {
        if (const auto known = m_modules.find(path); known != m_modules.end())
            return known->second;
        // Path depth is controlled by the file, so iterate from the root: recursion could overflow the stack.
        std::int32_t at = 0;
        for (std::size_t from = 0; from != std::string_view::npos;) {
            const std::size_t dot = path.find('.', from);
            const std::string_view part = path.substr(0, dot);
            const auto known = m_modules.find(part);
            at = known != m_modules.end() ? known->second : addModule(intern(part), at);
            from = dot == std::string_view::npos ? dot : dot + 1;
        }
        return at;
    }

    std::int32_t addModule(InternedString path, std::int32_t parent)
    {
        const std::int32_t entry = add({.parent = parent, .name = intern(lastPart(path.view())), .path = path});
        m_modules.emplace(path.view(), entry);
        const ModuleTree& modules = m_program.modules;
        if (const ModuleId id = modules.find(path))
            setClass(entry, modules[id].cls.view());
        return entry;
    }

    void setClass(std::int32_t entry, std::string_view cls)
    {
        OutlineTree::Entry& module = m_tree.entries[static_cast<std::size_t>(entry)];
        if (module.cls.empty() && !cls.empty())
            module.cls = intern(lastPart(cls));
    }

    void addNode(NodeId id, std::int32_t parent)
    {
        const Node& node = m_graph[id];
        m_tree.entryOf[id.index()] = add(
            {.kind = OutlineTree::Kind::node, .parent = parent, .name = node.name, .cls = whatItDoes(node), .node = id});
    }

    void addParameter(NodeId id, std::string_view fqn)
    {
        m_tree.entryOf[id.index()] = add(
            {.kind = OutlineTree::Kind::parameter, .parent = module(parentPath(fqn)), .name = intern(lastPart(fqn)), .node = id});
    }

    std::int32_t add(OutlineTree::Entry entry)
    {
        const auto id = static_cast<std::int32_t>(m_tree.entries.size());
        auto& siblings = m_tree.entries[static_cast<std::size_t>(entry.parent)].children;
        entry.row = static_cast<std::int32_t>(siblings.size());
        siblings.push_back(id);
        m_tree.entries.push_back(std::move(entry));
        return id;
    }

    /// Groups the nodes of modules that contain other modules, so that these stay in view.
    void groupFreeNodes()
    {
        const std::size_t count = m_tree.entries.size();
        for (std::size_t entry = 0; entry < count; ++entry) {
            const std::vector<std::int32_t> children = m_tree.entries[entry].children;
            if (std::ranges::none_of(children, [&](std::int32_t child) { return kindOf(child) == OutlineTree::Kind::module; }))
                continue;
            m_tree.entries[entry].children.clear();
            for (std::size_t i = 0; i < children.size();) {
                std::size_t end = i;
                while (end < children.size() && kindOf(children[end]) == OutlineTree::Kind::node)
                    ++end;
                const bool isGroup = end - i >= OutlineTree::kMinGroup;
                const std::int32_t parent = isGroup
                    ? addGroup(static_cast<std::int32_t>(entry), children[i], children[end - 1], end - i)
                    : static_cast<std::int32_t>(entry);
                for (end = std::max(end, i + 1); i < end; ++i)
                    append(children[i], parent);
            }
        }
    }

    [[nodiscard]] OutlineTree::Kind kindOf(std::int32_t entry) const
    {
        return m_tree.entries[static_cast<std::size_t>(entry)].kind;
    }

    std::int32_t addGroup(std::int32_t parent, std::int32_t first, std::int32_t last, std::size_t count)
    {
        const auto nameOf = [&](std::int32_t entry) { return m_tree.entries[static_cast<std::size_t>(entry)].name.str(); };
        return add({.kind = OutlineTree::Kind::group,
                    .parent = parent,
                    .name = intern(nameOf(first) + " … " + nameOf(last)),
                    .cls = intern(formatCount(count, "node"))});
    }

    void append(std::int32_t child, std::int32_t parent)
    {
        std::vector<std::int32_t>& siblings = m_tree.entries[static_cast<std::size_t>(parent)].children;
        OutlineTree::Entry& entry = m_tree.entries[static_cast<std::size_t>(child)];
        entry.parent = parent;
        entry.row = static_cast<std::int32_t>(siblings.size());
        siblings.push_back(child);
    }

    /// Numbers nodes so that each subtree is contiguous. Uses an explicit stack since the file controls the depth.
    void number()
    {
        struct Frame {
            std::int32_t entry;
            std::size_t next;
        };
        std::vector<Frame> stack{{0, 0}};
        while (!stack.empty()) {
            Frame& frame = stack.back();
            OutlineTree::Entry& entry = m_tree.entries[static_cast<std::size_t>(frame.entry)];
            if (frame.next == 0) {
                entry.begin = static_cast<std::uint32_t>(m_tree.nodes.size());
                if (entry.node) {
                    m_tree.nodes.push_back(entry.node);
                    entry.calls = m_graph[entry.node].isCall() ? 1 : 0;
                }
            }
            if (frame.next < entry.children.size()) {
                stack.push_back({entry.children[frame.next++], 0});
                continue;
            }
            entry.end = static_cast<std::uint32_t>(m_tree.nodes.size());
            if (entry.parent >= 0)
                m_tree.entries[static_cast<std::size_t>(entry.parent)].calls += entry.calls;
            stack.pop_back();
        }
    }

    const Program& m_program;
    const Graph& m_graph;
    OutlineTree m_tree;
    std::unordered_map<std::string_view, std::int32_t> m_modules; ///< the keys point into interned strings
};

} // namespace

std::string_view shortTarget(std::string_view target)
{
    // Operators are "torch.ops.NAMESPACE.NAME.OVERLOAD": NAME describes them.
    constexpr std::string_view kOps = "torch.ops.";
    if (target.starts_with(kOps)) {
        target.remove_prefix(kOps.size());
        const std::size_t name = target.find('.');
        if (name == std::string_view::npos)
            return target;
        target.remove_prefix(name + 1);
        return target.substr(0, target.find('.'));
    }
    return lastPart(target);
}

OutlineTree outlineTree(const Program& program, std::string_view rootName)
{
    return Building(program, rootName).build();
}

} // namespace sunder
