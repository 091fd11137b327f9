#include "io/pt2/pt2_writer_values.h"

#include "io/exported_program/exported_program_enums.h"
#include "io/sympy/sympy_infix.h"
#include "operators/operator_library.h"
#include "support/json_text.h"

#include <charconv>
#include <cmath>

namespace sunder {
namespace {

std::int64_t numberOf(std::string_view word, InternedString (*wordOf)(std::int64_t))
{
    constexpr std::int64_t kMax = 16;
    for (std::int64_t number = 1; number < kMax; ++number)
        if (wordOf(number).view() == word)
            return number;
    return 0;
}

void appendTagged(std::string& out, std::string_view tag, std::int64_t number)
{
    out += "{\"";
    out += tag;
    out += "\":";
    appendJsonInteger(out, number);
    out += '}';
}

/// Guesses whether the program's source marked argument kinds. Readers of files without marks make the first argument positional
/// and the others keywords. No traced program of some size shows this pattern in every call.
bool marksArgumentsOf(const Program& program)
{
    constexpr std::size_t kSomeSize = 3;
    std::size_t withKeywords = 0;
    for (const Graph& graph : program.graphs) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph[id];
            if (node.op != Op::callFunction || !isPt2SchemaOperator(node.target.view()))
                continue;
            if (node.args.size() > 1)
                return true;
            withKeywords += node.kwargs.empty() ? 0 : 1;
        }
    }
    return pt2SchemaOf(std::string_view(program.origin.torch)).hasArgumentKinds() && withKeywords < kSomeSize;
}

} // namespace

bool isPt2SchemaOperator(std::string_view target)
{
    return isRegisteredOperator(target) && !isSymbolicTarget(target);
}

Pt2ValueKind pt2KindOf(const std::optional<Argument>& val)
{
    if (!val)
        return Pt2ValueKind::none;
    switch (val->kind()) {
    case ArgumentKind::tensor: return Pt2ValueKind::tensor;
    case ArgumentKind::integer:
    case ArgumentKind::bigInteger: return Pt2ValueKind::symInt;
    case ArgumentKind::floating: return Pt2ValueKind::symFloat;
    case ArgumentKind::boolean: return Pt2ValueKind::symBool;
    case ArgumentKind::object: return Pt2ValueKind::object;
    case ArgumentKind::symbolic:
        return val->asSymbolic().kind == SymbolKind::integer ? Pt2ValueKind::symInt
            : val->asSymbolic().kind == SymbolKind::floating ? Pt2ValueKind::symFloat
                                                             : Pt2ValueKind::symBool;
    case ArgumentKind::list:
    case ArgumentKind::tuple:
    case ArgumentKind::dict: return Pt2ValueKind::several;
    default: return Pt2ValueKind::none;
    }
}

void appendPt2Name(std::string& out, Pt2ValueKind kind, std::string_view name)
{
    std::string_view tag = "as_tensor";
    std::string_view key = "name";
    if (kind == Pt2ValueKind::symInt || kind == Pt2ValueKind::symFloat || kind == Pt2ValueKind::symBool) {
        tag = kind == Pt2ValueKind::symInt ? "as_sym_int" : kind == Pt2ValueKind::symFloat ? "as_sym_float" : "as_sym_bool";
        key = "as_name";
    }
    out += "{\"";
    out += tag;
    out += "\":{\"";
    out += key;
    out += "\":";
    appendJsonString(out, name);
    out += "}}";
}

Pt2ValueWriter::Pt2ValueWriter(const Program& program, const Pt2Schema& schema, ReadFault& fault)
    : m_fault(fault), m_schema(schema), m_marksArguments(schema.hasArgumentKinds() && marksArgumentsOf(program)),
      m_operators(program)
{
    for (const SymbolRange& range : program.ranges)
        m_lowest.emplace(range.symbol, range.min);
}

std::vector<std::string> Pt2ValueWriter::argumentNames(InternedString target)
{
    const OperatorSchema* schema = m_operators.of(Op::callFunction, target).schema();
    std::vector<std::string> names;
    if (schema != nullptr)
        for (const SchemaArgument& argument : schema->arguments)
            names.push_back(argument.name.str());
    return names;
}

