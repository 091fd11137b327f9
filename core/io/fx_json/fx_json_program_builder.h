#pragma once

#include "io/fx_json/fx_json_value_reader.h"
#include "io/json/read_fault.h"
#include "ir/program.h"
#include "support/json_tape.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// Builds a Program from the lines of an fx-json file.
class FxJsonProgramBuilder final {
public:
    FxJsonProgramBuilder();
    FxJsonProgramBuilder(const FxJsonProgramBuilder&) = delete;
    FxJsonProgramBuilder& operator=(const FxJsonProgramBuilder&) = delete;

    /// Processes one line; blank lines are skipped.
    Result<void> takeLine(std::string_view line, std::uint64_t number);
    /// Performs the final checks and returns the program. Call once.
    Result<Program> finish();

private:
    /// An order of users, or a line whose nodes may follow later.
    struct Deferred {
        std::uint64_t line;
        std::string text;
    };
    struct UserOrder {
        GraphId graph;
        NodeId node;
        std::vector<InternedString> users;
    };
    /// A node whose trace was not defined before its line.
    struct LateTrace {
        std::uint64_t line;
        GraphId graph;
        NodeId node;
        InternedString id;
    };
    struct Stack {
        StackId id;
        std::uint64_t firstLine;
        bool isThere;
    };

    void takeKind(std::string_view kind, std::string_view line);
    void takeHeader();
    void takeString();
    void takeStorage();
    void noteOtherKeys(JsonValue place);
    void takeTensor();
    void takeAlias(const JsonValue& line);
    void takeModule();
    std::vector<ModuleAttribute> moduleAttributes(InternedString path, const JsonValue& object);
    void takeStack();
    void takeGraph();
    void takeNode();
    void readMeta(NodeSpec& node, const FxJsonFields& fields);
    void readMutated(NodeSpec& node, const FxJsonFields& fields);
    void readSizeBytes(NodeSpec& node, const FxJsonFields& fields);
    void takeRange();
    void takeTags();
    void takeEnd();
    void readSignature(JsonValue line);
    void readCall(JsonValue line);
    void readDeferred(const std::vector<Deferred>& lines, void (FxJsonProgramBuilder::*read)(JsonValue));
    void restoreUserOrder(const UserOrder& order);
    Stack& stack(InternedString id);
    void checkModuleOrder();
    void checkStacks();
    void bindLateTraces();
    bool isModulePath(std::string_view path);
    [[nodiscard]] tl::unexpected<Error> failure() const;

    Program m_program;
    ReadFault m_fault;
    FxJsonGraphs m_graphs{m_program};
    FxJsonValueReader m_values;
    JsonTape m_tape;
    std::unordered_map<InternedString, InternedString> m_strings;
    std::unordered_map<InternedString, Stack> m_stacks;
    std::unordered_set<ModuleId> m_modulesSeen;
    std::vector<Deferred> m_signatures;
    std::vector<Deferred> m_calls;
    std::vector<UserOrder> m_userOrders;
    std::vector<LateTrace> m_lateTraces;
    std::uint64_t m_line = 0;
    bool m_hasHeader = false;
    bool m_hasEnd = false;
};

} // namespace sunder
