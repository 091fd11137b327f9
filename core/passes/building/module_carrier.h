#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

class TargetPaths;

/// Copies modules, tensors and graphs of one program into another, with the result of PyTorch's GraphModule(root, graph). Called
/// modules are copied with everything below them. Tensors that get_attr nodes read are placed in plain modules along their path,
/// and plain tensors and buffers become persistent buffers. Further copies of an object become aliases of its first copy. Linear
/// in the copied data and in the depth of targets.
class ModuleCarrier {
public:
    /// `target` must outlive the carrier. Pairs of nodes of carried graphs are added to `map`.
    ModuleCarrier(const Program& source, Program& target, IdentityMap& map);

    /// Copies all tensors under their existing names: the lifted inputs of an exported program.
    void carryAllTensors();
    /// Copies one tensor under its existing name.
    void carryTensor(TensorId source) { emitTensor(source, m_source.tensors[source].fqn, false); }
    /// Copies the module or tensor that `target` names in the source to the attribute `name` of the module `owner`. Does nothing
    /// if the source has neither. `path`: full path of the copy, if the caller already knows it.
    void carryAttribute(InternedString target, ModuleId owner, InternedString name, InternedString path = {});
    /// Copies every target of the call_module and get_attr nodes of `graph` below `owner`, in node order.
    void carryTargets(const Graph& graph, ModuleId owner);
    /// Copies a list of targets below `owner` to the given paths.
    void carryTargets(std::span<const InternedString> targets, std::span<const InternedString> paths, ModuleId owner);
    /// Returns the id in the target of a source graph; copies the graph on first use.
    GraphId carryGraph(GraphId source, ModuleId owner = {});
    /// Copies graphs referenced by arguments of carried graphs. Call once, after everything else.
    void finish();

private:
    struct Pending;

    void emit(const TargetPaths& paths, ModuleId owner);
    void emitModule(ModuleId source, ModuleId parent, InternedString name, std::vector<Pending>& todo);
    void emitTensor(TensorId source, InternedString fqn, bool asAttribute);
    StorageId carryStorage(StorageId source);
    void indexTensors();
    [[nodiscard]] InternedString pathBelow(ModuleId owner, std::string_view name) const;

    const Program& m_source;
    Program& m_target;
    IdentityMap& m_map;
    std::vector<ModuleId> m_moduleOf; ///< per module object of the source: its first occurrence in the target
    std::vector<TensorId> m_tensorOf; ///< per tensor object of the source: its first entry in the target
    std::vector<StorageId> m_storageOf; ///< per storage of the source
    std::vector<GraphId> m_graphOf; ///< per graph of the source
    std::vector<GraphId> m_carried; ///< graphs of the target that came from the source
    std::vector<ModuleId> m_holders; ///< per tensor of the source: the module at the parent path of its name
    std::vector<std::uint32_t> m_tensorsBegin; ///< per module of the source: index into m_tensorsByModule
    std::vector<TensorId> m_tensorsByModule;
};

} // namespace sunder
