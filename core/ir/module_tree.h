#pragma once

#include "ir/argument.h"
#include "ir/ids.h"
#include "support/flat_map.h"
#include "support/interned_string.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A public field of plain type that a leaf module has: "inplace" true, "p" 0.1, "training" false.
struct ModuleAttribute {
    InternedString name;
    Argument value; ///< bool, int, float, text or none
    friend bool operator==(const ModuleAttribute&, const ModuleAttribute&) = default;
};

/// One path of the module tree.
struct Module {
    InternedString path; ///< dotted; empty for the root
    InternedString name; ///< the last part of the path
    ModuleId parent;     ///< invalid for the root
    std::vector<ModuleId> children = {}; ///< in registration order
    InternedString cls = {};     ///< qualified class name; empty when unknown
    std::optional<bool> leaf = {}; ///< what a graph calls without looking inside
    ModuleId same = {};          ///< an earlier path that holds the same object; invalid otherwise
    GraphId graph = {};          ///< the graph that it owns, when it is a GraphModule
    std::optional<std::vector<GraphId>> calls = {}; ///< of a dispatcher: the graphs of its calls, in call order
    std::optional<std::vector<ModuleAttribute>> attributes = {}; ///< of a leaf, in file order; absent when not known
    InternedString recipe =
        {};  ///< raw JSON object of what the Python package makes a leaf again from: fields, names without tensors
    InternedString unknown = {}; ///< why the file does not say how it computes, with a mark of the object; empty where it does
    bool implied = false;  ///< not named by the file, made as a holder on the way to another path
    InternedString extra = {};   ///< raw JSON object of unknown keys
};

/// The modules of a program by path; the root is always there. Ids are in order of creation; children are in
/// registration order. A path whose object is elsewhere (`same`) has no children of its own.
class ModuleTree {
public:
    ModuleTree();

    /// Makes room for so many modules in all.
    void reserve(std::size_t modules);
    [[nodiscard]] static ModuleId root() { return ModuleId(0U); }
    [[nodiscard]] std::size_t size() const { return m_modules.size(); }
    [[nodiscard]] const Module& operator[](ModuleId id) const { return m_modules[id.index()]; }
    [[nodiscard]] Module& operator[](ModuleId id) { return m_modules[id.index()]; }

    /// The module at exactly this path; invalid when there is none. O(1).
    [[nodiscard]] ModuleId find(InternedString path) const;
    /// The module at this path, following `same` on the way and at the end; invalid when there is none. O(depth).
    [[nodiscard]] ModuleId resolve(std::string_view path) const;
    /// The object behind an alias: follows `same`, at most size() steps.
    [[nodiscard]] ModuleId object(ModuleId id) const;
    /// The module at this path, made together with missing parents (marked `implied`) at the end of their children.
    ModuleId ensure(std::string_view path);
    /// Child of a module; appended when there is none of that name. `path` is its path, where the caller knows it.
    ModuleId ensureChild(ModuleId parent, InternedString name, InternedString path = {});
    /// All ids, parents before children, children in order. O(size).
    [[nodiscard]] std::vector<ModuleId> depthFirst() const;

private:
    std::vector<Module> m_modules;
    FlatMap<ModuleId> m_byPath; ///< all but the root
};

/// "a.b" + "c" → "a.b.c"; either may be empty.
std::string joinPath(std::string_view prefix, std::string_view name);

} // namespace sunder
