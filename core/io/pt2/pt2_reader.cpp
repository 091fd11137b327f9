#include "io/pt2/pt2_reader.h"

#include "io/exported_program/exported_program_reader.h"
#include "io/exported_program/exported_program_values.h"
#include "io/exported_program/exported_program_words.h"
#include "io/json/json_members.h"
#include "io/pt2/pt2_reader_layout.h"
#include "io/pt2/pt2_saved_tensors.h"
#include "io/torch_save/storage_archives.h"
#include "ir/program.h"
#include "support/flat_map.h"
#include "support/format.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sunder {
namespace {

/// Adds the parameters, buffers, and constants of a program to its table: names, shapes, shared storage, and locations of the
/// bytes, from the configs of the archive. The bytes are not read and may be missing. Malformed if a tensor extends beyond its
/// member, or a member is outside its folder. Linear in the configs. Without configs (before PyTorch 2.9, weights are a
/// torch.save file), the pickle is read instead; tensors of the signature that are not in it get an unknown storage.
Result<void> addPt2Tensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program,
                           ProgressMonitor& monitor = ProgressMonitor::none());

constexpr std::uint64_t kLargestTensorConfig = 1U << 30U;
constexpr unsigned kDeepestConfig = 64;
constexpr std::array<std::string_view, 4> kPayloadNames = {"path_name", "is_param", "use_pickle", "tensor_meta"};

/// Number of bytes from the start of the storage to the end of the view. Nothing if it exceeds 63 bits, or if a stride or the
/// offset is negative.
std::optional<std::uint64_t> bytesReached(const TensorMeta& meta)
{
    std::uint64_t last = 0;
    const auto add = [&last](const Argument& count, std::uint64_t times) {
        std::uint64_t product = 0;
        return count.is(ArgumentKind::integer) && count.asInteger() >= 0
            && !__builtin_mul_overflow(static_cast<std::uint64_t>(count.asInteger()), times, &product)
            && !__builtin_add_overflow(last, product, &last);
    };
    if (meta.offset && !add(*meta.offset, 1))
        return std::nullopt;
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        const std::optional<std::uint64_t> size = sizeHint(meta.shape[i]);
        if (size && *size == 0)
            return 0;
        if (!size || (meta.stride && !add((*meta.stride)[i], *size - 1)))
            return std::nullopt;
    }
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(last + 1, elementSize(meta.dtype.view()).value_or(1), &bytes) || bytes >> 63U != 0)
        return std::nullopt;
    return bytes;
}

/// Reads one config and adds its tensors.
class ConfigReader {
public:
    ConfigReader(const ZipArchive& archive, std::string folder, Program& program, bool isConstants)
        : m_archive(archive), m_folder(std::move(folder)), m_program(program), m_isConstants(isConstants),
          m_values(m_scratch, m_fault)
    {
        for (const InputSpec& input : program.signature->inputs)
            if (!input.target.empty())
                m_inputs.emplace(input.target, &input);
    }

    Result<void> read(const std::string& member, ProgressMonitor& monitor)
    {
        SUNDER_PROPAGATE(monitor.check());
        SUNDER_TRY(const std::string text, m_archive.readMember(member, kLargestTensorConfig));
        SUNDER_PROPAGATE(monitor.check());
        JsonTape tape;
        if (const Result<void> parsed = tape.parse(text, kDeepestConfig); !parsed)
            return refuse(member, parsed.error().message);
        SUNDER_PROPAGATE(monitor.check());
        StepMonitor steps(monitor);
        static constexpr std::array<std::string_view, 1> kNames = {"config"};
        if (!tape.root().is(JsonType::object))
            return refuse(member, "is not a weights config: the JSON is not an object");
        const JsonMembers members(tape.root(), kNames);
        if (!members[0] || !members[0].is(JsonType::object))
            return refuse(member, "is not a weights config: it lacks the object \"config\"");
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = members[0].firstItem(); key; key = key.nextMember()) {
            SUNDER_PROPAGATE(steps.step());
            if (!seen.insert(key.text()).second)
                return refuse(member, "names the tensor \"" + std::string(key.text()) + "\" twice");
            add(key.text(), key.memberValue());
            if (m_fault.isReported())
                return refuse(member, "tensor \"" + std::string(key.text()) + "\": " + m_fault.error().message);
        }
        m_scratch.noteUnknown("PayloadConfig", members.extra());
        std::ranges::copy(m_scratch.conditions, std::back_inserter(m_program.origin.conditions));
        return {};
    }

