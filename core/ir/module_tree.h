#pragma once

#include "ir/argument.h"
#include "ir/ids.h"
#include "support/flat_map.h"
#include "support/interned_string.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// A public field of plain type of a leaf module: "inplace" true, "p" 0.1, "training" false.
struct ModuleAttribute {
    InternedString name;
    Argument value; ///< bool, int, float, text, or none
    friend bool operator==(const ModuleAttribute&, const ModuleAttribute&) = default;
};

/// A module at one path of the tree.
struct Module {
    InternedString path; ///< dotted; empty for the root
    InternedString name; ///< the last part of the path
    ModuleId parent;     ///< invalid for the root
    std::vector<ModuleId> children = {}; ///< in registration order
    InternedString cls = {};     ///< qualified class name; empty if unknown
    std::optional<bool> leaf = {}; ///< not traced into by torch.fx
    ModuleId same = {};          ///< an earlier path of the same object; invalid if there is none
    GraphId graph = {};          ///< the graph of a GraphModule
    std::optional<std::vector<GraphId>> calls = {}; ///< for a dispatcher: the graphs of its calls, in call order
    std::optional<std::vector<ModuleAttribute>> attributes = {}; ///< for a leaf, in file order; absent if unknown
    InternedString recipe = {}; ///< raw JSON object from which the Python package restores a leaf: fields, names without tensors
    /// Reason why the file does not fully describe the computation, with a tag of the object; empty if it does.
    InternedString unknown = {};
    bool implied = false; ///< not in the file, but created as a parent of another path
    InternedString extra = {}; ///< raw JSON object of unknown keys
};

/// The modules of a program by path. The root always exists. Ids are in order of creation, children in registration order. A path
/// that is an alias (`same`) has no children of its own.
class ModuleTree {
public:
    ModuleTree();

    /// Reserves memory for a total number of modules.
    void reserve(std::size_t modules);
    [[nodiscard]] static ModuleId root() { return ModuleId(0U); }
    [[nodiscard]] std::size_t size() const { return m_modules.size(); }
    [[nodiscard]] const Module& operator[](ModuleId id) const { return m_modules[id.index()]; }
    [[nodiscard]] Module& operator[](ModuleId id) { return m_modules[id.index()]; }

    /// Returns the module at exactly this path; invalid if there is none. O(1).
    [[nodiscard]] ModuleId find(InternedString path) const;
    /// Returns the module at this path, following `same` on the way and at the end; invalid if there is none. O(depth).
    [[nodiscard]] ModuleId resolve(std::string_view path) const;
    /// Returns the object behind an alias: follows `same`, at most size() steps.
    [[nodiscard]] ModuleId object(ModuleId id) const;
    /// Returns the module at this path. If missing, appends it and its missing parents (marked `implied`) to their parents'
    /// children.
    ModuleId ensure(std::string_view path);
    /// Returns the child of a module with this name; appends it if missing. `path` is its path, if the caller knows it.
    ModuleId ensureChild(ModuleId parent, InternedString name, InternedString path = {});
    /// Returns all ids, parents before children, children in order. O(size).
    [[nodiscard]] std::vector<ModuleId> depthFirst() const;

private:
    std::vector<Module> m_modules;
    FlatMap<ModuleId> m_byPath; ///< all but the root
};

/// Joins paths: "a.b" + "c" → "a.b.c". Either may be empty.
std::string joinPath(std::string_view prefix, std::string_view name);

/// Returns joinPath() as an interned string, without a heap allocation for paths of usual length.
InternedString internPath(std::string_view prefix, std::string_view name);

/// Whether a path is that of `module` or of one of its descendants. "layers.30" is not below "layers.3".
inline bool isWithin(std::string_view path, std::string_view module)
{
    return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
}

/// Calls `visit(std::string_view)` for a module path and the paths around it, outermost first: "a", "a.b" for "a.b". Not for an
/// empty path.
template <typename Visit>
void forEachEnclosing(std::string_view path, const Visit& visit)
{
    for (std::size_t end = 0; end < path.size();) {
        end = std::min(path.find('.', end + 1), path.size());
        visit(path.substr(0, end));
    }
}

} // namespace sunder
