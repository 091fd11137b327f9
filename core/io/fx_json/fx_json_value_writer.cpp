#include "io/fx_json/fx_json_value_writer.h"

#include "support/json_text.h"

#include <cmath>

namespace sunder {
namespace {

void appendFloat(std::string& out, double value)
{
    if (std::isfinite(value))
        appendJsonFloat(out, value);
    else
        out += std::isnan(value) ? R"({"f":"nan"})" : value > 0 ? R"({"f":"inf"})" : R"({"f":"-inf"})";
}

void appendMember(std::string& out, std::string_view key, InternedString text)
{
    out += out.back() == '{' ? "" : ",";
    appendJsonString(out, key);
    out += ':';
    appendJsonString(out, text.view());
}

std::string_view leadingKey(ArgumentKind kind)
{
    switch (kind) {
    case ArgumentKind::bigInteger: return "i";
    case ArgumentKind::dtype: return "dtype";
    case ArgumentKind::device: return "device";
    case ArgumentKind::layout: return "layout";
    case ArgumentKind::memoryFormat: return "mf";
    case ArgumentKind::function: return "fn";
    case ArgumentKind::constant: return "const";
    case ArgumentKind::object: return "obj";
    case ArgumentKind::opaque: return "repr";
    case ArgumentKind::slice: return "slice";
    case ArgumentKind::range: return "range";
    case ArgumentKind::tuple: return "t";
    default: return {};
    }
}

} // namespace

std::string fxJsonGraphId(GraphId id)
{
    return "g" + std::to_string(id.index());
}

void FxJsonValueWriter::write(std::string& out, const Argument& value) const
{
    switch (value.kind()) {
    case ArgumentKind::none: out += "null"; return;
    case ArgumentKind::boolean: out += value.asBoolean() ? "true" : "false"; return;
    case ArgumentKind::integer: appendJsonInteger(out, value.asInteger()); return;
    case ArgumentKind::string: appendJsonString(out, value.text().view()); return;
    case ArgumentKind::list: writeList(out, value.items()); return;
    case ArgumentKind::unknown: out += value.text().view(); return;
    case ArgumentKind::floating: appendFloat(out, value.asFloating()); break;
    case ArgumentKind::node:
        out += R"({"n":)";
        appendJsonString(out, m_graph->node(value.asNode()).name.view());
        out += '}';
        break;
    case ArgumentKind::dict: writeDict(out, value); break;
    case ArgumentKind::namedTuple: writeNamedTuple(out, value); break;
    case ArgumentKind::ellipsis: out += R"({"ellipsis":1})"; break;
    case ArgumentKind::complex:
        out += R"({"c":[)";
        appendFloat(out, value.asComplex().first);
        out += ',';
        appendFloat(out, value.asComplex().second);
        out += "]}";
        break;
    case ArgumentKind::symbolic: writeSymbol(out, value.asSymbolic()); break;
    case ArgumentKind::graph: out += R"({"graph":")" + fxJsonGraphId(value.asGraph()) + "\"}"; break;
    case ArgumentKind::object:
    case ArgumentKind::opaque: writeNamed(out, leadingKey(value.kind()), value); break;
    case ArgumentKind::tensor:
        out += R"({"tensor":{)";
        writeTensorMembers(out, value.asTensor());
        out += "}}";
        break;
    case ArgumentKind::tuple:
    case ArgumentKind::slice:
    case ArgumentKind::range:
        out += '{';
        appendJsonString(out, leadingKey(value.kind()));
        out += ':';
        writeList(out, value.items());
        out += '}';
        break;
    default: writeWord(out, leadingKey(value.kind()), value); break;
    }
    if (value.extra().empty() || out.back() != '}')
        return;
    out.pop_back();
    appendJsonMembers(out, value.extra().view());
    out += '}';
}

void FxJsonValueWriter::writeList(std::string& out, std::span<const Argument> values) const
{
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        out += i == 0 ? "" : ",";
        write(out, values[i]);
    }
    out += ']';
}

void FxJsonValueWriter::writeKeywords(std::string& out, const Keywords& keywords) const
{
    out += '[';
    for (std::size_t i = 0; i < keywords.size(); ++i) {
        out += i == 0 ? "[" : ",[";
        appendJsonString(out, keywords[i].key.view());
        out += ',';
        write(out, keywords[i].value);
        out += ']';
    }
    out += ']';
}

void FxJsonValueWriter::writeDict(std::string& out, const Argument& value) const
{
    out += R"({"d":[)";
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        out += i == 0 ? "[" : ",[";
        write(out, value.keys()[i]);
        out += ',';
        write(out, value.items()[i]);
        out += ']';
    }
    out += "]}";
}

void FxJsonValueWriter::writeNamedTuple(std::string& out, const Argument& value) const
{
    out += R"({"nt":[)";
    appendJsonString(out, value.className().view());
    out += ",[";
    for (std::size_t i = 0; i < value.fields().size(); ++i) {
        out += i == 0 ? "" : ",";
        appendJsonString(out, value.fields()[i].view());
    }
    out += "],";
    writeList(out, value.items());
    out += "]}";
}

void FxJsonValueWriter::writeSymbol(std::string& out, const SymbolicValue& value) const
{
    out += '{';
    appendMember(out, "sym", value.expression);
    if (const auto* integer = std::get_if<std::int64_t>(&value.hint)) {
        out += R"(,"hint":)";
        appendJsonInteger(out, *integer);
    } else if (const auto* floating = std::get_if<double>(&value.hint)) {
        out += R"(,"hint":)";
        appendFloat(out, *floating);
    } else if (const auto* boolean = std::get_if<bool>(&value.hint)) {
        out += *boolean ? R"(,"hint":true)" : R"(,"hint":false)";
    }
    if (value.kind != SymbolKind::integer)
        out += value.kind == SymbolKind::floating ? R"(,"kind":"float")" : R"(,"kind":"bool")";
    out += '}';
}

void FxJsonValueWriter::writeWord(std::string& out, std::string_view key, const Argument& value) const
{
    out += '{';
    appendMember(out, key, value.text());
    out += '}';
}

void FxJsonValueWriter::writeNamed(std::string& out, std::string_view key, const Argument& value) const
{
    out += '{';
    appendMember(out, key, value.text());
    if (!value.className().empty())
        appendMember(out, "cls", value.className());
    out += '}';
}

void FxJsonValueWriter::writeTensorMembers(std::string& out, const TensorMeta& meta) const
{
    out += R"("dtype":)";
    appendJsonString(out, meta.dtype.view());
    out += R"(,"shape":)";
    writeList(out, meta.shape);
    if (meta.stride) {
        out += R"(,"stride":)";
        writeList(out, *meta.stride);
    }
    if (meta.offset) {
        out += R"(,"offset":)";
        write(out, *meta.offset);
    }
    if (!meta.device.empty())
        appendMember(out, "device", meta.device);
    if (!meta.layout.empty())
        appendMember(out, "layout", meta.layout);
    if (!meta.storage.empty())
        appendMember(out, "storage", meta.storage);
    if (meta.requiresGrad)
        out += R"(,"requires_grad":true)";
    appendJsonMembers(out, meta.extra.view());
}

} // namespace sunder
