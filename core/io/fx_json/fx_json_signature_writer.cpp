// Writes the data of an exported program outside its graphs: signature, module calls, symbol ranges, and tags.
#include "io/fx_json/fx_json_line_writer.h"
#include "support/json_text.h"

#include <array>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 6> kInputKeys = {"parameter", "buffer", "constant", "object", "token", "user"};

void appendNullable(std::string& line, const std::optional<std::int64_t>& value)
{
    line += value ? std::to_string(*value) : "null";
}

} // namespace

void FxJsonLineWriter::writeSignature()
{
    if (!m_program.signature || !m_program.root)
        return;
    m_line = R"({"k":"sig","g":")" + fxJsonGraphId(m_program.root) + R"(","inputs":[)";
    for (const InputSpec& spec : m_program.signature->inputs) {
        m_line += m_line.back() == '[' ? "{" : ",{";
        key(kInputKeys[static_cast<std::size_t>(spec.kind)]);
        if (spec.kind == InputKind::user)
            m_rootValues.write(m_line, spec.value);
        else if (spec.kind == InputKind::token)
            m_line += "true";
        else
            appendJsonString(m_line, spec.target.view());
        memberIfAny("n", spec.name);
        if (spec.persistent) {
            key("persistent");
            m_line += *spec.persistent ? "true" : "false";
        }
        appendJsonMembers(m_line, spec.extra.view());
        m_line += '}';
    }
    m_line += R"(],"outputs":[)";
    for (const OutputSpec& spec : m_program.signature->outputs) {
        m_line += m_line.back() == '[' ? "{" : ",{";
        key(outputKindName(spec.kind));
        if (spec.kind == OutputKind::user || spec.kind == OutputKind::loss)
            m_rootValues.write(m_line, spec.value);
        else if (spec.kind == OutputKind::token)
            m_line += "true";
        else
            appendJsonString(m_line, spec.target.view());
        memberIfAny("n", spec.name);
        appendJsonMembers(m_line, spec.extra.view());
        m_line += '}';
    }
    m_line += ']';
    endLine(m_program.signature->extra);
}

void FxJsonLineWriter::writeCalls()
{
    for (const ModuleCall& call : m_program.calls) {
        m_line = R"({"k":"call")";
        member("fqn", call.fqn);
        if (call.hasSignature) {
            key("in_spec");
            appendJsonString(m_line, call.inSpec.text());
            key("out_spec");
            appendJsonString(m_line, call.outSpec.text());
            key("arg_names");
            m_line += call.argNames ? "[" : "null";
            if (call.argNames) {
                for (const InternedString name : *call.argNames) {
                    m_line += m_line.back() == '[' ? "" : ",";
                    appendJsonString(m_line, name.view());
                }
                m_line += ']';
            }
            values("inputs", call.inputs);
            values("outputs", call.outputs);
        }
        endLine(call.extra);
    }
}

void FxJsonLineWriter::writeRanges()
{
    for (const SymbolRange& range : m_program.ranges) {
        m_line = R"({"k":"range")";
        member("sym", range.symbol);
        key("min");
        appendNullable(m_line, range.min);
        key("max");
        appendNullable(m_line, range.max);
        endLine(range.extra);
    }
}

void FxJsonLineWriter::writeTags()
{
    if (!m_program.tags)
        return;
    m_line = R"({"k":"tags","order":[)";
    for (const InternedString tag : m_program.tags->order) {
        m_line += m_line.back() == '[' ? "" : ",";
        appendJsonString(m_line, tag.view());
    }
    m_line += ']';
    if (!m_program.tags->colors.empty()) {
        key("color");
        m_line += '{';
        for (const auto& [tag, color] : m_program.tags->colors) {
            m_line += m_line.back() == '{' ? "" : ",";
            appendJsonString(m_line, tag.view());
            m_line += ':';
            appendJsonString(m_line, color.view());
        }
        m_line += '}';
    }
    endLine(m_program.tags->extra);
}

} // namespace sunder
