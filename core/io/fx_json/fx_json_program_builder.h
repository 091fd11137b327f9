#pragma once

#include "io/fx_json/fx_json_graphs.h"
#include "io/fx_json/fx_json_value_reader.h"
#include "io/json/json_tape.h"
#include "io/json/read_fault.h"
#include "ir/program.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

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
