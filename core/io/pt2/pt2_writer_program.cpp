#include "io/pt2/pt2_writer_program.h"

#include "io/json/read_fault.h"
#include "io/pt2/pt2_writer_graph.h"
#include "io/pt2/pt2_writer_weights.h"
#include "ir/program.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <map>
#include <string>

namespace sunder {
namespace {

/// Writes the signature of the root graph and the calls of modules.
class Pt2SignatureWriter final {
public:
    /// `graph` is the writer of the root graph.
    Pt2SignatureWriter(const Program& program, Pt2GraphWriter& graph, Pt2ValueWriter& values, ReadFault& fault)
        : m_program(program), m_graph(graph), m_values(values), m_fault(fault)
    {
    }

    /// Writes {"input_specs":[…],"output_specs":[…]}.
    void writeSignature(std::string& out);
    /// Writes [{"fqn":"","signature":…},…], adding an entry for the whole program if there is none.
    void writeCalls(std::string& out);

private:
    void writeInput(std::string& out, const InputSpec& spec, InternedString placeholder);
    void writeOutput(std::string& out, const OutputSpec& spec);
    void writeCallValue(std::string& out, const Argument& value);
    void writeCall(std::string& out, const ModuleCall& call);
    [[nodiscard]] ModuleCall wholeProgram() const;

    const Program& m_program;
    Pt2GraphWriter& m_graph;
    Pt2ValueWriter& m_values;
    ReadFault& m_fault;
};

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

constexpr std::size_t kProgramPiece = 1U << 16U;
constexpr unsigned kDeepestRecord = 128;

/// Keys of the source's program by name, as raw JSON.
using KeptKeys = std::map<std::string, std::string, std::less<>>;

KeptKeys keptKeys(const Program& program)
{
    KeptKeys kept;
    JsonTape tape;
    if (program.origin.extra.empty() || !tape.parse(program.origin.extra.view(), kDeepestRecord))
        return kept;
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
        if (key.text() != "exported_program" || !key.memberValue().is(JsonType::object))
            continue;
        for (JsonValue inner = key.memberValue().firstItem(); inner; inner = inner.nextMember())
            kept[std::string(inner.text())] = inner.memberValue().raw();
    }
    return kept;
}

std::string take(KeptKeys& kept, std::string_view key, std::string otherwise)
{
    const auto found = kept.find(key);
    if (found == kept.end())
        return otherwise;
    std::string value = std::move(found->second);
    kept.erase(found);
    return value;
}

std::string tagsAsJson(const TagTable& tags)
{
    std::string out = R"({"order":[)";
    for (const InternedString tag : tags.order) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, tag.view());
    }
    out += R"(],"color":{)";
    for (const auto& [tag, color] : tags.colors) {
        out += out.back() == '{' ? "" : ",";
        appendJsonString(out, tag.view());
        out += ':';
        appendJsonString(out, color.view());
    }
    return out + "}}";
}

/// Returns the metadata of the graph module: those of the source, with the current tags in `custom`.
std::string metadataOf(const Program& program, const std::string& source)
{
    JsonTape tape;
    std::string custom;
    std::string out = "{";
    if (tape.parse(source, kDeepestRecord) && tape.root().is(JsonType::object)) {
        for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
            if (key.text() == "custom" && key.memberValue().is(JsonType::string)) {
                custom = key.memberValue().text();
                continue;
            }
            out += out.size() == 1 ? "" : ",";
            appendJsonString(out, key.text());
            out += ':';
            key.memberValue().appendRaw(out);
        }
    }
    custom = pt2CustomWithMember(custom, "tags", program.tags ? tagsAsJson(*program.tags) : std::string());
    if (!custom.empty()) {
        out += out.size() == 1 ? R"("custom":)" : R"(,"custom":)";
        appendJsonString(out, custom);
    }
    return out + "}";
}

void appendRanges(std::string& out, const Program& program, const Pt2Schema& schema)
{
    const auto bound = [&](const std::optional<std::int64_t>& value, const char* open) {
        return value ? std::to_string(*value) : schema.hasOpenRanges() ? "null" : open;
    };
    for (const SymbolRange& range : program.ranges) {
        out += out.back() == '{' ? "" : ",";
        appendJsonString(out, range.symbol.view());
        out += R"(:{"min_val":)" + bound(range.min, "-Infinity") + R"(,"max_val":)" + bound(range.max, "Infinity") + '}';
    }
}

/// Returns the PyTorch version to record: the source's, unless another release is the target.
std::string writtenBy(const Program& program, const Pt2Schema& schema)
{
    const bool isOfSource = !program.origin.torch.empty()
        && pt2SchemaOf(std::string_view(program.origin.torch)).release == schema.release;
    return isOfSource ? program.origin.torch : "2." + std::to_string(schema.release) + ".0";
}

} // namespace

Result<void> writeExportedProgram(const Program& program, const Pt2ProgramOptions& options,
                                  const std::function<void(std::string_view)>& sink, ProgressMonitor& monitor)
{
    if (!program.root || !program.signature)
        return fail(ErrorCode::refused, "only an exported program with a signature can be written as a .pt2 file");
    KeptKeys kept = keptKeys(program);
    for (const char* written : {"schema_version", "torch_version", "range_constraints", "dialect"})
        kept.erase(written);
    if (options.isPart)
        kept.erase("guards_code");
    ReadFault fault;
    const Pt2Schema schema = options.target.value_or(pt2SchemaOf(program));
    Pt2ValueWriter values(program, schema, fault);
    const auto flush = [&](std::string& text) {
        if (text.size() < kProgramPiece)
            return;
        if (const Result<void> going = monitor.check(); !going)
            fault.report(going.error().message, going.error().code);
        // Keeps the last character, because writers check it to decide whether a comma is needed.
        sink(std::string_view(text).substr(0, text.size() - 1));
        text.erase(0, text.size() - 1);
    };
    Pt2GraphWriter graph(program, program.root, values, fault, flush);
    Pt2SignatureWriter signature(program, graph, values, fault);
    SUNDER_PROPAGATE(monitor.check());
    std::string out = R"({"graph_module":{"graph":)";
    graph.write(out);
    out += R"(,"signature":)";
    signature.writeSignature(out);
    out += R"(,"module_call_graph":)";
    signature.writeCalls(out);
    out += R"(,"metadata":)" + metadataOf(program, take(kept, "metadata", "{}"));
    const std::string fields = take(kept, "treespec_namedtuple_fields", "{}");
    if (schema.hasTreespecFields())
        out += R"(,"treespec_namedtuple_fields":)" + fields;
    out += R"(},"opset_version":)" + take(kept, "opset_version", R"({"aten":10})");
    out += R"(,"range_constraints":{)";
    appendRanges(out, program, schema);
    out += R"(},"schema_version":{"major":)" + std::to_string(schema.major()) + R"(,"minor":)" + std::to_string(schema.minor())
        + R"(},"verifiers":)" + take(kept, "verifiers", R"(["TRAINING"])");
    out += R"(,"torch_version":)";
    appendJsonString(out, writtenBy(program, schema));
    const std::string guards = take(kept, "guards_code", "[]");
    if (schema.hasGuards())
        out += R"(,"guards_code":)" + guards;
    if (!schema.passesOverKeys())
        kept.clear();
    for (const auto& [key, value] : kept) {
        out += ',';
        appendJsonString(out, key);
        out += ':' + value;
    }
    out += '}';
    if (fault.isReported())
        return tl::unexpected<Error>(fault.error());
    sink(out);
    return {};
}

} // namespace sunder
