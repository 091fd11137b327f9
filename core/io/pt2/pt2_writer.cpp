#include "io/pt2/pt2_writer.h"

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "io/pt2/pt2_reader_layout.h"
#include "io/pt2/pt2_saved_tensors.h"
#include "io/pt2/pt2_writer_program.h"
#include "io/pt2/pt2_writer_weights.h"
#include "io/sympy/size_assumptions.h"
#include "io/torch_save/storage_archives.h"
#include "support/file.h"

#include <algorithm>
#include <filesystem>

namespace sunder {
namespace {

constexpr std::string_view kRoot = "archive/";

/// The archive that the program was read from, as it was then; nothing when it was not read from one. Fails when it has
/// changed since.
Result<std::optional<ZipArchive>> openSource(const Program& program)
{
    const ProgramOrigin& origin = program.origin;
    std::error_code error;
    if (origin.opened ? origin.format != "pt2" : !std::filesystem::is_regular_file(origin.file, error))
        return std::nullopt;
    Result<ZipArchive> archive = origin.opened ? ZipArchive::open(origin.opened) : ZipArchive::open(origin.file);
    if (archive)
        return std::optional(*std::move(archive));
    return origin.opened ? Result<std::optional<ZipArchive>>(forward(archive)) : std::nullopt;
}

std::string modelName(const Program& program)
{
    return program.origin.model.empty() ? "model" : program.origin.model;
}

/// The member that holds the program in an archive whose weights lie together in one torch.save file; empty for an
/// archive with raw weights.
std::string programOfOldContainer(const ZipArchive& source, const Program& program)
{
    const std::string root = source.commonRoot();
    if (source.find(root + std::string(kFlatProgram)) != nullptr)
        return root + std::string(kFlatProgram);
    for (const char* folder : {"data/weights/", "data/constants/"})
        if (source.find(root + folder + modelName(program) + ".pt") != nullptr)
            return root + "models/" + modelName(program) + ".json";
    return {};
}

Result<void> writeProgram(const Program& program, const Pt2WriteOptions& options, ZipWriter& zip, const std::string& member,
                          ProgressMonitor& monitor)
{
    zip.begin(member);
    return writeExportedProgram(
        program, {.isPart = options.isPart, .bareInfinities = member == kFlatProgram},
        [&zip](std::string_view text) { zip.append(std::span(text.data(), text.size())); }, monitor);
}

Result<void> copyMember(const ZipArchive& source, const std::string& member, const std::string& name, ZipWriter& zip,
                        ProgressMonitor& monitor)
{
    zip.begin(name);
    const Result<void> copied = source.copyMember(member, [&](std::span<const char> bytes) {
        zip.append(bytes);
        return zip.isGood() && !monitor.isCancelled();
    });
    if (monitor.isCancelled())
        return fail(ErrorCode::cancelled, "writing was stopped");
    return zip.isGood() ? copied : Result<void>();
}

/// Example inputs; an empty member says that there are none.
bool isSampleInputs(std::string_view member)
{
    return member.ends_with("serialized_example_inputs.pt") || member.find("data/sample_inputs/") != std::string_view::npos;
}

void writeSample(const InputSpec& input, std::size_t number, const Program& program, const PartSamples& samples,
                 TorchSaveWriter& writer)
{
    if (partSampleOf(samples, input, number) == PartSample::source)
        return samples.source->write(samples.inputs[number], writer);
    const std::optional<Argument> value = input.value.is(ArgumentKind::node)
        ? program.rootGraph().node(input.value.asNode()).meta.val
        : std::optional(input.value);
    if (!value)
        return writer.none();
    switch (value->kind()) {
    case ArgumentKind::tensor: return writer.zeros(value->asTensor());
    case ArgumentKind::symbolic: return writer.integer(value->asSymbolic().integerHint().value_or(2));
    case ArgumentKind::boolean: return writer.boolean(value->asBoolean());
    case ArgumentKind::integer: return writer.integer(value->asInteger());
    case ArgumentKind::floating: return writer.floating(value->asFloating());
    case ArgumentKind::string: return writer.text(value->text().view());
    default: return writer.none();
    }
}

/// ((inputs …), {}), or an empty member without samples.
Result<void> writeSamples(const Program& program, const Pt2WriteOptions& options, ZipWriter& zip, const std::string& member,
                          ProgressMonitor& monitor)
{
    if (!options.samples) {
        zip.add(member, {});
        return {};
    }
    TorchSaveWriter writer;
    writer.beginTuple();
    writer.beginTuple();
    std::size_t number = 0;
    for (const InputSpec& input : program.signature->inputs)
        if (input.kind == InputKind::user)
            writeSample(input, number++, program, *options.samples, writer);
    writer.endTuple();
    writer.beginDict();
    writer.endDict();
    writer.endTuple();
    return writer.write(zip, member, monitor);
}

/// The tensors of the program that lie in a torch.save file of the source; nothing when not all that it may hold of the
/// program's is known.
std::optional<std::vector<TensorId>> tensorsWithin(const Program& program, const std::string& member)
{
    const bool holdsObjects = std::ranges::any_of(program.signature->inputs,
                                                  [](const InputSpec& input) { return input.kind == InputKind::object; });
    std::vector<TensorId> found;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorEntry& facts = program.tensors[program.tensors.object(TensorId(i))];
        if (!facts.storage || program.tensors[facts.storage].record.empty())
            return std::nullopt;
        if (program.tensors[facts.storage].record.view().starts_with(member + "/"))
            found.push_back(TensorId(i));
    }
    return holdsObjects ? std::nullopt : std::optional(std::move(found));
}

/// The weights that a part reads, out of a torch.save file; all of them where it cannot be told which.
Result<void> writeSavedTensors(const Program& program, const Pt2WriteOptions& options, const ZipArchive& source,
                               const std::string& member, ZipWriter& zip, ProgressMonitor& monitor)
{
    const std::optional<std::vector<TensorId>> tensors = tensorsWithin(program, member);
    if (!tensors) {
        if (options.remark)
            options.remark("it holds all of " + member + " of the source, since not all of its weights are understood");
        return copyMember(source, member, member, zip, monitor);
    }
    TorchSaveWriter writer;
    StorageArchives archives(program, monitor);
    writer.beginDict();
    for (const TensorId id : *tensors) {
        const TensorEntry& facts = program.tensors[program.tensors.object(id)];
        const Result<StorageRecord> record = archives.find(program.tensors[facts.storage]);
        if (!record)
            return forward(record);
        writer.text(program.tensors[id].fqn.view());
        writer.tensor(facts.meta, *record->archive, *record->member, program.tensors[id].role == TensorRole::parameter);
    }
    writer.endDict();
    return writer.write(zip, member, monitor);
}

/// What the flat zip has had since schema 8, made for sources that are older: PyTorch goes by `version`, and wants
/// every member to be there.
void completeFlat(const ZipArchive& source, ZipWriter& zip)
{
    for (const std::string name : {"serialized_constants", "serialized_example_inputs"})
        if (source.find(name + ".pt") == nullptr && source.find(name + ".json") == nullptr)
            zip.add(name + ".pt", {});
}

bool isOldVersion(const ZipArchive& source, const ZipMember& member)
{
    if (member.name != "version")
        return false;
    const Result<std::string> text = source.readMember(member.name, 64);
    return text && !text->starts_with("8.");
}

/// The container that the program came in with another program in place of its own.
Result<void> writeOldContainer(const Program& program, const Pt2WriteOptions& options, const ZipArchive& source,
                               const std::string& programMember, ZipWriter& zip, ProgressMonitor& monitor)
{
    const std::vector<std::string> saved = savedTensorMembers(source, source.commonRoot(), modelName(program));
    for (const ZipMember& member : source.members()) {
        if (member.name.ends_with('/'))
            continue;
        Result<void> written = {};
        if (member.name == programMember)
            written = writeProgram(program, options, zip, member.name, monitor);
        else if (isOldVersion(source, member))
            zip.add(member.name, "8.2");
        else if (options.isPart && isSampleInputs(member.name))
            written = writeSamples(program, options, zip, member.name, monitor);
        else if (options.isPart && std::ranges::find(saved, member.name) != saved.end())
            written = writeSavedTensors(program, options, source, member.name, zip, monitor);
        else
            written = copyMember(source, member.name, member.name, zip, monitor);
        if (!written)
            return written;
    }
    if (programMember == kFlatProgram)
        completeFlat(source, zip);
    return {};
}

/// What a source holds besides program and weights.
Result<void> copyExtras(const Program& program, const ZipArchive& source, ZipWriter& zip, ProgressMonitor& monitor)
{
    const std::string root = source.commonRoot();
    const std::string samples = root + "data/sample_inputs/" + modelName(program) + ".pt";
    for (const ZipMember& member : source.members()) {
        const bool isExtra = member.name.starts_with(root + "extra/") && !member.name.ends_with('/');
        if (member.name != samples && !isExtra)
            continue;
        const std::string name = isExtra ? member.name.substr(root.size()) : "data/sample_inputs/model.pt";
        if (const Result<void> copied = copyMember(source, member.name, std::string(kRoot) + name, zip, monitor); !copied)
            return copied;
    }
    return {};
}

Result<void> writeArchive(const Program& program, const Pt2WriteOptions& options, const ZipArchive* source, ZipWriter& zip,
                          ProgressMonitor& monitor)
{
    const std::string root(kRoot);
    zip.add(root + "archive_format", "pt2");
    zip.add(root + "archive_version", "0");
    zip.add(root + ".data/version", "6\n");
    zip.add(root + "byteorder", "little");
    if (const Result<void> written = writeProgram(program, options, zip, root + "models/model.json", monitor); !written)
        return written;
    if (const Result<void> written = Pt2WeightsWriter(program, zip, root, monitor).write(); !written)
        return written;
    const std::string samples = "data/sample_inputs/" + modelName(program) + ".pt";
    const bool copies = source != nullptr && !options.isPart;
    if (!copies || source->find(source->commonRoot() + samples) == nullptr)
        if (const Result<void> written = writeSamples(program, options, zip, root + "data/sample_inputs/model.pt", monitor);
            !written)
            return written;
    return copies ? copyExtras(program, *source, zip, monitor) : Result<void>();
}

} // namespace

