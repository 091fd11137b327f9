#include "io/pt2_reader.h"

#include "io/exported_program_reader.h"
#include "io/exported_program_words.h"
#include "io/input_file.h"
#include "io/pt2_reader_layout.h"
#include "io/pt2_reader_tensors.h"

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
    return fail(ErrorCode::usage, "holds several programs, one has to be named: " + all, {.file = path});
}

} // namespace

Result<Program> readPt2(const std::string& path, const Pt2ReadOptions& options, ProgressMonitor& monitor)
{
    const Result<ZipArchive> archive = ZipArchive::open(path);
    if (!archive)
        return forward(archive);
    const Result<Pt2Layout> layout = findPt2Layout(*archive);
    if (!layout)
        return forward(layout);
    const Result<std::string> model = choose(*layout, options.model, path);
    if (!model)
        return forward(model);
    const std::string member = layout->programMember(*model);
    Result<ZipMemberStream> stream = archive->openMember(member);
    if (!stream)
        return forward(stream);
    ZipMemberSource source(std::move(*stream));
    BareWordSource quoted(source); // only PyTorch that wrote flat files wrote such words
    const bool isFlat = layout->kind == Pt2Layout::Kind::flat;
    Result<Program> program = readExportedProgram(isFlat ? static_cast<ByteSource&>(quoted) : source, monitor);
    if (!program)
        return placed(program, path, member);
    if (const Result<void> added = addPt2Tensors(*archive, *layout, *model, *program); !added)
        return placed(added, path, member);
    program->origin.file = path;
    program->origin.format = "pt2";
    program->origin.model = *model;
    return program;
}

Result<Program> readExportedProgramJson(const std::string& path, ProgressMonitor& monitor)
{
    Result<InputFile> in = openInputFile(path);
    if (!in)
        return forward(in);
    StreamSource source(in->stream, in->bytes);
    Result<Program> program = readExportedProgram(source, monitor);
    if (!program)
        return placed(program, path, {});
    program->origin.file = path;
    program->origin.format = "exported-program json";
    return program;
}

} // namespace sunder
