#include "io/exported_program/exported_program_signature.h"

#include "io/json/json_members.h"

#include <array>

namespace sunder {
namespace {

/// The fields of all kinds of specifications.
constexpr std::array<std::string_view, 9> kSpecNames = {
    "arg",  "parameter_name", "buffer_name", "tensor_constant_name", "custom_obj_name", "user_input_name",
    "name", "persistent",     "value"};
enum SpecPart : std::size_t {
    kArg,
    kParameterName,
    kBufferName,
    kConstantName,
    kObjectName,
    kUserInputName,
    kConstantInputName,
    kIsPersistent,
    kValue,
};

struct InputRow {
    std::string_view tag;
    InputKind kind;
    SpecPart target;
};

constexpr InputRow kInputs[] = {
    {"parameter", InputKind::parameter, kParameterName},
    {"buffer", InputKind::buffer, kBufferName},
    {"tensor_constant", InputKind::constant, kConstantName},
    {"custom_obj", InputKind::object, kObjectName},
};

struct OutputRow {
    std::string_view tag;
    OutputKind kind;
    SpecPart target;
};

constexpr OutputRow kOutputs[] = {
    {"buffer_mutation", OutputKind::bufferMutation, kBufferName},
    {"parameter_mutation", OutputKind::parameterMutation, kParameterName},
    {"user_input_mutation", OutputKind::inputMutation, kUserInputName},
    {"gradient_to_parameter", OutputKind::gradient, kParameterName},
    {"gradient_to_user_input", OutputKind::gradient, kUserInputName},
};

} // namespace

InternedString ExportedProgramSignature::nameOf(JsonValue argument)
{
    static constexpr std::array<std::string_view, 2> kNames = {"name", "as_tensor"};
    if (!argument || !argument.is(JsonType::object)) {
        m_fault.report("a specification lacks its arg");
        return {};
    }
    const JsonMembers members(argument, kNames);
    if (!members[0] && members[1])
        return nameOf(members[1]);
    m_program.noteUnknown("arg", members.extra());
    return m_values.text(members[0], "name of an arg");
}

void ExportedProgramSignature::readInput(JsonValue spec, ExportSignature& signature)
{
    InputSpec& input = signature.inputs.emplace_back();
    m_program.constantInputs.emplace_back();
    const std::optional<TaggedValue> found = m_values.tagged(spec);
    if (!found)
        return;
    if (!found->value.is(JsonType::object))
        return m_fault.report(std::string(found->tag) + " must hold an object");
    GraphRecord& graph = m_program.graphs.front();
    const JsonMembers parts(found->value, kSpecNames);
    m_program.noteUnknown(found->tag, parts.extra());
    for (const InputRow& row : kInputs) {
        if (row.tag != found->tag)
            continue;
        input.kind = row.kind;
        input.name = nameOf(parts[kArg]);
        input.target = m_values.text(parts[row.target], kSpecNames[row.target]);
        if (row.kind == InputKind::buffer) // not in schema 2; all buffers were persistent then
            input.persistent = !parts[kIsPersistent] || !parts[kIsPersistent].is(JsonType::boolean)
                || parts[kIsPersistent].asBoolean();
        return;
    }
    if (found->tag == "token") {
        input.kind = InputKind::token;
        input.name = nameOf(parts[kArg]);
    } else if (found->tag == "user_input" && parts[kArg]) {
        input.value = m_values.argument(parts[kArg], graph);
    } else if (found->tag == "constant_input" && parts[kValue]) {
        m_program.constantInputs.back() = m_values.text(parts[kConstantInputName], "name of a constant input");
        input.value = m_values.argument(parts[kValue], graph);
    } else {
        m_fault.report("input_specs holds \"" + std::string(found->tag) + "\", which is unknown or incomplete");
    }
}

void ExportedProgramSignature::readOutput(JsonValue spec, ExportSignature& signature)
{
    OutputSpec& output = signature.outputs.emplace_back();
    const std::optional<TaggedValue> found = m_values.tagged(spec);
    if (!found)
        return;
    if (!found->value.is(JsonType::object))
        return m_fault.report(std::string(found->tag) + " must hold an object");
    const JsonMembers parts(found->value, kSpecNames);
    m_program.noteUnknown(found->tag, parts.extra());
    for (const OutputRow& row : kOutputs) {
        if (row.tag != found->tag)
            continue;
        output.kind = row.kind;
        output.name = nameOf(parts[kArg]);
        output.target = m_values.text(parts[row.target], kSpecNames[row.target]);
        return;
    }
    GraphRecord& graph = m_program.graphs.front();
    if (found->tag == "token") {
        output.kind = OutputKind::token;
        output.name = nameOf(parts[kArg]);
    } else if (found->tag == "user_output" && parts[kArg]) {
        output.value = m_values.argument(parts[kArg], graph);
    } else if (found->tag == "loss_output" && parts[kArg]) {
        output.kind = OutputKind::loss;
        output.value = Argument::node(NodeId(graph.slot(nameOf(parts[kArg]).view())));
    } else {
        m_fault.report("output_specs holds \"" + std::string(found->tag) + "\", which is unknown or incomplete");
    }
}

void ExportedProgramSignature::readSignature(JsonValue signature)
{
    static constexpr std::array<std::string_view, 2> kNames = {"input_specs", "output_specs"};
    if (!signature.is(JsonType::object))
        return m_fault.report("signature must be an object");
    const JsonMembers members(signature, kNames);
    m_program.noteUnknown("GraphSignature", members.extra());
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (!members[i] || !members[i].is(JsonType::array))
            return m_fault.report(std::string(kNames[i]) + (members[i] ? " must be a list" : " is missing"));
    m_program.signature.emplace();
    for (JsonValue spec = members[0].firstItem(); spec && !m_fault.isReported(); spec = spec.nextItem())
        readInput(spec, *m_program.signature);
    for (JsonValue spec = members[1].firstItem(); spec && !m_fault.isReported(); spec = spec.nextItem())
        readOutput(spec, *m_program.signature);
}

Arguments ExportedProgramSignature::arguments(JsonValue list, std::string_view what)
{
    Arguments arguments;
    if (!list || !list.is(JsonType::array)) {
        m_fault.report(std::string(what) + " of a call must be a list");
        return arguments;
    }
    for (JsonValue item = list.firstItem(); item; item = item.nextItem())
        arguments.push_back(m_values.argument(item, m_program.graphs.front()));
    return arguments;
}

void ExportedProgramSignature::readCallSignature(JsonValue signature, ModuleCall& call)
{
    static constexpr std::array<std::string_view, 5> kNames = {"inputs", "outputs", "in_spec", "out_spec", "forward_arg_names"};
    if (!signature.is(JsonType::object))
        return m_fault.report("signature of a call must be an object");
    const JsonMembers members(signature, kNames);
    m_program.noteUnknown("ModuleCallSignature", members.extra());
    call.hasSignature = true;
    call.inputs = arguments(members[0], "inputs");
    call.outputs = arguments(members[1], "outputs");
    call.inSpec = m_values.text(members[2], "in_spec").str();
    call.outSpec = m_values.text(members[3], "out_spec").str();
    if (!members[4] || !members[4].is(JsonType::array) || members[4].count() == 0)
        return;
    call.argNames.emplace();
    for (JsonValue item = members[4].firstItem(); item; item = item.nextItem())
        call.argNames->push_back(m_values.text(item, "a name in forward_arg_names"));
}

void ExportedProgramSignature::readCall(JsonValue entry)
{
    static constexpr std::array<std::string_view, 2> kNames = {"fqn", "signature"};
    if (!entry.is(JsonType::object))
        return m_fault.report("must be an object");
    const JsonMembers members(entry, kNames);
    m_program.noteUnknown("ModuleCallEntry", members.extra());
    ModuleCall& call = m_program.calls.emplace_back();
    call.fqn = m_values.text(members[0], "fqn");
    if (members[1] && !members[1].is(JsonType::null))
        readCallSignature(members[1], call);
}

void ExportedProgramSignature::readRange(std::string_view symbol, JsonValue bounds)
{
    static constexpr std::array<std::string_view, 2> kNames = {"min_val", "max_val"};
    if (!bounds.is(JsonType::object))
        return m_fault.report("must be an object");
    const JsonMembers members(bounds, kNames);
    m_program.noteUnknown("RangeConstraint", members.extra());
    SymbolRange& range = m_program.ranges.emplace_back();
    range.symbol = intern(symbol);
    if (members[0] && members[0].is(JsonType::integer))
        range.min = members[0].asInteger();
    if (members[1] && members[1].is(JsonType::integer))
        range.max = members[1].asInteger();
}

} // namespace sunder
