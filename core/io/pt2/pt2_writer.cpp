#include "io/pt2/pt2_writer.h"

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "io/pt2/pt2_programs.h"
#include "io/pt2/pt2_reader_layout.h"
#include "io/pt2/pt2_saved_tensors.h"
#include "io/pt2/pt2_schema.h"
#include "io/pt2/pt2_writer_program.h"
#include "io/pt2/pt2_writer_weights.h"
#include "io/sympy/size_assumptions.h"
#include "io/torch_save/storage_archives.h"
#include "io/torch_save/torch_save_writer.h"
#include "ir/program.h"
#include "support/file.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {
namespace {

const InputSpec* firstObject(const Program& program)
{
    const auto found = std::ranges::find(program.signature->inputs, InputKind::object, &InputSpec::kind);
    return found == program.signature->inputs.end() ? nullptr : &*found;
}

Result<void> addTensor(const Program& program, TensorId id, StorageArchives& archives, TorchSaveWriter& writer)
{
    const TensorEntry& facts = program.tensors[program.tensors.object(id)];
    const std::string name = program.tensors[id].fqn.str();
    if (isPickledTensor(facts))
        return fail(ErrorCode::refused,
                    name
                        + " is a tensor of a custom class, which can only be copied, unread, to a file for PyTorch 2.9 or later");
    if (!facts.storage)
        return fail(ErrorCode::refused, "the location of the bytes of " + name + " is unknown");
    writer.text(name);
    const Storage& storage = program.tensors[facts.storage];
    if (storage.record.empty() && program.origin.format == "pt2") {
        writer.zeros(facts.meta);
        return {};
    }
    SUNDER_TRY(const StorageRecord record, archives.find(storage));
    writer.tensor(facts.meta, *record.archive, *record.member, program.tensors[id].role == TensorRole::parameter);
    return {};
}

/// Returns the tensors of the program that are in a torch.save file of its source. Nothing if its contents are not completely
/// known.
std::optional<std::vector<TensorId>> tensorsWithin(const Program& program, const std::string& member)
{
    std::vector<TensorId> found;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorEntry& facts = program.tensors[program.tensors.object(TensorId(i))];
        if (!facts.storage || program.tensors[facts.storage].record.empty())
            return std::nullopt;
        if (program.tensors[facts.storage].record.view().starts_with(member + "/"))
            found.push_back(TensorId(i));
    }
    return firstObject(program) != nullptr ? std::nullopt : std::optional(std::move(found));
}

/// Writes tensors by name as the torch.save file `member`, copying their storages piece by piece. Tensors without data (from
/// exports with fake tensors) become zeros. Errors: refused for custom tensor classes and unknown locations of data; errors of
/// the storages' archives; cancelled.
Result<void> writeSavedTensors(const Program& program, std::span<const TensorId> tensors, const std::string& member,
                               ZipWriter& zip, ProgressMonitor& monitor)
{
    TorchSaveWriter writer;
    StorageArchives archives(program, monitor);
    writer.beginDict();
    for (const TensorId id : tensors)
        if (const Result<void> added = addTensor(program, id, archives, writer); !added)
            return added;
    writer.endDict();
    return writer.write(zip, member, monitor);
}

/// Writes all tensors of a program into two torch.save files, as in PyTorch 2.8 and earlier: `weights` with the contents of
/// state_dict(), and `constants` with the rest. Errors: as above, and refused for custom objects, whose pickles cannot be merged.
Result<void> writeSavedContents(const Program& program, const std::string& weights, const std::string& constants, ZipWriter& zip,
                                ProgressMonitor& monitor)
{
    if (const InputSpec* object = firstObject(program))
        return fail(ErrorCode::refused,
                    "the custom object " + object->target.str() + " can only be written for PyTorch 2.9 or later");
    std::vector<TensorId> ofState;
    std::vector<TensorId> others;
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
        (isOfStateDict(program, TensorId(i)) ? ofState : others).push_back(TensorId(i));
    SUNDER_PROPAGATE(writeSavedTensors(program, ofState, weights, zip, monitor));
    return writeSavedTensors(program, others, constants, zip, monitor);
}

/// Names of the `.pt2` members that belong to one program.
struct Pt2Members {
    std::string root; ///< with its slash; empty for the flat container
    std::string program;
    std::string weights; ///< a torch.save file; empty if weights are raw records
    std::string constants; ///< the same for constants
    std::string samples; ///< example inputs
    std::string extras; ///< prefix of extra files
};

/// Returns the member names for writing a container. torch.export.load reads the program with the name "model".
Pt2Members pt2MembersOf(Pt2Container container, const std::string& root = "archive/", const std::string& model = "model");

