#pragma once

#include "ir/graph.h"
#include "ir/program.h"
#include "ir/tensor_table.h"
#include "support/flat_map.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace sunder {

using ObjectId = Id<struct ModuleObjectTag>;     ///< A module object of the tree under construction.
using ChildTableId = Id<struct ChildTableTag>;   ///< A table of children; calls of one module share it.
using ObjectGraphId = Id<struct ObjectGraphTag>; ///< A graph of an object.
using TensorGroupId = Id<struct TensorGroupTag>; ///< Tensors that become one object.

/// Returns the name of a call: "a" and 2 → "a@2"; "a" and 0 → "a".
InternedString callName(InternedString base, std::uint32_t call);
/// Removes the call index: "a@2" → "a".
std::string_view withoutCall(std::string_view name);

/// The children of a module by name, like a Python dict: in insertion order; overwriting keeps the position.
class ChildTable {
public:
    struct Child {
        InternedString name;
        ObjectId object; ///< invalid: removed
    };

    [[nodiscard]] ObjectId find(InternedString name) const;
    void set(InternedString name, ObjectId object);
    /// Removes a child. Returns false if it does not exist.
    bool remove(InternedString name);
    /// Children in order; removed ones remain as entries without an object.
    [[nodiscard]] const std::vector<Child>& entries() const { return m_children; }
    /// Returns the children called `base`, `base@1`, `base@2` …
    [[nodiscard]] std::vector<ObjectId> callsOf(InternedString base) const;
    /// Replaces the children, e.g. to reorder them.
    void assign(std::vector<Child> children);

private:
    static constexpr std::size_t kFew = 8; ///< limit up to which children are searched linearly

    [[nodiscard]] std::uint32_t placeOf(InternedString name) const;
    void index();

    std::vector<Child> m_children;
    FlatMap<std::uint32_t> m_index; ///< position + 1 in m_children; 0: removed; unused for few children
    std::unordered_map<InternedString, std::vector<InternedString>> m_calls; ///< base → names with a call index
    bool m_hasRemoved = false; ///< a child was removed, whose name may remain in m_calls
};

/// A parameter, buffer or constant of a module.
struct AssignedTensor {
    InternedString name;
    TensorGroupId group;
    TensorRole role = TensorRole::parameter;
    bool persistent = true;
};

/// A module of the result under construction.
struct ModuleObject {
    enum class Kind : std::uint8_t {
        interpreter, ///< has a graph
        plain,       ///< holds tensors and modules
        carried,     ///< a module of the source with its descendants: the body of a region, a branch
        dispatcher,  ///< runs one of `calls` after the other, one per call
    } kind = Kind::interpreter;
    ChildTableId children = {};
    ObjectGraphId graph = {};
    InternedString carried = {}; ///< path in the source
    std::uint32_t ownInputs = 0; ///< number of trailing placeholders defined by a preserved signature
    std::uint32_t specs = 0;     ///< number of `_spec_N` attributes assigned
    std::vector<AssignedTensor> tensors = {};
    std::vector<ObjectId> calls = {};
};

/// All module objects, their tables and graphs. The root always exists and has a graph.
class ModuleObjects {
public:
    ModuleObjects();

    [[nodiscard]] static ObjectId root() { return ObjectId(0U); }
    ObjectId add(ModuleObject::Kind kind);
    /// Reserves space for this number of objects in total.
    void reserve(std::size_t objects);
    [[nodiscard]] std::size_t size() const { return m_objects.size(); }
    [[nodiscard]] ModuleObject& operator[](ObjectId id) { return m_objects[id.index()]; }
    [[nodiscard]] const ModuleObject& operator[](ObjectId id) const { return m_objects[id.index()]; }
    [[nodiscard]] ChildTable& table(ObjectId id) { return m_tables[m_objects[id.index()].children.index()]; }
    [[nodiscard]] const ChildTable& table(ObjectId id) const { return m_tables[m_objects[id.index()].children.index()]; }
    [[nodiscard]] ChildTable& table(ChildTableId id) { return m_tables[id.index()]; }
    [[nodiscard]] std::size_t tableCount() const { return m_tables.size(); }
    [[nodiscard]] Graph& graph(ObjectGraphId id) { return m_graphs[id.index()]; }
    [[nodiscard]] const Graph& graph(ObjectGraphId id) const { return m_graphs[id.index()]; }
    [[nodiscard]] Graph& graphOf(ObjectId id) { return m_graphs[m_objects[id.index()].graph.index()]; }
    [[nodiscard]] std::size_t graphCount() const { return m_graphs.size(); }
    /// Returns the object at a dotted path relative to another; invalid if there is none. O(depth).
    [[nodiscard]] ObjectId find(ObjectId from, std::string_view path) const;
    /// Returns the name of a child through which a module contains itself; empty if there is none. O(children).
    [[nodiscard]] InternedString cycle() const;
    /// Returns the child of that name; creates a plain module if there is none.
    ObjectId ensureChild(ObjectId parent, InternedString name);
    /// Calls `leave(object, path)` for every reachable object, children before parents. `path` is the first path found, without
    /// call indices. Linear.
    template <typename Leave>
    void walk(const Leave& leave) const;

private:
    std::vector<ModuleObject> m_objects;
    std::vector<ChildTable> m_tables;
    std::vector<Graph> m_graphs;
};

template <typename Leave>
void ModuleObjects::walk(const Leave& leave) const
{
    struct Visit {
        ObjectId object;
        std::size_t next; ///< next child to visit
        std::size_t length; ///< length of the parent's path
    };
    std::vector<char> isDone(m_objects.size());
    std::string path;
    std::vector<Visit> stack = {{root(), 0, 0}};
    while (!stack.empty()) {
        Visit& top = stack.back();
        const std::vector<ChildTable::Child>& children = table(top.object).entries();
        if (top.next < children.size()) {
            const ChildTable::Child child = children[top.next++];
            if (!child.object || isDone[child.object.index()] != 0)
                continue;
            const std::size_t length = path.size();
            path += path.empty() ? "" : ".";
            path += withoutCall(child.name.view());
            stack.push_back({child.object, 0, length});
            continue;
        }
        isDone[top.object.index()] = 1;
        leave(top.object, std::string_view(path));
        path.resize(top.length);
        stack.pop_back();
    }
}

/// Adds empty modules that the module call graph names, and sorts children by its order. Calls are sorted with their module;
/// modules that it does not name come last. A module at several paths is sorted for each of them in turn. No module may contain
/// itself. Linear in visited places, at most about eight per module.
void orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls);

} // namespace sunder