private:
    Result<void> refuse(const std::string& member, const std::string& message) const
    {
        return fail(ErrorCode::malformed, message, {.file = m_archive.path(), .member = member});
    }

    void add(std::string_view fqn, JsonValue payload)
    {
        if (!payload.is(JsonType::object))
            return m_fault.report("must be an object");
        const JsonMembers members(payload, kPayloadNames);
        m_scratch.noteUnknown("PayloadMeta", members.extra());
        const InternedString path = m_values.text(members[0], "path_name");
        const bool isPickled = members[2] && members[2].is(JsonType::boolean) && members[2].asBoolean();
        if (path.view().find("..") != std::string_view::npos || path.view().starts_with('/'))
            return m_fault.report("its bytes are outside the archive, at \"" + path.str() + "\"");
        if (!members[3] || members[3].is(JsonType::null)) // a custom object
            return;
        const std::shared_ptr<TensorMeta> meta = m_values.tensor(members[3], fqn);
        if (m_fault.isReported())
            return;
        const bool isParameter = members[1] && members[1].is(JsonType::boolean) && members[1].asBoolean();
        TensorEntry entry{.fqn = intern(fqn), .role = roleOf(fqn, isParameter), .persistent = true, .meta = *meta};
        if (const InputSpec* input = inputFor(entry.fqn); input != nullptr && m_isConstants)
            entry.persistent = input->persistent.value_or(true);
        if (isPickled)
            entry.extra = intern("{\"use_pickle\":true}");
        entry.storage = storageOf(path, entry.meta, isPickled);
        entry.meta.storage = m_program.tensors[entry.storage].id;
        // A view that is not a parameter inherits this from the first tensor loaded from the same bytes.
        const bool first = m_grads.try_emplace(path, meta->requiresGrad).first->second;
        if (!isParameter)
            entry.meta.requiresGrad = first;
        m_program.tensors.add(std::move(entry));
    }

    /// The input specification of a tensor; null if there is none.
    [[nodiscard]] const InputSpec* inputFor(InternedString fqn) const
    {
        const InputSpec* const* found = fqn.empty() ? nullptr : m_inputs.find(fqn);
        return found != nullptr ? *found : nullptr;
    }

    [[nodiscard]] TensorRole roleOf(std::string_view fqn, bool isParameter) const
    {
        const InputSpec* input = inputFor(intern(fqn));
        if (input != nullptr && input->kind == InputKind::parameter)
            return TensorRole::parameter;
        if (input != nullptr && input->kind == InputKind::buffer)
            return TensorRole::buffer;
        if (m_isConstants || input != nullptr)
            return TensorRole::constant;
        return isParameter ? TensorRole::parameter : TensorRole::buffer;
    }

    /// Returns the storage of a member, which all tensors in it share. A program exported with fake tensors names one empty
    /// member for all tensors, which share nothing.
    StorageId storageOf(InternedString path, const TensorMeta& meta, bool isPickled)
    {
        const std::string record = m_folder + path.str();
        const ZipMember* member = m_archive.find(record);
        const std::optional<std::uint64_t> reached = bytesReached(meta);
        if (!isPickled && !reached)
            m_fault.report("its offset or strides are invalid");
        const bool isFake = member != nullptr && member->size == 0 && reached.value_or(0) > 0;
        if (!isFake && !isPickled && member != nullptr && reached.value_or(0) > member->size)
            m_fault.report("it extends to byte " + formatCount(*reached) + ", but the size of \"" + record + "\" is "
                           + formatCount(member->size));
        if (const auto known = m_storages.find(path); known != m_storages.end() && !isFake)
            return known->second;
        Storage storage{.id = intern("s" + std::to_string(m_program.tensors.storageCount()))};
        if (isFake) {
            storage.byteCount = reached;
        } else {
            if (member != nullptr && !isPickled)
                storage.byteCount = member->size;
            storage.file = intern(m_archive.path());
            storage.record = intern(record);
            if (member != nullptr)
                storage.placeExtra = storagePlaceExtra(*member);
        }
        const StorageId id = m_program.tensors.addStorage(std::move(storage));
        if (!isFake)
            m_storages.emplace(path, id);
        return id;
    }

    const ZipArchive& m_archive;
    std::string m_folder;
    Program& m_program;
    bool m_isConstants;
    ProgramRecord m_scratch;
    ReadFault m_fault;
    ExportedProgramValues m_values;
    FlatMap<const InputSpec*> m_inputs; ///< by target
    std::unordered_map<InternedString, StorageId> m_storages;      ///< by path
    std::unordered_map<InternedString, bool> m_grads;              ///< by path
};

/// Fails unless the byte order of an archive is little-endian or unspecified.
Result<void> checkByteOrder(const ZipArchive& archive, const std::string& root)
{
    constexpr std::uint64_t kLongest = 64;
    const std::string member = root + "byteorder";
    if (archive.find(member) == nullptr)
        return {};
    SUNDER_TRY(const std::string order, archive.readMember(member, kLongest));
    if (order != "little")
        return fail(ErrorCode::unsupported, "has the byte order \"" + order + "\"; only \"little\" is supported",
                    {.file = archive.path(), .member = member});
    return {};
}

