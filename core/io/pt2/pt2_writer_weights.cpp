#include "io/pt2/pt2_writer_weights.h"

#include "io/exported_program/exported_program_records.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <set>
#include <utility>

namespace sunder {
namespace {

constexpr unsigned kDeepestTag = 64;

} // namespace

std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value)
{
    JsonTape tape;
    std::string out = "{";
    const auto append = [&out](std::string_view key, const std::string& json) {
        out += out.size() == 1 ? "" : ",";
        appendJsonString(out, key);
        out += ':' + json;
    };
    const bool isObject = !custom.empty() && tape.parse(custom, kDeepestTag) && tape.root().is(JsonType::object);
    if (!isObject && !custom.empty() && value.empty())
        return custom;
    bool isPlaced = value.empty();
    for (JsonValue key = isObject ? tape.root().firstItem() : JsonValue(); key; key = key.nextMember()) {
        if (key.text() != name)
            append(key.text(), key.memberValue().raw());
        else if (!std::exchange(isPlaced, true))
            append(name, value);
    }
    if (!isPlaced)
        append(name, value);
    return out.size() == 1 ? std::string() : out + "}";
}

std::string pt2CustomWithTag(const std::string& custom, std::string_view tag)
{
    std::string value;
    if (!tag.empty())
        appendJsonString(value, tag);
    if (custom.empty() && value.empty())
        return {};
    return pt2CustomWithMember(custom, "tag", value);
}

struct Pt2WeightsWriter::Folder {
    std::string path;   ///< relative to the root
    std::string record; ///< prefix of its record names
    std::string config;
    bool isWeights;
};

namespace {

constexpr std::uint64_t kMaxConfigBytes = 256ULL << 20U;

/// Counts a storage shared by two folders or dtypes only once, so the estimate may be low; progress is capped at 1.
std::uint64_t bytesToCopy(const Program& program)
{
    std::uint64_t bytes = 0;
    for (const Storage& storage : program.tensors.storages())
        bytes += storage.byteCount.value_or(0);
    return bytes;
}

/// Returns the custom objects named by the signature or an argument.
std::set<std::string> objectsOf(const Program& program)
{
    std::set<std::string> names;
    for (const InputSpec& spec : program.signature->inputs)
        if (spec.kind == InputKind::object)
            names.insert(spec.target.str());
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes())
            for (const Argument& argument : graph[id].args)
                if (argument.is(ArgumentKind::object))
                    names.insert(argument.text().str());
    return names;
}

} // namespace

bool isOfStateDict(const Program& program, TensorId id)
{
    const TensorEntry& entry = program.tensors[id];
    const bool persists = entry.persistent.value_or(program.tensors[program.tensors.object(id)].persistent.value_or(true));
    return entry.role == TensorRole::parameter || (entry.role == TensorRole::buffer && persists);
}

bool isPickledTensor(const TensorEntry& facts)
{
    return facts.extra.view() == R"({"use_pickle":true})";
}

Pt2WeightsWriter::Pt2WeightsWriter(const Program& program, const Pt2Schema& schema, ZipWriter& zip, std::string prefix,
                                   ProgressMonitor& monitor)
    : m_program(program), m_zip(zip), m_prefix(std::move(prefix)), m_monitor(monitor), m_archives(program, monitor),
      m_values(program, schema, m_fault), m_progress(monitor, bytesToCopy(program), "Copying weights")
{
}

Result<void> Pt2WeightsWriter::write()
{
    if (const Result<void> weights = writeFolder(
            {.path = "data/weights/", .record = "weight_", .config = "model_weights_config.json", .isWeights = true});
        !weights)
        return weights;
    return writeFolder(
        {.path = "data/constants/", .record = "tensor_", .config = "model_constants_config.json", .isWeights = false});
}

Result<void> Pt2WeightsWriter::writeFolder(const Folder& folder)
{
    m_records.clear();
    std::string config = R"({"config":{)";
    for (std::size_t i = 0; i < m_program.tensors.size(); ++i) {
        if (isOfStateDict(m_program, TensorId(i)) != folder.isWeights)
            continue;
        SUNDER_PROPAGATE(m_monitor.check());
        SUNDER_PROPAGATE(writeTensor(folder, TensorId(i), config));
    }
    if (!folder.isWeights)
        if (const Result<void> written = writeObjects(folder, config); !written)
            return written;
    m_zip.add(m_prefix + folder.path + folder.config, config + "}}");
    return {};
}

