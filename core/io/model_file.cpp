#include "io/model_file.h"

#include "analysis/training/training_modules.h"
#include "io/archives/gzip.h"
#include "io/archives/source_file.h"
#include "io/fx_json/fx_json_reader.h"
#include "io/pt2/pt2_reader.h"
#include "io/side_files/side_file_kind.h"
#include "ir/reader_stacks.h"
#include "support/json_tape.h"

#include <algorithm>

namespace sunder {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHeadBytes = 4096;
constexpr std::string_view kWhiteSpace = " \t\r\n";

struct Signature {
    std::size_t at;
    std::string_view bytes;
    std::string_view name;
};

constexpr std::array kSignatures = {
    Signature{0, "\x80\x02"sv, "a Python pickle (torch.save); save the model with torch.export.save"},
    Signature{0, "\x80\x03"sv, "a Python pickle; save the model with torch.export.save"},
    Signature{0, "\x80\x04"sv, "a Python pickle; save the model with torch.export.save"},
    Signature{0, "\x80\x05"sv, "a Python pickle; save the model with torch.export.save"},
    Signature{0, "\x89PNG"sv, "a picture (PNG)"},
    Signature{0, "\xff\xd8\xff"sv, "a picture (JPEG)"},
    Signature{0, "%PDF"sv, "a PDF document"},
    Signature{0,
              "\x7f"
              "ELF"sv,
              "a compiled program"},
    Signature{0, "\x89HDF"sv, "an HDF5 file (Keras); save a PyTorch model with torch.export.save"},
    Signature{0, "GGUF"sv, "a GGUF file, which holds weights without a graph"},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model"},
    Signature{257, "ustar"sv, "a tar archive; unpack it first"},
    Signature{0, "<!DOCTYPE"sv, "a web page, as after a failed download"},
    Signature{0, "<!doctype"sv, "a web page, as after a failed download"},
    Signature{0, "<html"sv, "a web page, as after a failed download"},
    Signature{0, "<?xml"sv, "an XML file"},
    Signature{0, "<svg"sv, "a picture (SVG)"},
    Signature{0, "digraph"sv, "a Graphviz graph, which lacks most of a program"},
    Signature{0, "strict digraph"sv, "a Graphviz graph, which lacks most of a program"},
    Signature{0, "\xff\xfe"sv, "text in UTF-16; convert it to UTF-8"},
    Signature{0, "\xfe\xff"sv, "text in UTF-16; convert it to UTF-8"},
    Signature{0, "\xef\xbb\xbf"sv, "text with a byte order mark; remove that mark"},
    Signature{0, "7z\xbc\xaf"sv, "a 7-Zip archive; unpack it first"},
    Signature{0, "BZh"sv, "a bzip2 file; unpack it first"},
    Signature{0,
              "\xfd"
              "7zXZ"sv,
              "an xz file; unpack it first"},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "a zstd file; unpack it first"},
};

/// ONNX ModelProto: field 1 (ir_version, a small number), then a length-delimited field 2 or higher.
bool isOnnx(std::string_view head)
{
    return head.size() > 3 && head[0] == '\x08' && head[1] > 0 && head[1] < 32
        && (head[2] == '\x12' || head[2] == '\x3a' || head[2] == '\x42');
}

/// safetensors: the length of a JSON header in eight bytes, then the header.
bool isSafetensors(std::string_view head)
{
    return head.size() > 9 && head[6] == '\0' && head[7] == '\0' && head.substr(8, 2) == "{\"";
}

/// True if the first line is an fx-json object with a kind, or the start of one.
bool beginsAsFxJson(std::string_view head)
{
    const std::string_view line = head.substr(0, head.find('\n'));
    if (line.starts_with(R"({"k":)") || line.starts_with(R"({"k" :)"))
        return true;
    JsonTape tape;
    if (!tape.parse(line, 64) || !tape.root().is(JsonType::object))
        return false;
    for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember())
        if (key.text() == "k")
            return true;
    return false;
}

Result<Program> refuseContent(std::string_view head, const std::string& path)
{
    const std::string_view name = nameOfContent(head);
    return fail(ErrorCode::unsupported,
                name.empty() ? "is not a model: neither .pt2, nor JSON of an exported program, nor fx-json"
                             : "is " + std::string(name),
                {.file = path});
}

} // namespace

ModelFileKind modelFileKind(std::string_view head)
{
    if (head.empty())
        return ModelFileKind::empty;
    if (isGzip(head))
        return ModelFileKind::fxJson;
    if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06"))
        return ModelFileKind::archive;
    if (head.starts_with("version https://git-lfs"))
        return ModelFileKind::lfsPointer;
    const std::size_t start = head.find_first_not_of(kWhiteSpace);
    if (start == std::string_view::npos)
        return ModelFileKind::other;
    if (head[start] != '{' && head[start] != '[')
        return ModelFileKind::other;
    return beginsAsFxJson(head.substr(start)) ? ModelFileKind::fxJson : ModelFileKind::exportedProgram;
}

std::string_view nameOfContent(std::string_view head)
{
    for (const Signature& signature : kSignatures)
        if (head.size() >= signature.at && head.substr(signature.at).starts_with(signature.bytes))
            return signature.name;
    if (isOnnx(head))
        return "an ONNX model, which is not supported; save the model with torch.export.save";
    if (isSafetensors(head))
        return "a safetensors file, which holds weights without a graph";
    return {};
}

namespace {

/// Reads the file without adding anything to the program.
Result<Program> readAsItIs(const std::string& path, const ReadModelOptions& options, ProgressMonitor& monitor)
{
    SUNDER_TRY(const std::shared_ptr<const SourceFile> file, SourceFile::open(path, monitor));
    std::string head(kHeadBytes, '\0');
    SUNDER_TRY(const std::size_t count, file->read(0, head));
    head.resize(count);
    const ModelFileKind kind = modelFileKind(head);
    switch (kind) {
    case ModelFileKind::archive: return readPt2(file, {.model = options.model}, monitor);
    case ModelFileKind::empty: return fail(ErrorCode::malformed, "is empty", {.file = path});
    case ModelFileKind::lfsPointer:
        return fail(ErrorCode::unsupported, "is a Git LFS pointer, not the model; fetch it with \"git lfs pull\"",
                    {.file = path});
    case ModelFileKind::other: return refuseContent(head, path);
    case ModelFileKind::fxJson:
    case ModelFileKind::exportedProgram: break;
    }
    if (!options.model.empty() && options.model != "model")
        return fail(ErrorCode::usage, "has only one program, none named \"" + options.model + '"', {.file = path});
    if (kind == ModelFileKind::fxJson)
        return readFxJson(file, monitor);
    if (const std::string_view side = nameOfSideFile(head); !side.empty())
        return fail(ErrorCode::unsupported, "is " + std::string(side), {.file = path});
    return readExportedProgramJson(file, monitor);
}

} // namespace

Result<Program> readModel(const std::string& path, const ReadModelOptions& options, ProgressMonitor& monitor)
{
    Result<Program> program = readAsItIs(path, options, monitor);
    if (!program)
        return program;
    SUNDER_PROPAGATE(monitor.check());
    placeByReaders(*program);
    SUNDER_PROPAGATE(monitor.check());
    SUNDER_PROPAGATE(placeTrainingModules(*program, monitor));
    SUNDER_PROPAGATE(monitor.check());
    return program;
}

} // namespace sunder
