#pragma once

#include "io/exported_program/exported_program_records.h"
#include "io/json/read_fault.h"
#include "ir/tensor_meta.h"
#include "support/json_tape.h"

#include <string_view>

namespace sunder {

/// One alternative of a union. Three encodings are supported: {"tag": value}; all tags with all but one null; {"$type",
/// "$value"}.
struct TaggedValue {
    std::string_view tag;
    JsonValue value;
};

/// Reads the values of a serialized program: arguments, symbols, and tensor metadata. The cutter limits the nesting and thus the
/// recursion.
class ExportedProgramValues {
public:
    ExportedProgramValues(ProgramRecord& program, ReadFault& fault) : m_program(program), m_fault(fault) {}

    /// Reads an argument. Its nodes are slots of `graph`, and its graphs are numbers of records.
    [[nodiscard]] Argument argument(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument argument(const TaggedValue& tagged, GraphRecord& graph);
    [[nodiscard]] OutputRecord output(JsonValue value, GraphRecord& graph);
    /// Reads a SymInt, SymFloat, or SymBool: a number, a boolean, or a symbol.
    [[nodiscard]] Argument symbol(JsonValue value, SymbolKind kind);
    /// Reads tensor metadata and validates its sizes. `name` is used in messages. Null after an error.
    [[nodiscard]] std::shared_ptr<TensorMeta> tensor(JsonValue value, std::string_view name);

    [[nodiscard]] std::optional<TaggedValue> tagged(JsonValue value);
    /// Reads a required text. `what` is used in messages.
    [[nodiscard]] std::string_view textView(JsonValue value, std::string_view what);
    [[nodiscard]] InternedString text(JsonValue value, std::string_view what);
    [[nodiscard]] std::int64_t integer(JsonValue value, std::string_view what);
    /// The slot of {"name": …}.
    [[nodiscard]] std::uint32_t namedSlot(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument wrong(const std::string& what);

private:
    struct Expression {
        InternedString text;                 ///< printed form
        std::vector<InternedString> symbols; ///< printed forms of its subexpressions
        bool isCounted = false;              ///< already added to the symbols of the program
    };

    template <typename Read>
    [[nodiscard]] Argument list(JsonValue value, const Read& read, bool asTuple = false);
    [[nodiscard]] Argument number(JsonValue value);
    [[nodiscard]] Argument floating(JsonValue value);
    [[nodiscard]] Argument boolean(JsonValue value);
    [[nodiscard]] Argument string(JsonValue value);
    [[nodiscard]] Argument node(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument optionalTensor(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument symbolOrName(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument complex(JsonValue value);
    [[nodiscard]] Argument device(JsonValue value);
    [[nodiscard]] Argument graphArgument(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument customObject(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument operatorName(JsonValue value);
    [[nodiscard]] Argument dictionary(JsonValue value, GraphRecord& graph);
    [[nodiscard]] Argument enumeration(JsonValue value, ArgumentKind kind, InternedString (*wordOf)(std::int64_t));
    [[nodiscard]] Argument expression(JsonValue value, SymbolKind kind);
    [[nodiscard]] InternedString expressionText(std::string_view srepr);
    [[nodiscard]] Arguments sizes(JsonValue value, std::string_view what, bool mayBeNegative);
    [[nodiscard]] InternedString deviceName(JsonValue value);
    void checkSizes(const TensorMeta& meta, std::string_view name);

    ProgramRecord& m_program;
    ReadFault& m_fault;
    std::unordered_map<InternedString, Expression> m_expressions; ///< by srepr
    bool m_isOffset = false; ///< torch.export.load ignores offsets, so their symbols do not count
};

} // namespace sunder
