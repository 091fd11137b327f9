#include "io/pt2/pt2_reader_layout.h"

#include <algorithm>
#include <set>

namespace sunder {
namespace {

constexpr std::string_view kModels = "models/";
constexpr std::string_view kJson = ".json";
constexpr const char* kAdvice = "export the model again with torch.export.save";

tl::unexpected<Error> notAProgram(const ZipArchive& archive, const std::string& message, ErrorCode code)
{
    return fail(code, message, {.file = archive.path()});
}

bool anyMember(const ZipArchive& archive, std::string_view part)
{
    return std::any_of(archive.members().begin(), archive.members().end(),
                       [part](const ZipMember& member) { return member.name.find(part) != std::string::npos; });
}

/// Describes an archive without a program.
tl::unexpected<Error> describeOther(const ZipArchive& archive)
{
    if (archive.members().empty())
        return notAProgram(archive, "is an archive without members", ErrorCode::malformed);
    std::set<std::string> roots;
    for (const ZipMember& member : archive.members())
        if (member.name.find('/') != std::string::npos)
            roots.insert(member.name.substr(0, member.name.find('/')));
    if (anyMember(archive, "/archive_format") && roots.size() > 1)
        return notAProgram(archive,
                           "has several root folders, \"" + *roots.begin() + "\" and \"" + *std::next(roots.begin())
                               + "\"; a .pt2 archive has one",
                           ErrorCode::malformed);
    if (anyMember(archive, "/code/") || anyMember(archive, "constants.pkl"))
        return notAProgram(archive, std::string("is a TorchScript file, not an exported program; ") + kAdvice,
                           ErrorCode::unsupported);
    if (anyMember(archive, "data.pkl"))
        return notAProgram(archive, std::string("is a torch.save file with tensors, not an exported program; ") + kAdvice,
                           ErrorCode::unsupported);
    if (anyMember(archive, "/models/"))
        return notAProgram(archive, "lacks the member archive_format of a .pt2 archive", ErrorCode::malformed);
    return notAProgram(archive, std::string("is a zip archive without an exported program; ") + kAdvice, ErrorCode::malformed);
}

Result<Pt2Layout> archiveLayout(const ZipArchive& archive, const std::string& root)
{
    SUNDER_TRY(const std::string format, archive.readMember(root + "archive_format", 1024));
    if (format.substr(0, format.find_first_of("\r\n")) != "pt2")
        return notAProgram(archive, "is not a .pt2 archive: its archive_format is not \"pt2\"", ErrorCode::unsupported);
    Pt2Layout layout{.kind = Pt2Layout::Kind::archive, .root = root, .models = {}};
    const std::string folder = root + std::string(kModels);
    for (const ZipMember& member : archive.members())
        if (member.name.starts_with(folder) && member.name.ends_with(kJson) && member.name.size() > folder.size() + kJson.size())
            layout.models.push_back(member.name.substr(folder.size(), member.name.size() - folder.size() - kJson.size()));
    if (!layout.models.empty())
        return layout;
    if (anyMember(archive, "/data/aotinductor/"))
        return notAProgram(archive, std::string("has only code compiled by AOTInductor, without a graph; ") + kAdvice,
                           ErrorCode::unsupported);
    return notAProgram(archive, "has no program in its models folder", ErrorCode::malformed);
}

} // namespace

std::string Pt2Layout::programMember(std::string_view model) const
{
    if (kind == Kind::flat)
        return std::string(kFlatProgram);
    return root + std::string(kModels) + std::string(model) + std::string(kJson);
}

std::string Pt2Layout::weightsConfig(std::string_view model) const
{
    return weightsFolder() + std::string(model) + "_weights_config.json";
}

std::string Pt2Layout::constantsConfig(std::string_view model) const
{
    return constantsFolder() + std::string(model) + "_constants_config.json";
}

Result<Pt2Layout> findPt2Layout(const ZipArchive& archive)
{
    if (const std::string root = archive.commonRoot(); !root.empty() && archive.find(root + "archive_format") != nullptr)
        return archiveLayout(archive, root);
    if (archive.find(kFlatProgram) != nullptr)
        return Pt2Layout{.kind = Pt2Layout::Kind::flat, .root = {}, .models = {"model"}};
    return describeOther(archive);
}

} // namespace sunder
