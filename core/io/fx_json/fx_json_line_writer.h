#pragma once

#include "io/fx_json/fx_json_copies.h"
#include "io/fx_json/fx_json_value_writer.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

/// Writes a program line by line, with one line in memory. `str` and `stack` lines precede their first use.
class FxJsonLineWriter final {
public:
    /// `folder`: the final folder of the file; paths of weights are relative to it, or unchanged if there is none. With `source`,
    /// nodes are written as copies of nodes of its root graph if possible.
    FxJsonLineWriter(const Program& program, std::ostream& out, ProgressMonitor& monitor,
                     std::optional<std::filesystem::path> folder = std::nullopt, const Program* source = nullptr);
    /// Fails only when canceled. Check the stream's state for write errors.
    Result<void> write();

private:
    void flush();
    void writeHeader();
    void writeModules();
    void writeAttributes(std::span<const ModuleAttribute> attributes);
    void writeTensors();
    void writeStorage(const Storage& storage);
    /// Path of an archive from the final folder of the file. Cached, because most storages of a program are in one archive.
    [[nodiscard]] InternedString placeOf(InternedString file);
    void writeTensor(const TensorEntry& entry);
    [[nodiscard]] Result<void> writeGraph(GraphId id, StepMonitor& steps);
    void writeNode(GraphId graphId, NodeId id);
    /// Adds the node to the next `copies` line. Returns false if it is not a copy or its users are not in graph order.
    [[nodiscard]] bool copyNode(const Graph& graph, NodeId id);
    void writeCopies(GraphId id);
    [[nodiscard]] bool usersAreInOrder(const Graph& graph, NodeId id) const;
    void writeMeta(const Node& node);
    void writeUsers(const Graph& graph, NodeId id);
    void writeSignature();
    void writeCalls();
    void writeRanges();
    void writeTags();

    void needStack(StackId id);
    void needString(InternedString text);
    void member(std::string_view key, InternedString text);
    void memberIfAny(std::string_view key, InternedString text);
    void number(std::string_view key, std::uint64_t value);
    void values(std::string_view key, std::span<const Argument> values);
    void key(std::string_view key);
    void endLine(InternedString extra);

    const Program& m_program;
    std::ostream& m_out;
    ProgressMonitor& m_monitor;
    std::optional<std::filesystem::path> m_folder;
    std::unordered_map<InternedString, InternedString> m_places; ///< by the archive's name in the program
    FxJsonValueWriter m_rootValues;
    std::string m_line;
    std::unordered_map<InternedString, std::size_t> m_strings;
    std::unordered_map<InternedString, InternedString> m_stringExtras;
    std::vector<std::uint32_t> m_stackNumbers; ///< per StackId; kNone: not written yet
    std::uint32_t m_stackCount = 0;
    std::vector<std::uint32_t> m_positions; ///< of the current graph
    std::optional<FxJsonCopies> m_copies;
    std::vector<std::uint32_t> m_copied; ///< positions in the source, for the next `copies` line
    std::size_t m_nodeCount = 0;
};

} // namespace sunder
