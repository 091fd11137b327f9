#include "io/pt2/pt2_programs.h"

#include "io/json/json_members.h"
#include "io/pt2/pt2_reader_layout.h"
#include "support/json_tape.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kLargestConfig = 1U << 28U;
constexpr unsigned kDeepest = 64;

/// Adds the sizes of the distinct members that a config names. False if the config cannot be read.
bool addWeights(const ZipArchive& archive, const std::string& config, const std::string& folder,
                std::unordered_set<std::string>& seen, std::uint64_t& bytes)
{
    const Result<std::string> text = archive.readMember(config, kLargestConfig);
    JsonTape tape;
    if (!text || !tape.parse(*text, kDeepest) || !tape.root().is(JsonType::object))
        return false;
    static constexpr std::array<std::string_view, 1> kConfig = {"config"};
    static constexpr std::array<std::string_view, 1> kPath = {"path_name"};
    const JsonMembers members(tape.root(), kConfig);
    if (!members[0] || !members[0].is(JsonType::object))
        return false;
    for (JsonValue key = members[0].firstItem(); key; key = key.nextMember()) {
        if (!key.memberValue().is(JsonType::object))
            return false;
        const JsonMembers payload(key.memberValue(), kPath);
        if (!payload[0] || !payload[0].is(JsonType::string))
            return false;
        const std::string name = folder + std::string(payload[0].text());
        const ZipMember* member = archive.find(name);
        if (member == nullptr)
            return false;
        if (seen.insert(name).second)
            bytes += member->size;
    }
    return true;
}

} // namespace

Result<std::vector<Pt2ProgramEntry>> programsOfPt2(const std::string& path)
{
    SUNDER_TRY(const ZipArchive archive, ZipArchive::open(path));
    SUNDER_TRY(const Pt2Layout layout, findPt2Layout(archive));
    std::vector<Pt2ProgramEntry> programs;
    for (const std::string& name : layout.models) {
        Pt2ProgramEntry entry{.name = name};
        if (const ZipMember* graph = archive.find(layout.programMember(name)))
            entry.graphBytes = graph->size;
        std::uint64_t bytes = 0;
        std::unordered_set<std::string> seen;
        if (layout.kind == Pt2Layout::Kind::archive
            && addWeights(archive, layout.weightsConfig(name), layout.weightsFolder(), seen, bytes)
            && addWeights(archive, layout.constantsConfig(name), layout.constantsFolder(), seen, bytes))
            entry.weightBytes = bytes;
        programs.push_back(std::move(entry));
    }
    return programs;
}

bool holdsCompiledCode(const Program& program)
{
    if (program.origin.format != "pt2")
        return false;
    const Result<ZipArchive> archive = program.origin.opened ? ZipArchive::open(program.origin.opened)
                                                             : ZipArchive::open(program.origin.file);
    return archive && std::ranges::any_of(archive->members(), [root = archive->commonRoot()](const ZipMember& member) {
               return member.name.starts_with(root + "data/aotinductor/");
           });
}

} // namespace sunder
