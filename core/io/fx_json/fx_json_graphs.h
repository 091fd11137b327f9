#pragma once

#include "io/fx_json/fx_json_value_reader.h"
#include "io/json/read_fault.h"
#include "ir/program.h"

#include <deque>
#include <unordered_map>

namespace sunder {

/// The graphs of a file while it is read. A graph may be spoken of before its line; it gets a number at once, and
/// finish() puts the graphs of the program into the order of their lines.
class FxJsonGraphs final {
public:
    explicit FxJsonGraphs(Program& program) : m_program(program) {}

    /// The graph of this id (as FxJsonFields::id spells it), made when it is new.
    GraphId find(InternedString id, std::uint64_t line);
    /// Its line was read; `module` is absent for a graph without an owner.
    void declare(GraphId id, std::optional<InternedString> module, std::uint64_t line, ReadFault& fault);
    /// Stays where it is as more graphs are found.
    [[nodiscard]] FxJsonNodeNames& names(GraphId id) { return m_entries[id.index()].names; }
    [[nodiscard]] const FxJsonNodeNames& rootNames() const;

    /// Binds graphs to their modules. Reports a graph without a line, and that there is no root graph; the line to
    /// name with it is then faultLine().
    void bindModules(ReadFault& fault);
    /// Numbers the graphs in the order of their lines. Call it last.
    void sort();
    [[nodiscard]] std::uint64_t faultLine() const { return m_faultLine; }

private:
    struct Entry {
        InternedString id;
        std::optional<InternedString> module;
        std::uint64_t firstLine = 0;
        std::uint32_t declared = 0; ///< position among the graph lines, from 1; 0: no line yet
        FxJsonNodeNames names;
    };

    Program& m_program;
    std::deque<Entry> m_entries; ///< whoever reads a value holds the names of its graph while others are added
    std::unordered_map<InternedString, GraphId> m_ids;
    std::uint32_t m_declared = 0;
    std::uint64_t m_faultLine = 0;
};

} // namespace sunder
