#include "io/exported_program/exported_program_reader.h"

#include "io/exported_program/exported_program_conditions.h"
#include "io/exported_program/exported_program_nodes.h"
#include "io/exported_program/exported_program_rebuild.h"
#include "io/exported_program/exported_program_records.h"
#include "io/exported_program/exported_program_sax.h"
#include "io/exported_program/exported_program_signature.h"
#include "io/json/json_members.h"
#include "support/json_text.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// Checks that the input specifications match the inputs in number and name.
void checkInputs(const ProgramRecord& record, ReadFault& fault)
{
    const GraphRecord& graph = record.graphs.front();
    const std::vector<InputSpec>& specs = record.signature->inputs;
    if (specs.size() != graph.inputs.size())
        return fault.report("the signature has " + std::to_string(specs.size()) + " input_specs, but the graph has "
                            + std::to_string(graph.inputs.size()) + " inputs");
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const InputSpec& spec = specs[i];
        if (spec.name.empty() || !graph.inputs[i].isNamed)
            continue;
        const InternedString name = graph.names[graph.inputs[i].slot];
        if (spec.name != name)
            fault.report("input_specs[" + std::to_string(i) + "] of the signature names \"" + spec.name.str()
                         + "\", but that input is \"" + name.str() + "\"");
    }
}

void resolveSignature(ExportSignature& signature, ExportedGraphRebuild& root, const GraphRecord& graph, ReadFault& fault)
{
    for (InputSpec& input : signature.inputs)
        input.value = root.resolve(input.value, "the signature");
    for (OutputSpec& output : signature.outputs) {
        output.value = root.resolve(output.value, "the signature");
        if (output.name.empty())
            continue;
        if (!root.nodeOf(graph.slotNames.find(output.name.view(), graph.names)))
            fault.report("output_specs of the signature name \"" + output.name.str() + "\", which no node computes");
    }
}

/// Calls may refer to values that a later pass has removed. Such a name is kept as text.
Arguments resolveCall(const Arguments& arguments, ExportedGraphRebuild& root, const std::vector<InternedString>& names)
{
    Arguments resolved;
    for (const Argument& argument : arguments)
        resolved.push_back(mapNodes(argument, [&](NodeId slot) {
            const NodeId id = root.nodeOf(slot.index());
            return id ? Argument::node(id) : Argument::opaque(names[slot.index()], {});
        }));
    return resolved;
}

/// Returns the ranges whose symbol occurs in a value, as torch.export.load does.
std::vector<SymbolRange> usedRanges(const ProgramRecord& record)
{
    std::vector<SymbolRange> used;
    std::copy_if(record.ranges.begin(), record.ranges.end(), std::back_inserter(used),
                 [&](const SymbolRange& range) { return record.symbols.contains(range.symbol); });
    return used;
}

/// Rebuilds torch.fx graphs from records, as torch.export.load does (`docs/model-files.md`, "Rebuilding nodes"): placeholders, a
/// get_attr with its GraphModule for each graph in arguments, getitems for the results of a node, names, values, and the output.
/// Empties the records. Errors: malformed if a node uses an undefined value, two values have the same name, or the signature does
/// not match the graph; cancelled. Linear.
Result<Program> rebuildProgram(ProgramRecord& record, ProgressMonitor& monitor)
{
    ReadFault fault;
    if (!record.hasGraph)
        return fail(ErrorCode::malformed, "has no graph in its graph_module");
    if (!record.signature)
        return fail(ErrorCode::malformed, "has no signature in its graph_module");
    checkInputs(record, fault);
    Program program;
    program.modules[ModuleTree::root()].cls = intern("torch.export.exported_program.ExportedProgram");
    program.stacks = std::move(record.stacks);
    ExportedGraphRebuild root(program, record, 0, ModuleTree::root(), fault, monitor);
    if (!fault.isReported())
        root.run();
    GraphRecord& graph = record.graphs.front();
    if (!fault.isReported()) {
        resolveSignature(*record.signature, root, graph, fault);
        for (ModuleCall& call : record.calls) {
            call.inputs = resolveCall(call.inputs, root, graph.names);
            call.outputs = resolveCall(call.outputs, root, graph.names);
        }
    }
    if (fault.isReported())
        return tl::unexpected<Error>(fault.error());
    program.signature = std::move(record.signature);
    program.calls = std::move(record.calls);
    program.ranges = usedRanges(record);
    program.origin.torch = record.torchVersion.substr(0, record.torchVersion.find('+'));
    return program;
}

constexpr std::int64_t kNewestMajor = 8;

/// Collects the pieces of the document as records.
class RecordPieces final : public ProgramPieces {
public:
    explicit RecordPieces(ProgramRecord& program)
        : m_program(program), m_values(program, m_fault), m_nodes(program, m_values, m_fault),
          m_signature(program, m_values, m_fault)
    {
    }

    std::uint32_t graphBegins(bool isNested) override
    {
        if (!isNested) {
            m_program.hasGraph = true;
            return 0;
        }
        m_program.graphs.emplace_back();
        return static_cast<std::uint32_t>(m_program.graphs.size() - 1);
    }

