#pragma once

#include "io/exported_program/exported_program_records.h"
#include "io/json/read_fault.h"
#include "support/progress_monitor.h"

#include <string>

namespace sunder {

/// Rebuilds one graph of a program and, recursively, the graphs in the arguments of its nodes.
class ExportedGraphRebuild {
public:
    /// `owner` is the module of the graph. Its path is the prefix of nested graphs' paths.
    ExportedGraphRebuild(Program& program, ProgramRecord& record, std::uint32_t graphNumber, ModuleId owner, ReadFault& fault,
                         ProgressMonitor& monitor);

    void run();

    /// Replaces slots by nodes. Reports unknown names; `user` names the user in messages.
    [[nodiscard]] Argument resolve(const Argument& argument, std::string_view user);
    /// Returns the node of a slot; invalid if there is none.
    [[nodiscard]] NodeId nodeOf(std::uint32_t slot) const;
    [[nodiscard]] GraphId graph() const { return m_graph; }

private:
    [[nodiscard]] Graph& fx() { return m_program.graph(m_graph); }
    void addInput(std::size_t index, const GraphInputRecord& input);
    void addNode(NodeRecord& node);
    void addOutput();
    [[nodiscard]] Argument withGraphs(const Argument& argument, const NodeRecord& user);
    [[nodiscard]] Argument addNestedGraph(std::uint32_t graphNumber, const NodeRecord& user);
    [[nodiscard]] InternedString candidateOf(const NodeRecord& node) const;
    void addResults(NodeId id, const NodeRecord& node);
    [[nodiscard]] Argument addGetitems(NodeId of, const std::vector<OutputRecord>& outputs, const NodeRecord& node, bool asList);
    [[nodiscard]] Argument addGetitem(NodeId of, std::size_t index, const OutputRecord& output, const NodeRecord& node);
    NodeId createGetitem(NodeId of, std::size_t index, InternedString name, const NodeRecord& node);
    void sync(NodeId id, std::uint32_t slot);
    void define(std::uint32_t slot, NodeId id);
    [[nodiscard]] std::string unknownName(std::uint32_t slot, std::string_view user) const;
    [[nodiscard]] bool returnsTuple(const NodeRecord& node) const;

    Program& m_program;
    ProgramRecord& m_record;
    GraphRecord& m_source;
    ModuleId m_owner;
    GraphId m_graph;
    ReadFault& m_fault;
    ProgressMonitor& m_monitor;
    std::vector<NodeId> m_nodes; ///< by slot
};

} // namespace sunder
