#pragma once

#include "io/fx_json/fx_json_value_reader.h"
#include "io/json/read_fault.h"
#include "ir/program.h"

#include <deque>
#include <unordered_map>

namespace sunder {

/// The graphs of a file during reading. A graph may be referred to before its line; it gets a number immediately. finish() puts
/// the graphs of the program into the order of their lines.
class FxJsonGraphs final {
public:
    explicit FxJsonGraphs(Program& program) : m_program(program) {}

    /// Returns the graph with this id (see FxJsonFields::id), and creates it if it is new.
    GraphId find(InternedString id, std::uint64_t line);
    /// Records that the graph's line was read; `module` is absent for a graph without an owner.
    void declare(GraphId id, std::optional<InternedString> module, std::uint64_t line, ReadFault& fault);
    /// The reference stays valid when graphs are added.
    [[nodiscard]] FxJsonNodeNames& names(GraphId id) { return m_entries[id.index()].names; }
    [[nodiscard]] const FxJsonNodeNames& rootNames() const;

    /// Assigns graphs to their modules. Reports graphs without a line and a missing root graph; faultLine() is then the line to
    /// name.
    void bindModules(ReadFault& fault);
    /// Numbers the graphs in the order of their lines. Call last.
    void sort();
    [[nodiscard]] std::uint64_t faultLine() const { return m_faultLine; }

private:
    struct Entry {
        InternedString id;
        std::optional<InternedString> module;
        std::uint64_t firstLine = 0;
        std::uint32_t declared = 0; ///< position among the graph lines, from 1; 0: line not read yet
        FxJsonNodeNames names;
    };

    Program& m_program;
    std::deque<Entry> m_entries; ///< a deque, because references to names must stay valid when entries are added
    std::unordered_map<InternedString, GraphId> m_ids;
    std::uint32_t m_declared = 0;
    std::uint64_t m_faultLine = 0;
};

} // namespace sunder