    bool take(const ProgramPiece& piece) override
    {
        GraphRecord& graph = m_program.graphs[piece.graph];
        switch (piece.field) {
        case ProgramField::nodes: m_nodes.read(piece.value, graph); break;
        case ProgramField::inputs: readInput(piece.value, graph); break;
        case ProgramField::outputs: graph.outputs.push_back(m_values.argument(piece.value, graph)); break;
        case ProgramField::tensorValues: readTensor(piece, graph); break;
        case ProgramField::symIntValues: readSymbol(piece, SymbolKind::integer, graph); break;
        case ProgramField::symFloatValues: readSymbol(piece, SymbolKind::floating, graph); break;
        case ProgramField::symBoolValues: readSymbol(piece, SymbolKind::boolean, graph); break;
        case ProgramField::customObjValues: graph.slot(piece.name); break;
        case ProgramField::isSingleTensorReturn:
            graph.singleResult = piece.value.is(JsonType::boolean) && piece.value.asBoolean();
            break;
        case ProgramField::signature: m_signature.readSignature(piece.value); break;
        case ProgramField::moduleCallGraph: m_signature.readCall(piece.value); break;
        case ProgramField::rangeConstraints: m_signature.readRange(piece.name, piece.value); break;
        case ProgramField::schemaVersion:
            readSchemaVersion(piece.value);
            keepRaw(piece);
            break;
        case ProgramField::torchVersion:
            if (piece.value.is(JsonType::string))
                m_program.torchVersion = piece.value.text();
            break;
        default: keepRaw(piece); break;
        }
        return !m_fault.isReported();
    }

    [[nodiscard]] Error error() const override { return m_fault.error(); }

private:
    void readInput(JsonValue value, GraphRecord& graph)
    {
        const std::optional<TaggedValue> found = m_values.tagged(value);
        if (!found)
            return;
        GraphInputRecord& input = graph.inputs.emplace_back();
        if (found->tag == "as_custom_obj") {
            input = {.isNamed = true, .slot = m_values.namedSlot(found->value, graph)};
            return;
        }
        const Argument argument = m_values.argument(*found, graph);
        if (argument.is(ArgumentKind::node))
            input = {.isNamed = true, .slot = argument.asNode().index()};
        else
            input.literal = argument;
    }

    void setValue(std::string_view name, Argument value, GraphRecord& graph)
    {
        std::optional<Argument>& place = graph.values[graph.slot(name)];
        if (place)
            m_fault.report("\"" + std::string(name) + "\" has two values");
        place = std::move(value);
    }

    void readTensor(const ProgramPiece& piece, GraphRecord& graph)
    {
        const std::shared_ptr<TensorMeta> meta = m_values.tensor(piece.value, piece.name);
        if (!meta)
            return;
        replaceNegativeStrides(*meta, piece.name);
        setValue(piece.name, Argument::tensor(std::move(*meta)), graph);
    }

    /// PyTorch has no negative strides; it replaces them with those of a contiguous tensor.
    void replaceNegativeStrides(TensorMeta& meta, std::string_view name)
    {
        if (!meta.stride)
            return;
        Arguments& strides = *meta.stride;
        for (std::size_t i = strides.size(); i-- > 0;) {
            if (!strides[i].is(ArgumentKind::integer) || strides[i].asInteger() >= 0)
                continue;
            if (i + 1 == strides.size()) {
                strides[i] = Argument::integer(1);
                continue;
            }
            std::int64_t stride = 0;
            const bool known = strides[i + 1].is(ArgumentKind::integer) && meta.shape[i + 1].is(ArgumentKind::integer);
            if (!known
                || __builtin_mul_overflow(strides[i + 1].asInteger(), std::max<std::int64_t>(meta.shape[i + 1].asInteger(), 1),
                                          &stride))
                return m_fault.report(std::string(name) + " has a negative stride in dimension " + std::to_string(i));
            strides[i] = Argument::integer(stride);
        }
    }

    void readSymbol(const ProgramPiece& piece, SymbolKind kind, GraphRecord& graph)
    {
        setValue(piece.name, m_values.symbol(piece.value, kind), graph);
    }

    void readSchemaVersion(JsonValue value)
    {
        static constexpr std::array<std::string_view, 2> kNames = {"major", "minor"};
        if (value.is(JsonType::integer)) { // schema 1 and 2
            m_program.schemaMajor = value.asInteger();
        } else if (value.is(JsonType::object)) {
            const JsonMembers members(value, kNames);
            m_program.schemaMajor = m_values.integer(members[0], "major");
            m_program.noteUnknown("SchemaVersion", members.extra());
            m_program.schemaMinor = members[1] && members[1].is(JsonType::integer) ? members[1].asInteger() : 0;
        } else {
            m_fault.report("must be a number or an object with major and minor");
        }
        if (m_program.schemaMajor.value_or(0) > kNewestMajor)
            m_fault.report("has schema version " + std::to_string(*m_program.schemaMajor)
                               + ", of a newer PyTorch; versions up to " + std::to_string(kNewestMajor) + " are supported",
                           ErrorCode::unsupported);
    }

    void keepRaw(const ProgramPiece& piece)
    {
        if (piece.value.is(JsonType::null))
            return;
        if (piece.graph != 0 || !isWithoutEffect(piece.name, piece.value))
            m_program.conditions.push_back(conditionOf(piece.name, piece.value));
        if (piece.graph != 0)
            return;
        piece.value.appendRaw(startJsonMember(m_program.extra, piece.name));
    }

    ProgramRecord& m_program;
    ReadFault m_fault;
    ExportedProgramValues m_values;
    ExportedProgramNodes m_nodes;
    ExportedProgramSignature m_signature;
};

} // namespace

Result<Program> readExportedProgram(ByteSource& source, ProgressMonitor& monitor)
{
    ProgramRecord record;
    RecordPieces pieces(record);
    SUNDER_PROPAGATE(cutExportedProgram(source, pieces, monitor));
    Result<Program> program = rebuildProgram(record, monitor);
    SUNDER_PROPAGATE(monitor.check());
    if (program)
        program->origin.conditions = std::move(record.conditions);
    if (program && !record.extra.empty())
        program->origin.extra = intern("{\"" + std::string(kExportedProgram) + "\":" + record.extra + "}}");
    return program;
}

} // namespace sunder
