#pragma once

#include "ir/identity_map.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

class TargetPaths;

/// Brings modules, tensors and graphs of one program into another, as torch does when it makes a GraphModule from
/// a graph and a root: what the graph calls comes whole, what it reads comes under plain modules that hold it, plain
/// tensors and buffers that are read become persistent buffers. What comes a second time is an alias of the first.
/// Linear in what is carried and in the depth of targets.
class ModuleCarrier {
public:
    /// `target` outlives the carrier. Pairs of nodes of carried graphs are added to `map`.
    ModuleCarrier(const Program& source, Program& target, IdentityMap& map);

    /// Takes over all tensors as they are, under their names: those of an exported program's lifted inputs.
    void carryAllTensors();
    /// Takes over one tensor as it is, under its name.
    void carryTensor(TensorId source) { emitTensor(source, m_source.tensors[source].fqn, false); }
    /// Puts what `target` names in the source at `name` of the module `owner`: a module or a tensor; nothing when
    /// the source has neither. `path` is what `name` is called then, where the caller knows it.
    void carryAttribute(InternedString target, ModuleId owner, InternedString name, InternedString path = {});
    /// Everything that the call_module and get_attr nodes of `graph` name, below `owner`, in their order.
    void carryTargets(const Graph& graph, ModuleId owner);
    /// The same for a list of targets, whose paths below `owner` the caller knows.
    void carryTargets(std::span<const InternedString> targets, std::span<const InternedString> paths, ModuleId owner);
    /// The id that a graph of the source has in the target; it is carried now when it was not before.
    GraphId carryGraph(GraphId source, ModuleId owner = {});
    /// Carries the graphs that carried graphs hold in their arguments. Call once, last.
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
    std::vector<ModuleId> m_moduleOf;   ///< per module object of the source: its first place in the target
    std::vector<TensorId> m_tensorOf;   ///< per tensor object of the source: its first entry in the target
    std::vector<StorageId> m_storageOf; ///< per storage of the source
    std::vector<GraphId> m_graphOf;     ///< per graph of the source
    std::vector<GraphId> m_carried;     ///< graphs of the target that came from the source
    std::vector<ModuleId> m_holders;           ///< per tensor of the source: the module that its name says it is in
    std::vector<std::uint32_t> m_tensorsBegin; ///< per module of the source: into m_tensorsByModule
    std::vector<TensorId> m_tensorsByModule;
};

} // namespace sunder
