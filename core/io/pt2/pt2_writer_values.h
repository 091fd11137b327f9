#pragma once

#include "io/exported_program/exported_program_records.h"
#include "io/json/read_fault.h"
#include "io/pt2/pt2_schema.h"
#include "ir/program.h"
#include "operators/operator_catalogue.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

/// The kinds of values that the serialization schema distinguishes for names.
enum class Pt2ValueKind : std::uint8_t { none, tensor, symInt, symFloat, symBool, object, several };

/// Returns the kind of a `val`; `none` if it is absent.
Pt2ValueKind pt2KindOf(const std::optional<Argument>& val);

/// Appends the values of a serialized program as JSON (schema 8 of `docs/model-files.md`), except for nodes and graphs, which
/// depend on their context. Reports values that the schema does not support.
class Pt2ValueWriter final {
public:
    Pt2ValueWriter(const Program& program, const Pt2Schema& schema, ReadFault& fault);

    /// Writes {"dtype":7,"sizes":[…],…}.
    void writeTensor(std::string& out, const TensorMeta& meta);
    /// Writes a SymInt, SymFloat, or SymBool by `kind`: {"as_int":3} or {"as_expr":{…}}.
    void writeSymbol(std::string& out, const Argument& value, Pt2ValueKind kind);
    /// Writes a value without nodes, lists, and dictionaries, e.g. {"as_float":0.5}. Returns false for all others.
    bool writeLiteral(std::string& out, const Argument& value);
    void writeFloat(std::string& out, double value) const;
    /// True if arguments are marked as positional or keyword. Files of PyTorch 2.6 and earlier have no marks, and PyTorch uses
    /// the operator's schema instead. Programs from such files, or written for these versions, must stay without marks.
    [[nodiscard]] bool marksArguments() const { return m_marksArguments; }
    /// Returns the argument names in the schema of an operator; empty if the schema is unknown.
    [[nodiscard]] std::vector<std::string> argumentNames(InternedString target);
    /// The schema of the target release.
    [[nodiscard]] Pt2Schema schema() const { return m_schema; }

private:
    void writeExpression(std::string& out, const SymbolicValue& value);
    void checkDtype(std::string_view dtype);
    void writeSizes(std::string& out, std::span<const Argument> sizes);
    void writeDevice(std::string& out, std::string_view device);
    [[nodiscard]] InternedString sreprOf(InternedString expression);
    [[nodiscard]] bool isPositive(std::string_view symbol) const;

    ReadFault& m_fault;
    Pt2Schema m_schema;
    bool m_marksArguments;
    OperatorCatalog m_operators;
    std::unordered_map<InternedString, InternedString> m_srepr;
    std::unordered_map<InternedString, std::optional<std::int64_t>> m_lowest; ///< symbol → its lower bound
};

/// Appends the reference to a named value of this kind, e.g. {"as_tensor":{"name":"x"}}.
void appendPt2Name(std::string& out, Pt2ValueKind kind, std::string_view name);

/// True for an operator with a schema ("torch.ops.aten.add.Tensor"), whose arguments must be named in the file.
bool isPt2SchemaOperator(std::string_view target);

} // namespace sunder