void Pt2ValueWriter::writeFloat(std::string& out, double value) const
{
    if (std::isfinite(value))
        return appendJsonFloat(out, value);
    const std::string_view quote = m_schema.hasQuotedInfinities() ? "\"" : "";
    out += quote;
    out += std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    out += quote;
}

/// torch assumes sizes to be positive, except data-dependent symbols (u0) and inputs that may be 0.
bool Pt2ValueWriter::isPositive(std::string_view symbol) const
{
    if (!symbol.starts_with('s'))
        return false;
    const auto found = m_lowest.find(intern(symbol));
    return found == m_lowest.end() || (found->second && *found->second >= 1);
}

InternedString Pt2ValueWriter::sreprOf(InternedString expression)
{
    const auto [at, isNew] = m_srepr.try_emplace(expression);
    if (!isNew)
        return at->second;
    if (const std::optional<SympyExpression> parsed = parseInfix(expression.view()))
        at->second = m_schema.hasSrepr()
            ? intern(printSrepr(*parsed, [this](std::string_view symbol) { return isPositive(symbol); }))
            : expression;
    else
        m_fault.report("the size \"" + expression.str() + "\" is not an expression that PyTorch can read", ErrorCode::refused);
    return at->second;
}

void Pt2ValueWriter::writeExpression(std::string& out, const SymbolicValue& value)
{
    out += R"({"as_expr":{"expr_str":)";
    appendJsonString(out, sreprOf(value.expression).view());
    out += R"(,"hint":)";
    if (value.kind == SymbolKind::boolean || std::holds_alternative<std::monostate>(value.hint)) {
        out += "null}}";
        return;
    }
    const auto* integer = std::get_if<std::int64_t>(&value.hint);
    if (value.kind == SymbolKind::floating) {
        const auto* floating = std::get_if<double>(&value.hint);
        out += R"({"as_float":)";
        writeFloat(out, floating != nullptr ? *floating : integer != nullptr ? static_cast<double>(*integer) : 0);
        out += '}';
    } else {
        appendTagged(out, "as_int", integer != nullptr ? *integer : 0);
    }
    out += "}}";
}

void Pt2ValueWriter::writeSymbol(std::string& out, const Argument& value, Pt2ValueKind kind)
{
    switch (value.kind()) {
    case ArgumentKind::symbolic: return writeExpression(out, value.asSymbolic());
    case ArgumentKind::integer: break;
    case ArgumentKind::bigInteger: out += R"({"as_int":)" + value.text().str() + '}'; return;
    case ArgumentKind::boolean: out += value.asBoolean() ? R"({"as_bool":true})" : R"({"as_bool":false})"; return;
    case ArgumentKind::floating:
        out += R"({"as_float":)";
        writeFloat(out, value.asFloating());
        out += '}';
        return;
    default: m_fault.report("a size is not a number", ErrorCode::refused); return;
    }
    appendTagged(out, kind == Pt2ValueKind::symFloat ? "as_float" : "as_int", value.asInteger());
}

void Pt2ValueWriter::writeSizes(std::string& out, std::span<const Argument> sizes)
{
    out += '[';
    for (const Argument& size : sizes) {
        out += out.back() == '[' ? "" : ",";
        writeSymbol(out, size, Pt2ValueKind::symInt);
    }
    out += ']';
}

void Pt2ValueWriter::writeDevice(std::string& out, std::string_view device)
{
    const std::size_t colon = std::min(device.find(':'), device.size());
    out += R"({"type":)";
    appendJsonString(out, device.substr(0, colon));
    std::int64_t index = 0;
    const std::string_view digits = device.substr(std::min(colon + 1, device.size()));
    const bool hasIndex = !digits.empty()
        && std::from_chars(digits.data(), digits.data() + digits.size(), index).ec == std::errc();
    out += R"(,"index":)" + (hasIndex ? std::to_string(index) : "null") + '}';
}