Pt2Members pt2MembersOf(Pt2Container container, const std::string& root, const std::string& model)
{
    if (container == Pt2Container::flat)
        return {.root = {},
                .program = std::string(kFlatProgram),
                .weights = "serialized_state_dict.pt",
                .constants = "serialized_constants.pt",
                .samples = "serialized_example_inputs.pt",
                .extras = "extra_files/"};
    const bool isSaved = container == Pt2Container::saved;
    return {.root = root,
            .program = root + "models/" + model + ".json",
            .weights = isSaved ? root + "data/weights/" + model + ".pt" : std::string(),
            .constants = isSaved ? root + "data/constants/" + model + ".pt" : std::string(),
            .samples = root + "data/sample_inputs/" + model + ".pt",
            .extras = root + "extra/"};
}

/// Returns the container kind of an archive with that program.
Pt2Container pt2ContainerOf(const ZipArchive& archive, const std::string& model)
{
    const std::string root = archive.commonRoot();
    if (archive.find(root + std::string(kFlatProgram)) != nullptr)
        return Pt2Container::flat;
    const Pt2Members saved = pt2MembersOf(Pt2Container::saved, root, model);
    return archive.find(saved.weights) != nullptr || archive.find(saved.constants) != nullptr ? Pt2Container::saved
                                                                                              : Pt2Container::raw;
}

/// Returns the name of the program in its archive, else "model".
std::string pt2ModelName(const Program& program)
{
    return program.origin.model.empty() ? "model" : program.origin.model;
}

constexpr std::string_view kFlatVersion = "version"; ///< the member of the flat container that identifies it to PyTorch

/// Returns the archive that the program was read from, or nothing if there is none. Fails if it has changed since.
Result<std::optional<ZipArchive>> openSource(const Program& program)
{
    const ProgramOrigin& origin = program.origin;
    std::error_code error;
    if (origin.opened ? origin.format != "pt2" : !std::filesystem::is_regular_file(origin.file, error))
        return std::nullopt;
    Result<ZipArchive> archive = origin.opened ? ZipArchive::open(origin.opened) : ZipArchive::open(origin.file);
    if (archive)
        return std::optional(*std::move(archive));
    if (origin.opened)
        SUNDER_PROPAGATE(std::move(archive));
    return std::nullopt;
}

Result<void> writeProgram(const Program& program, const Pt2WriteOptions& options, ZipWriter& zip, const std::string& member,
                          ProgressMonitor& monitor)
{
    zip.begin(member);
    return writeExportedProgram(
        program, {.isPart = options.isPart, .target = options.target},
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
    SUNDER_PROPAGATE(monitor.check());
    return zip.isGood() ? copied : Result<void>();
}

/// True for example inputs. An empty member means that there are none.
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

/// Writes ((inputs …), {}), or an empty member without samples.
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

/// Writes only those weights of a torch.save file that the part reads, or all if they are unknown.
Result<void> writePartOfSaved(const Program& program, const Pt2WriteOptions& options, const ZipArchive& source,
                              const std::string& member, ZipWriter& zip, ProgressMonitor& monitor)
{
    if (const std::optional<std::vector<TensorId>> tensors = tensorsWithin(program, member))
        return writeSavedTensors(program, *tensors, member, zip, monitor);
    if (options.remark)
        options.remark("the file contains all of " + member
                       + " of the source, because some weights in it are of an unknown form");
    return copyMember(source, member, member, zip, monitor);
}

/// Adds the members that the flat zip requires since schema 7 but older sources lack. PyTorch checks `version` and expects every
/// member.
void completeFlat(const ZipArchive& source, ZipWriter& zip)
{
    for (const std::string name : {"serialized_constants", "serialized_example_inputs"})
        if (source.find(name + ".pt") == nullptr && source.find(name + ".json") == nullptr)
            zip.add(name + ".pt", {});
}

/// Copies the source container with a different program.
Result<void> writeIntoCopy(const Program& program, const Pt2WriteOptions& options, const ZipArchive& source,
                           const std::string& programMember, ZipWriter& zip, ProgressMonitor& monitor)
{
    const std::vector<std::string> saved = savedTensorMembers(source, source.commonRoot(), pt2ModelName(program));
    const bool isFlat = programMember == kFlatProgram;
    for (const ZipMember& member : source.members()) {
        if (member.name.ends_with('/'))
            continue;
        Result<void> written = {};
        if (member.name == programMember)
            written = writeProgram(program, options, zip, member.name, monitor);
        else if (isFlat && member.name == kFlatVersion)
            zip.add(member.name, options.target->version());
        else if (options.isPart && isSampleInputs(member.name))
            written = writeSamples(program, options, zip, member.name, monitor);
        else if (options.isPart && std::ranges::find(saved, member.name) != saved.end())
            written = writePartOfSaved(program, options, source, member.name, zip, monitor);
        else
            written = copyMember(source, member.name, member.name, zip, monitor);
        if (!written)
            return written;
    }
    if (isFlat)
        completeFlat(source, zip);
    return {};
}

/// Writes the small members that identify the archive format.
void writeMarks(const Pt2Members& members, const Pt2Schema& schema, ZipWriter& zip)
{
    if (schema.container() == Pt2Container::flat)
        return zip.add(std::string(kFlatVersion), schema.version());
    zip.add(members.root + "archive_format", "pt2");
    zip.add(members.root + "archive_version", "0");
    zip.add(members.root + ".data/version", "6\n");
    zip.add(members.root + "byteorder", "little");
}

/// Copies all members of the source except program and weights.
Result<void> copyExtras(const Pt2Members& from, const ZipArchive& source, const Pt2Members& to, ZipWriter& zip,
                        ProgressMonitor& monitor)
{
    for (const ZipMember& member : source.members()) {
        const bool isExtra = member.name.starts_with(from.extras) && !member.name.ends_with('/');
        if (member.name != from.samples && !isExtra)
            continue;
        const std::string name = isExtra ? to.extras + member.name.substr(from.extras.size()) : to.samples;
        SUNDER_PROPAGATE(copyMember(source, member.name, name, zip, monitor));
    }
    return {};
}

/// Writes a new container and copies the weights from their current locations.
Result<void> writeNew(const Program& program, const Pt2WriteOptions& options, const ZipArchive* source, ZipWriter& zip,
                      ProgressMonitor& monitor)
{
    const Pt2Container container = options.target->container();
    const Pt2Members members = pt2MembersOf(container);
    writeMarks(members, *options.target, zip);
    SUNDER_PROPAGATE(writeProgram(program, options, zip, members.program, monitor));
    const Result<void> contents = container == Pt2Container::raw
        ? Pt2WeightsWriter(program, *options.target, zip, members.root, monitor).write()
        : writeSavedContents(program, members.weights, members.constants, zip, monitor);
    if (!contents)
        return contents;
    const std::string name = pt2ModelName(program);
    const Pt2Members from = source == nullptr ? Pt2Members()
                                              : pt2MembersOf(pt2ContainerOf(*source, name), source->commonRoot(), name);
    const bool copies = source != nullptr && !options.isPart;
    if (copies && options.remark && holdsCompiledCode(program))
        options.remark(kCompiledCodeStays);
    if (!copies || source->find(from.samples) == nullptr)
        if (const Result<void> written = writeSamples(program, options, zip, members.samples, monitor); !written)
            return written;
    return copies ? copyExtras(from, *source, members, zip, monitor) : Result<void>();
}

/// Returns the first graph input that is a size; null if there is none.
const Node* sizeInput(const Program& program)
{
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes())
            if (const Node& node = graph[id];
                node.op == Op::placeholder && node.meta.val && node.meta.val->is(ArgumentKind::symbolic))
                return &node;
    return nullptr;
}

