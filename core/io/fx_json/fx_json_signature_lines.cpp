// Reads sig and call lines. They are processed last, because they may name nodes of later lines.
#include "io/fx_json/fx_json_program_builder.h"

namespace sunder {
namespace {

enum InputName : std::size_t { kParameter, kBuffer, kConstant, kObject, kInputToken, kInputUser, kInputN, kPersistent };
constexpr std::array<std::string_view, 8> kInputNames = {"parameter", "buffer", "constant", "object",
                                                         "token",     "user",   "n",        "persistent"};
// clang-format off
constexpr std::array kInputKinds = {InputKind::parameter, InputKind::buffer, InputKind::constant,
                                    InputKind::object,    InputKind::token,  InputKind::user};

enum OutputName : std::size_t { kOutputUser, kLoss, kBufferMutation, kParameterMutation, kInputMutation, kGradient,
                                kOutputToken, kOutputN };
// clang-format on
constexpr std::array<std::string_view, 8> kOutputNames = {"user",           "loss",     "buffer_mutation", "parameter_mutation",
                                                          "input_mutation", "gradient", "token",           "n"};
constexpr std::array kOutputKinds = {
    OutputKind::user,          OutputKind::loss,     OutputKind::bufferMutation, OutputKind::parameterMutation,
    OutputKind::inputMutation, OutputKind::gradient, OutputKind::token};

/// Returns the index of the present name among the first `count` names, or `count`.
std::size_t leadingName(const FxJsonFields& fields, std::size_t count)
{
    std::size_t kind = 0;
    while (kind < count && !fields.value(kind))
        ++kind;
    return kind;
}

InputSpec readInput(JsonValue item, const FxJsonValueReader& values, ReadFault& fault)
{
    InputSpec spec;
    if (!item.is(JsonType::object)) {
        fault.report("an input of the signature is not an object");
        return spec;
    }
    const FxJsonFields fields("an input of the signature", item, kInputNames, fault);
    const std::size_t kind = leadingName(fields, kInputKinds.size());
    if (kind == kInputKinds.size()) {
        fault.report("an input of the signature has an unknown kind: " + sunder::quoted(item.raw()));
        return spec;
    }
    spec.kind = kInputKinds[kind];
    spec.name = fields.text(kInputN);
    spec.persistent = fields.boolean(kPersistent);
    spec.extra = fields.extra();
    if (kind == kInputUser)
        spec.value = values.read(fields.value(kind));
    else if (kind != kInputToken)
        spec.target = fields.requiredText(kind);
    return spec;
}

OutputSpec readOutput(JsonValue item, const FxJsonValueReader& values, ReadFault& fault)
{
    OutputSpec spec;
    if (!item.is(JsonType::object)) {
        fault.report("an output of the signature is not an object");
        return spec;
    }
    const FxJsonFields fields("an output of the signature", item, kOutputNames, fault);
    const std::size_t kind = leadingName(fields, kOutputKinds.size());
    if (kind == kOutputKinds.size()) {
        fault.report("an output of the signature has an unknown kind: " + sunder::quoted(item.raw()));
        return spec;
    }
    spec.kind = kOutputKinds[kind];
    spec.name = fields.text(kOutputN);
    spec.extra = fields.extra();
    if (kind == kOutputUser || kind == kLoss)
        spec.value = values.read(fields.value(kind));
    else if (kind != kOutputToken)
        spec.target = fields.requiredText(kind);
    return spec;
}

} // namespace

void FxJsonProgramBuilder::readSignature(JsonValue line)
{
    static constexpr std::array<std::string_view, 4> kNames = {"k", "g", "inputs", "outputs"};
    const FxJsonFields fields("the sig line", line, kNames, m_fault);
    const JsonValue inputs = fields.requiredArray(2);
    const JsonValue outputs = fields.requiredArray(3);
    if (m_program.signature)
        m_fault.report("has a second sig line");
    if (m_graphs.find(fields.id(1), m_line) != m_program.root)
        m_fault.report("the sig line is not for the root graph");
    if (m_fault.isReported())
        return;
    m_values.setScope(m_graphs.rootNames(), FxJsonValueReader::UnknownNode::refuse, "the sig line");
    ExportSignature signature{.inputs = {}, .outputs = {}, .extra = fields.extra()};
    for (JsonValue item = inputs.firstItem(); item; item = item.nextItem())
        signature.inputs.push_back(readInput(item, m_values, m_fault));
    for (JsonValue item = outputs.firstItem(); item; item = item.nextItem())
        signature.outputs.push_back(readOutput(item, m_values, m_fault));
    m_program.signature = std::move(signature);
}

void FxJsonProgramBuilder::readCall(JsonValue line)
{
    static constexpr std::array<std::string_view, 7> kNames = {"k",         "fqn",    "in_spec", "out_spec",
                                                               "arg_names", "inputs", "outputs"};
    const FxJsonFields fields("the call line", line, kNames, m_fault);
    if (!fields.value(1) || !fields.value(1).is(JsonType::string))
        return m_fault.report("the call line lacks a \"fqn\" that is a string");
    ModuleCall call{.fqn = fields.text(1), .extra = fields.extra()};
    call.inSpec = fields.text(2).str();
    call.outSpec = fields.text(3).str();
    if (fields.has(4))
        call.argNames = fields.texts(4);
    // Like PyTorch, accepts call signatures that name nodes no longer in the graph.
    m_values.setScope(m_graphs.rootNames(), FxJsonValueReader::UnknownNode::keepAsText, "the call line");
    if (fields.has(5))
        call.inputs = m_values.readList(fields.array(5));
    if (fields.has(6))
        call.outputs = m_values.readList(fields.array(6));
    call.hasSignature = fields.value(2) || fields.value(3) || fields.value(4) || fields.value(5) || fields.value(6);
    m_program.calls.push_back(std::move(call));
}

} // namespace sunder
