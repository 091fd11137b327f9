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

/// What the serialization schema has to know of a value before it can be named.
enum class Pt2ValueKind : std::uint8_t { none, tensor, symInt, symFloat, symBool, object, several };

/// The kind of a `val`; an absent one is `none`.
Pt2ValueKind pt2KindOf(const std::optional<Argument>& val);

/// Appends the values of a serialized program as JSON (schema 8 of `docs/model-files.md`) except for nodes and
/// graphs, which depend on where they stand. What the schema cannot say is reported.
class Pt2ValueWriter final {
public:
    Pt2ValueWriter(const Program& program, const Pt2Schema& schema, ReadFault& fault);

    /// {"dtype":7,"sizes":[…],…}
    void writeTensor(std::string& out, const TensorMeta& meta);
    /// A SymInt, SymFloat or SymBool by `kind`: {"as_int":3} or {"as_expr":{…}}.
    void writeSymbol(std::string& out, const Argument& value, Pt2ValueKind kind);
    /// {"as_float":0.5}: values without nodes, lists and dictionaries in them. False for all others.
    bool writeLiteral(std::string& out, const Argument& value);
    void writeFloat(std::string& out, double value) const;
    /// Whether arguments are marked as positional or keyword. Files of PyTorch 2.6 and earlier have no marks, and
    /// PyTorch goes by the operator's schema; for programs of such files, and for those versions, it has to go on doing so.
    [[nodiscard]] bool marksArguments() const { return m_marksArguments; }
    /// The names that the schema of an operator has for its arguments; none where no schema is known.
    [[nodiscard]] std::vector<std::string> argumentNames(InternedString target);
    /// What the reader of the file knows.
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
    OperatorCatalogue m_operators;
    std::unordered_map<InternedString, InternedString> m_srepr;
    std::unordered_map<InternedString, std::optional<std::int64_t>> m_lowest; ///< symbol → its lower bound
};

/// {"as_tensor":{"name":"x"}}: how a value of this kind is named.
void appendPt2Name(std::string& out, Pt2ValueKind kind, std::string_view name);

/// True for an operator of a schema, whose arguments the file must name: "torch.ops.aten.add.Tensor".
bool isPt2SchemaOperator(std::string_view target);

} // namespace sunder