/// Checks for inputs that are sizes, which PyTorch up to 2.7 cannot load. Fails if the user requested such a release; otherwise
/// only adds a remark, because later releases can load the file.
Result<void> checkSizeInputs(const Program& program, const Pt2WriteOptions& options, const Pt2Schema& schema)
{
    const Node* input = schema.hasSizeInputs() ? nullptr : sizeInput(program);
    if (input == nullptr)
        return {};
    const std::string why = "it takes the size " + input->name.str() + " as an input, which PyTorch 2.8 and later can load and "
        + schema.torch() + " cannot";
    if (options.target)
        return fail(ErrorCode::refused, why + "; cut where no size crosses, or choose a later release",
                    {.node = input->name.str()});
    if (options.remark)
        options.remark(why);
    return {};
}

/// Writes the container of the requested target, else that of the source in the style of its release.
Result<void> writeContainer(const Program& program, const Pt2WriteOptions& options, const ZipArchive* source, ZipWriter& zip,
                            ProgressMonitor& monitor)
{
    Pt2WriteOptions settled = options;
    settled.target = options.target.value_or(pt2SchemaOf(program));
    SUNDER_PROPAGATE(checkSizeInputs(program, options, *settled.target));
    if (source != nullptr) {
        const std::string name = pt2ModelName(program);
        const Pt2Container container = pt2ContainerOf(*source, name);
        if (container != Pt2Container::raw && (!options.target || container == settled.target->container()))
            return writeIntoCopy(program, settled, *source, pt2MembersOf(container, source->commonRoot(), name).program, zip,
                                 monitor);
        if (!options.target && container == Pt2Container::raw && settled.target->container() != container)
            settled.target = Pt2Schema(); // a raw container shows that the recorded older version is wrong
    }
    return writeNew(program, settled, source, zip, monitor);
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
    if (program.fileHints) { // assumed sizes are not part of the export
        Program exported = program;
        takeFileSizes(exported);
        return writePt2(exported, path, options, monitor);
    }
    Result<void> written = writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        SUNDER_TRY(const std::optional<ZipArchive> opened, openSource(program));
        const std::optional<ZipArchive>& source = opened;
        ZipWriter zip(out);
        const Result<void> done = writeContainer(program, options, source ? &*source : nullptr, zip, monitor);
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