void Pt2ValueWriter::checkDtype(std::string_view dtype)
{
    if (!m_schema.hasDtype(dtype))
        m_fault.report(m_schema.torch() + " does not read " + std::string(dtype) + " from a .pt2 file", ErrorCode::refused);
}

void Pt2ValueWriter::writeTensor(std::string& out, const TensorMeta& meta)
{
    const std::int64_t dtype = scalarTypeOfDtype(meta.dtype.view());
    if (dtype == 0)
        m_fault.report(".pt2 files do not support the dtype " + meta.dtype.str(), ErrorCode::refused);
    checkDtype(meta.dtype.view());
    out += R"({"dtype":)";
    appendJsonInteger(out, dtype);
    out += R"(,"sizes":)";
    writeSizes(out, meta.shape);
    out += meta.requiresGrad ? R"(,"requires_grad":true,"device":)" : R"(,"requires_grad":false,"device":)";
    writeDevice(out, meta.device.empty() ? "cpu" : meta.device.view());
    out += R"(,"strides":)";
    if (meta.stride)
        writeSizes(out, *meta.stride);
    else
        writeSizes(out, Arguments(meta.shape.size(), Argument::integer(1)));
    out += R"(,"storage_offset":)";
    writeSymbol(out, meta.offset.value_or(Argument::integer(0)), Pt2ValueKind::symInt);
    out += R"(,"layout":)";
    appendJsonInteger(out, numberOf(meta.layout.empty() ? "strided" : meta.layout.view(), layoutOfNumber));
    out += '}';
}

bool Pt2ValueWriter::writeLiteral(std::string& out, const Argument& value)
{
    const auto enumeration = [&](std::string_view tag, std::int64_t number) {
        if (number == 0)
            m_fault.report(".pt2 files cannot express " + value.text().str(), ErrorCode::refused);
        appendTagged(out, tag, number);
    };
    switch (value.kind()) {
    case ArgumentKind::none: out += R"({"as_none":true})"; return true;
    case ArgumentKind::boolean: out += value.asBoolean() ? R"({"as_bool":true})" : R"({"as_bool":false})"; return true;
    case ArgumentKind::integer: appendTagged(out, "as_int", value.asInteger()); return true;
    case ArgumentKind::bigInteger: out += R"({"as_int":)" + value.text().str() + '}'; return true;
    case ArgumentKind::floating:
        out += R"({"as_float":)";
        writeFloat(out, value.asFloating());
        break;
    case ArgumentKind::complex:
        out += R"({"as_complex":{"real":)";
        writeFloat(out, value.asComplex().first);
        out += R"(,"imag":)";
        writeFloat(out, value.asComplex().second);
        out += '}';
        break;
    case ArgumentKind::string:
    case ArgumentKind::function:
        out += value.is(ArgumentKind::string) ? R"({"as_string":)" : R"({"as_operator":)";
        appendJsonString(out, value.text().view());
        break;
    case ArgumentKind::dtype:
        checkDtype(value.text().view());
        enumeration("as_scalar_type", scalarTypeOfDtype(value.text().view()));
        return true;
    case ArgumentKind::layout: enumeration("as_layout", numberOf(value.text().view(), layoutOfNumber)); return true;
    case ArgumentKind::memoryFormat:
        enumeration("as_memory_format", numberOf(value.text().view(), memoryFormatOfNumber));
        return true;
    case ArgumentKind::device:
        out += R"({"as_device":)";
        writeDevice(out, value.text().view());
        break;
    case ArgumentKind::object:
        out += R"({"as_custom_obj":{"name":)";
        appendJsonString(out, value.text().view());
        out += R"(,"class_fqn":)";
        appendJsonString(out, value.className().view());
        out += '}';
        break;
    case ArgumentKind::opaque: // unknown values are written back unchanged
        if (!value.className().view().starts_with("as_"))
            return false;
        out += "{\"" + value.className().str() + "\":" + value.text().str();
        break;
    default: return false;
    }
    out += '}';
    return true;
}

} // namespace sunder
