#include "io/pt2/pt2_writer_program.h"

#include "io/json/json_tape.h"
#include "io/json/json_text.h"
#include "io/pt2/pt2_writer_custom.h"
#include "io/pt2/pt2_writer_signature.h"

#include <map>

namespace sunder {
namespace {

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
    for (const char* said : {"schema_version", "torch_version", "range_constraints", "dialect"})
        kept.erase(said);
    if (options.isPart)
        kept.erase("guards_code");
    ReadFault fault;
    const Pt2Schema schema = options.target.value_or(pt2SchemaOf(program));
    Pt2ValueWriter values(program, schema, fault);
    const auto flush = [&](std::string& text) {
        if (text.size() < kProgramPiece)
            return;
        if (monitor.isCancelled())
            fault.report("writing was canceled", ErrorCode::cancelled);
        // Keeps the last character, because writers check it to decide whether a comma is needed.
        sink(std::string_view(text).substr(0, text.size() - 1));
        text.erase(0, text.size() - 1);
    };
    Pt2GraphWriter graph(program, program.root, values, fault, flush);
    Pt2SignatureWriter signature(program, graph, values, fault);
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "writing was canceled");
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
