#include "io/pt2/pt2_reader.h"

#include "io/exported_program/exported_program_reader.h"
#include "io/exported_program/exported_program_words.h"
#include "io/pt2/pt2_reader_layout.h"
#include "io/pt2/pt2_reader_tensors.h"

#include <algorithm>

namespace sunder {
namespace {

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
        return fail(ErrorCode::usage, "has no program called \"" + wanted + "\"; there is: " + all, {.file = path});
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
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path, monitor);
    return file ? readPt2(std::move(*file), options, monitor) : Result<Program>(forward(file));
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
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path, monitor);
    return file ? readExportedProgramJson(std::move(*file), monitor) : Result<Program>(forward(file));
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