Result<void> Pt2WeightsWriter::writeTensor(const Folder& folder, TensorId id, std::string& config)
{
    const TensorEntry& entry = m_program.tensors[id];
    const TensorEntry& facts = m_program.tensors[m_program.tensors.object(id)];
    // A program exported with fake tensors has no data; PyTorch creates zeros for an empty record.
    const bool isFake = facts.storage && m_program.tensors[facts.storage].record.empty() && m_program.origin.format == "pt2";
    if (!facts.storage || (m_program.tensors[facts.storage].record.empty() && !isFake))
        return fail(ErrorCode::refused, "the location of the bytes of " + entry.fqn.str() + " is unknown");
    const auto [record, isNew] = m_records.try_emplace({facts.storage.index(), facts.meta.dtype.id()});
    if (isNew) {
        record->second = folder.record + std::to_string(m_records.size() - 1);
        if (isFake)
            m_zip.add(m_prefix + folder.path + record->second, {});
        else if (const Result<void> copied = copyStorage(m_program.tensors[facts.storage],
                                                         m_prefix + folder.path + record->second);
                 !copied)
            return copied;
    }
    config += config.back() == '{' ? "" : ",";
    appendJsonString(config, entry.fqn.view());
    config += R"(:{"path_name":")" + record->second + R"(","is_param":)";
    config += entry.role == TensorRole::parameter ? "true" : "false";
    config += R"(,"use_pickle":)";
    config += isPickledTensor(facts) ? "true" : "false";
    config += R"(,"tensor_meta":)";
    m_values.writeTensor(config, facts.meta);
    config += '}';
    return m_fault.isReported() ? Result<void>(tl::unexpected<Error>(m_fault.error())) : Result<void>();
}

Result<void> Pt2WeightsWriter::copyStorage(const Storage& storage, const std::string& name)
{
    SUNDER_TRY(const StorageRecord record, m_archives.find(storage));
    return copyRecord(*record.archive, record.member->name, name);
}

Result<void> Pt2WeightsWriter::copyRecord(const ZipArchive& archive, const std::string& record, const std::string& name)
{
    if (archive.find(record) == nullptr)
        return fail(ErrorCode::malformed, "lacks the weights " + record, {.file = archive.path(), .member = record});
    m_zip.begin(name);
    Result<void> going;
    const Result<void> copied = archive.copyMember(record, [&](std::span<const char> bytes) {
        m_zip.append(bytes);
        going = m_progress.add(bytes.size());
        return m_zip.isGood() && going;
    });
    SUNDER_PROPAGATE(going);
    if (const Result<void> unchanged = archive.file()->checkUnchanged(); !unchanged)
        return unchanged; // explains a CRC mismatch
    return m_zip.isGood() ? copied : Result<void>(); // the owner of the file reports a full disk
}

/// Copies custom objects, which are pickles, without reading them, along with their entries in the source's table.
Result<void> Pt2WeightsWriter::writeObjects(const Folder& folder, std::string& config)
{
    const std::set<std::string> wanted = objectsOf(m_program);
    if (wanted.empty())
        return {};
    SUNDER_TRY(const ZipArchive* const archive, m_archives.source());
    const std::string model = m_program.origin.model.empty() ? "model" : m_program.origin.model;
    const std::string table = archive->commonRoot() + folder.path + model + "_constants_config.json";
    SUNDER_TRY(const std::string text, archive->readMember(table, kMaxConfigBytes));
    JsonTape tape;
    if (const Result<void> parsed = tape.parse(text, 64); !parsed || !tape.root().is(JsonType::object))
        return fail(ErrorCode::malformed, "is not JSON", {.file = archive->path(), .member = table});
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
        if (key.text() != "config" || !key.memberValue().is(JsonType::object))
            continue;
        for (JsonValue object = key.memberValue().firstItem(); object; object = object.nextMember()) {
            if (!wanted.contains(std::string(object.text())) || !object.memberValue().is(JsonType::object))
                continue;
            for (JsonValue field = object.memberValue().firstItem(); field; field = field.nextMember()) {
                if (field.text() != "path_name" || !field.memberValue().is(JsonType::string))
                    continue;
                const std::string record = folder.path + std::string(field.memberValue().text());
                if (const Result<void> copied = copyRecord(*archive, archive->commonRoot() + record, m_prefix + record); !copied)
                    return copied;
            }
            config += config.back() == '{' ? "" : ",";
            appendJsonString(config, object.text());
            config += ':' + object.memberValue().raw();
        }
    }
    return {};
}

} // namespace sunder