/// Adds the tensors of placeholders without storage, for programs without tensor data.
void addTensorsOfSignature(Program& program)
{
    std::size_t at = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph()[id];
        if (node.op != Op::placeholder || at == program.signature->inputs.size())
            break;
        const InputSpec& input = program.signature->inputs[at++];
        const bool isTensor = input.kind == InputKind::parameter || input.kind == InputKind::buffer
            || input.kind == InputKind::constant;
        if (!isTensor || !node.meta.val || !node.meta.val->is(ArgumentKind::tensor) || program.tensors.find(input.target))
            continue;
        const TensorRole role = input.kind == InputKind::parameter ? TensorRole::parameter
            : input.kind == InputKind::buffer                      ? TensorRole::buffer
                                                                   : TensorRole::constant;
        program.tensors.add({.fqn = input.target,
                             .role = role,
                             .persistent = input.persistent.value_or(true),
                             .meta = node.meta.val->asTensor()});
    }
}

Result<void> addPt2Tensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program,
                           ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(checkByteOrder(archive, layout.root));
    const std::string weights = layout.weightsConfig(model);
    if (layout.kind == Pt2Layout::Kind::flat || archive.find(weights) == nullptr) {
        addSavedTensors(archive, layout, model, program);
        addTensorsOfSignature(program);
        return {};
    }
    SUNDER_PROPAGATE(ConfigReader(archive, layout.weightsFolder(), program, false).read(weights, monitor));
    const std::string constants = layout.constantsConfig(model);
    if (archive.find(constants) == nullptr)
        return {};
    return ConfigReader(archive, layout.constantsFolder(), program, true).read(constants, monitor);
}

template <typename T>
tl::unexpected<Error> placed(const Result<T>& failed, const std::string& path, const std::string& member)
{
    Error error = failed.error();
    error.where.file = path;
    if (error.where.member.empty())
        error.where.member = member;
    return tl::unexpected<Error>(std::move(error));
}

Result<std::string> choose(const Pt2Layout& layout, const std::string& wanted, const std::string& path)
{
    std::string all;
    for (const std::string& model : layout.models)
        all += (all.empty() ? "" : ", ") + model;
    const bool isThere = std::find(layout.models.begin(), layout.models.end(), wanted) != layout.models.end();
    if (!wanted.empty() && !isThere)
        return fail(ErrorCode::usage, "has no program named \"" + wanted + "\"; it has: " + all, {.file = path});
    if (!wanted.empty())
        return wanted;
    if (layout.models.size() == 1)
        return layout.models.front();
    if (std::find(layout.models.begin(), layout.models.end(), "model") != layout.models.end())
        return std::string("model");
    return fail(ErrorCode::usage, "has several programs; choose one: " + all, {.file = path});
}

} // namespace

Result<Program> readPt2(const std::string& path, const Pt2ReadOptions& options, ProgressMonitor& monitor)
{
    SUNDER_TRY(std::shared_ptr<const SourceFile> file, SourceFile::open(path, monitor));
    return readPt2(std::move(file), options, monitor);
}

Result<Program> readPt2(std::shared_ptr<const SourceFile> file, const Pt2ReadOptions& options, ProgressMonitor& monitor)
{
    const std::string& path = file->path();
    SUNDER_TRY(const ZipArchive archive, ZipArchive::open(file));
    SUNDER_TRY(const Pt2Layout layout, findPt2Layout(archive));
    SUNDER_TRY(const std::string model, choose(layout, options.model, path));
    const std::string member = layout.programMember(model);
    SUNDER_TRY(ZipMemberStream stream, archive.openMember(member));
    ZipMemberSource source(std::move(stream));
    BareWordSource quoted(source); // only PyTorch versions with flat files wrote bare words
    const bool isFlat = layout.kind == Pt2Layout::Kind::flat;
    Result<Program> program = readExportedProgram(isFlat ? static_cast<ByteSource&>(quoted) : source, monitor);
    if (!program)
        return placed(program, path, member);
    if (const Result<void> added = addPt2Tensors(archive, layout, model, *program, monitor); !added)
        return placed(added, path, member);
    SUNDER_PROPAGATE(file->checkUnchanged());
    program->origin.file = path;
    program->origin.format = "pt2";
    program->origin.model = model;
    program->origin.opened = std::move(file);
    return program;
}

Result<Program> readExportedProgramJson(const std::string& path, ProgressMonitor& monitor)
{
    SUNDER_TRY(std::shared_ptr<const SourceFile> file, SourceFile::open(path, monitor));
    return readExportedProgramJson(std::move(file), monitor);
}

Result<Program> readExportedProgramJson(std::shared_ptr<const SourceFile> file, ProgressMonitor& monitor)
{
    FileSource source(*file);
    Result<Program> program = readExportedProgram(source, monitor);
    SUNDER_PROPAGATE(file->checkUnchanged());
    if (!program)
        return placed(program, file->path(), {});
    program->origin.file = file->path();
    program->origin.format = "exported-program json";
    program->origin.opened = std::move(file);
    return program;
}

} // namespace sunder