PartSample partSampleOf(const PartSamples& samples, const InputSpec& input, std::size_t number)
{
    if (!input.value.is(ArgumentKind::node))
        return PartSample::literal;
    const bool isKnown = number < samples.inputs.size() && samples.source->knows(samples.inputs[number]);
    return isKnown ? PartSample::source : PartSample::filler;
}

Result<void> writePt2(const Program& program, const std::string& path, const Pt2WriteOptions& options, ProgressMonitor& monitor)
{
    if (program.fileHints) { // what somebody assumes to see figures is no fact of the export
        Program exported = program;
        takeFileSizes(exported);
        return writePt2(exported, path, options, monitor);
    }
    Result<void> written = writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        const Result<std::optional<ZipArchive>> opened = openSource(program);
        if (!opened)
            return forward(opened);
        const std::optional<ZipArchive>& source = *opened;
        const std::string oldProgram = source ? programOfOldContainer(*source, program) : std::string();
        ZipWriter zip(out);
        const Result<void> done = oldProgram.empty() ? writeArchive(program, options, source ? &*source : nullptr, zip, monitor)
                                                     : writeOldContainer(program, options, *source, oldProgram, zip, monitor);
        if (source && source->file())
            if (const Result<void> unchanged = source->file()->checkUnchanged(); !unchanged)
                return unchanged;
        if (!done)
            return done;
        zip.finish();
        return {};
    });
    if (!written && written.error().where.file.empty())
        written.error().where.file = path;
    return written;
}

} // namespace sunder
