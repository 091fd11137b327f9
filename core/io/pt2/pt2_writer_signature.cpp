#include "io/pt2/pt2_writer_signature.h"

#include "io/json/json_tape.h"
#include "io/json/json_text.h"

namespace sunder {
namespace {

/// {"parameter":{"arg":{"name":"p_w"},"parameter_name":"w"
void openSpec(std::string& out, std::string_view kind, std::string_view name, std::string_view key, std::string_view target)
{
    out += "{\"";
    out += kind;
    out += R"(":{"arg":{"name":)";
    appendJsonString(out, name);
    if (kind == "custom_obj")
        return;
    out += '}';
    if (key.empty())
        return;
    out += ",\"";
    out += key;
    out += "\":";
    appendJsonString(out, target);
}

/// Returns the name in the raw text of a value {"n":name} that refers to no node.
std::string nameInText(std::string_view json)
{
    JsonTape tape;
    if (!tape.parse(json, 64) || !tape.root().is(JsonType::object))
        return {};
    const JsonValue key = tape.root().firstItem();
    return key && key.text() == "n" && key.memberValue().is(JsonType::string) ? std::string(key.memberValue().text())
                                                                              : std::string();
}

} // namespace

void Pt2SignatureWriter::writeInput(std::string& out, const InputSpec& spec, InternedString placeholder)
{
    const std::string_view target = spec.target.view();
    const std::string_view name = spec.name.empty() ? placeholder.view() : spec.name.view();
    switch (spec.kind) {
    case InputKind::parameter: openSpec(out, "parameter", name, "parameter_name", target); break;
    case InputKind::buffer:
        openSpec(out, "buffer", name, "buffer_name", target);
        out += spec.persistent.value_or(true) ? R"(,"persistent":true)" : R"(,"persistent":false)";
        break;
    case InputKind::constant: openSpec(out, "tensor_constant", name, "tensor_constant_name", target); break;
    case InputKind::token: openSpec(out, "token", name, {}, {}); break;
    case InputKind::object: {
        const NodeId node = m_program.rootGraph().find(intern(name));
        const std::optional<Argument> val = node ? m_program.rootGraph()[node].meta.val : std::nullopt;
        openSpec(out, "custom_obj", name, {}, {});
        out += R"(,"class_fqn":)";
        appendJsonString(out, val && val->is(ArgumentKind::object) ? val->className().view() : std::string_view());
        out += R"(},"custom_obj_name":)";
        appendJsonString(out, target);
        break;
    }
    case InputKind::user:
        if (spec.value.is(ArgumentKind::node)) {
            out += R"({"user_input":{"arg":)";
            m_graph.writeArgument(out, spec.value);
        } else {
            out += R"({"constant_input":{"name":)";
            appendJsonString(out, placeholder.view());
            out += R"(,"value":)";
            m_graph.writeArgument(out, spec.value);
        }
        break;
    }
    out += "}}";
}

void Pt2SignatureWriter::writeOutput(std::string& out, const OutputSpec& spec)
{
    const std::string_view target = spec.target.view();
    const std::string_view name = spec.name.view();
    switch (spec.kind) {
    case OutputKind::user:
        out += R"({"user_output":{"arg":)";
        m_graph.writeArgument(out, spec.value);
        break;
    case OutputKind::loss:
        openSpec(out, "loss_output",
                 spec.value.is(ArgumentKind::node) ? m_program.rootGraph()[spec.value.asNode()].name.view() : name, {}, {});
        break;
    case OutputKind::bufferMutation: openSpec(out, "buffer_mutation", name, "buffer_name", target); break;
    case OutputKind::parameterMutation:
        if (!m_values.schema().hasParameterMutations())
            m_fault.report("the program writes to its parameter " + spec.target.str() + ", which " + m_values.schema().torch()
                               + " cannot express in a .pt2 file",
                           ErrorCode::refused);
        openSpec(out, "parameter_mutation", name, "parameter_name", target);
        break;
    case OutputKind::inputMutation: openSpec(out, "user_input_mutation", name, "user_input_name", target); break;
    case OutputKind::gradient:
        if (m_program.tensors.find(spec.target))
            openSpec(out, "gradient_to_parameter", name, "parameter_name", target);
        else
            openSpec(out, "gradient_to_user_input", name, "user_input_name", target);
        break;
    case OutputKind::token: openSpec(out, "token", name, {}, {}); break;
    }
    out += "}}";
}

void Pt2SignatureWriter::writeSignature(std::string& out)
{
    std::vector<InternedString> placeholders;
    const Graph& graph = m_program.rootGraph();
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::placeholder)
            placeholders.push_back(graph[id].name);
    const ExportSignature& signature = *m_program.signature;
    if (placeholders.size() != signature.inputs.size())
        return m_fault.report("the signature has " + std::to_string(signature.inputs.size()) + " inputs, but the graph has "
                                  + std::to_string(placeholders.size()),
                              ErrorCode::refused);
    out += R"({"input_specs":[)";
    for (std::size_t i = 0; i < placeholders.size(); ++i) {
        out += i == 0 ? "" : ",";
        writeInput(out, signature.inputs[i], placeholders[i]);
    }
    out += R"(],"output_specs":[)";
    for (const OutputSpec& spec : signature.outputs) {
        out += out.back() == '[' ? "" : ",";
        writeOutput(out, spec);
    }
    out += "]}";
}

void Pt2SignatureWriter::writeCallValue(std::string& out, const Argument& value)
{
    if (value.is(ArgumentKind::unknown)) {
        if (const std::string name = nameInText(value.text().view()); !name.empty())
            return appendPt2Name(out, Pt2ValueKind::tensor, name);
    }
    m_graph.writeArgument(out, value);
}

void Pt2SignatureWriter::writeCall(std::string& out, const ModuleCall& call)
{
    out += R"({"fqn":)";
    appendJsonString(out, call.fqn.view());
    out += R"(,"signature":)";
    if (!call.hasSignature) {
        out += "null}";
        return;
    }
    out += R"({"inputs":[)";
    for (const Argument& value : call.inputs) {
        out += out.back() == '[' ? "" : ",";
        writeCallValue(out, value);
    }
    out += R"(],"outputs":[)";
    for (const Argument& value : call.outputs) {
        out += out.back() == '[' ? "" : ",";
        writeCallValue(out, value);
    }
    out += R"(],"in_spec":)";
    appendJsonString(out, call.inSpec.text());
    out += R"(,"out_spec":)";
    appendJsonString(out, call.outSpec.text());
    if (m_values.schema().hasArgumentNames()) {
        out += R"(,"forward_arg_names":)";
        out += call.argNames ? "[" : "null";
    }
    if (m_values.schema().hasArgumentNames() && call.argNames) {
        for (const InternedString name : *call.argNames) {
            out += out.back() == '[' ? "" : ",";
            appendJsonString(out, name.view());
        }
        out += ']';
    }
    out += "}}";
}

/// Returns the call signature of the program: all user inputs in one tuple, all user outputs in another.
ModuleCall Pt2SignatureWriter::wholeProgram() const
{
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    for (const InputSpec& spec : m_program.signature->inputs)
        inputs += spec.kind == InputKind::user ? 1 : 0;
    for (const OutputSpec& spec : m_program.signature->outputs)
        outputs += spec.kind == OutputKind::user || spec.kind == OutputKind::loss ? 1 : 0;
    ModuleCall call{.hasSignature = true};
    call.inSpec = StoredTreeSpec(TreeSpec::argumentsOf(inputs));
    call.outSpec = StoredTreeSpec(TreeSpec::tupleOf(outputs));
    return call;
}

void Pt2SignatureWriter::writeCalls(std::string& out)
{
    out += '[';
    if (m_program.calls.empty() || !m_program.calls.front().fqn.empty() || !m_program.calls.front().hasSignature)
        writeCall(out, wholeProgram());
    for (const ModuleCall& call : m_program.calls) {
        if (call.fqn.empty() && !call.hasSignature)
            continue;
        out += out.back() == '[' ? "" : ",";
        writeCall(out, call);
    }
    out += ']';
}

} // namespace sunder
