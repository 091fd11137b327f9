#include "io/pt2_writer.h"

#include "io/pt2_writer_program.h"
#include "io/pt2_writer_weights.h"
#include "io/zip_archive.h"
#include "io/zip_writer.h"
#include "support/file.h"

#include <filesystem>

namespace sunder {
namespace {

constexpr std::string_view kRoot = "archive/";
constexpr std::string_view kFlatProgram = "serialized_exported_program.json";

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

Result<void> writeProgram(const Program& program, const Pt2WriteOptions& options, ZipWriter& zip,
                          const std::string& member)
{
    zip.begin(member);
    return writeExportedProgram(program, {.isPart = options.isPart, .bareInfinities = member == kFlatProgram},
                                [&zip](std::string_view text) { zip.append(std::span(text.data(), text.size())); });
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

/// Example inputs, which a part has no use for: an empty member says that there are none.
bool isSampleInputs(std::string_view member)
{
    return member.ends_with("serialized_example_inputs.pt") || member.find("data/sample_inputs/") != std::string_view::npos;
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
    for (const ZipMember& member : source.members()) {
        if (member.name.ends_with('/'))
            continue;
        Result<void> written = {};
        if (member.name == programMember)
            written = writeProgram(program, options, zip, member.name);
        else if (isOldVersion(source, member))
            zip.add(member.name, "8.2");
        else if (options.isPart && isSampleInputs(member.name))
            zip.add(member.name, {});
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

Result<void> writeArchive(const Program& program, const Pt2WriteOptions& options, const ZipArchive* source,
                          ZipWriter& zip, ProgressMonitor& monitor)
{
    const std::string root(kRoot);
    zip.add(root + "archive_format", "pt2");
    zip.add(root + "archive_version", "0");
    zip.add(root + ".data/version", "6\n");
    zip.add(root + "byteorder", "little");
    if (const Result<void> written = writeProgram(program, options, zip, root + "models/model.json"); !written)
        return written;
    if (const Result<void> written = Pt2WeightsWriter(program, zip, root, monitor).write(); !written)
        return written;
    const std::string samples = "data/sample_inputs/" + modelName(program) + ".pt";
    const bool copies = source != nullptr && !options.isPart;
    if (!copies || source->find(source->commonRoot() + samples) == nullptr)
        zip.add(root + "data/sample_inputs/model.pt", {});
    return copies ? copyExtras(program, *source, zip, monitor) : Result<void>();
}

} // namespace

Result<void> writePt2(const Program& program, const std::string& path, const Pt2WriteOptions& options,
                      ProgressMonitor& monitor)
{
    Result<void> written = writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        const Result<std::optional<ZipArchive>> opened = openSource(program);
        if (!opened)
            return forward(opened);
        const std::optional<ZipArchive>& source = *opened;
        const std::string oldProgram = source ? programOfOldContainer(*source, program) : std::string();
        ZipWriter zip(out);
        const Result<void> done = oldProgram.empty()
                                      ? writeArchive(program, options, source ? &*source : nullptr, zip, monitor)
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
