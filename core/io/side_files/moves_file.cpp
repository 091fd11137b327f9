#include "io/side_files/moves_file.h"

#include "support/file.h"
#include "support/json_text.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

void appendTexts(std::string& out, std::initializer_list<std::pair<std::string_view, std::string_view>> members)
{
    out += out.back() == '[' ? "\n{" : ",\n{";
    for (const auto& [key, value] : members) {
        out += out.back() == '{' ? "\"" : ",\"";
        out += key;
        out += "\":";
        appendJsonString(out, value);
    }
    out += '}';
}

} // namespace

std::string movesJson(const MovesFile& moves)
{
    std::string out = "{\"moved\":[";
    for (const MovesFile::Moved& move : moves.moved)
        appendTexts(out, {{"node", move.node.view()}, {"from", move.from}, {"to", move.to}});
    out += "],\n\"staying\":[";
    for (const MovesFile::Staying& stay : moves.staying)
        appendTexts(out, {{"node", stay.node.view()}, {"in", stay.in}, {"reason", stay.reason}, {"why", stay.why}});
    return out + "]}\n";
}

Result<void> writeMovesFile(const MovesFile& moves, const std::string& path)
{
    return writeFileAtomically(path, movesJson(moves));
}

} // namespace sunder
