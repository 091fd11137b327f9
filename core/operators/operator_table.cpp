#include "operators/operator_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// Returns the text before "(" in a line.
std::string_view keyOf(std::string_view line)
{
    return line.substr(0, line.find('('));
}

std::string_view lineAt(std::string_view table, std::size_t start)
{
    return table.substr(start, table.find('\n', start) - start);
}

/// Returns the start of the line that contains this position.
std::size_t lineStart(std::string_view table, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : table.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

/// Returns the first line whose key is not less than `key`. Comments at the top begin with a character that is less than all
/// others.
std::size_t lowerBound(std::string_view table, std::string_view key)
{
    std::size_t first = 0;
    std::size_t end = table.size();
    while (first < end) {
        const std::size_t middle = lineStart(table, first + (end - first) / 2);
        const std::string_view line = lineAt(table, middle);
        if (line.empty() || line.front() == '#' || keyOf(line) < key)
            first = std::min(table.size(), middle + line.size() + 1);
        else
            end = middle;
    }
    return first;
}

using FactLines = std::unordered_map<std::string_view, std::string_view>;

FactLines factLines(std::string_view text)
{
    FactLines found;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view line = lineAt(text, at);
        at += line.size() + 1;
        const std::size_t tab = line.find('\t');
        if (line.starts_with('#') || tab == std::string_view::npos)
            continue;
        const std::string_view rest = line.substr(tab + 1);
        found.emplace(line.substr(0, tab), rest.substr(0, rest.find('\t')));
    }
    return found;
}

/// Returns the facts by target, including library lines "NAME.*".
const FactLines& linesByHand()
{
    static const FactLines lines = factLines(operator_data::byHand);
    return lines;
}

std::optional<std::string_view> find(const FactLines& lines, std::string_view key)
{
    const auto found = lines.find(key);
    return found != lines.end() ? std::optional(found->second) : std::nullopt;
}

} // namespace

std::vector<std::string_view> overloadLines(std::string_view table, std::string_view packet)
{
    std::vector<std::string_view> found;
    for (std::size_t at = lowerBound(table, packet); at < table.size();) {
        const std::string_view line = lineAt(table, at);
        const std::string_view key = keyOf(line);
        if (!key.starts_with(packet) || (key.size() > packet.size() && key[packet.size()] != '.'))
            break;
        found.push_back(line);
        at += line.size() + 1;
    }
    return found;
}

std::vector<std::string_view> torchOverloads(std::string_view packet)
{
    std::vector<std::string_view> found = overloadLines(operator_data::torchOperators, packet);
    for (const std::string_view line : overloadLines(operator_data::droppedOperators, packet)) {
        bool isThere = false;
        for (const std::string_view known : found)
            isThere = isThere || keyOf(known) == keyOf(line);
        if (!isThere)
            found.push_back(line);
    }
    return found;
}

bool isShownFresh(std::string_view overload)
{
    static const std::unordered_set<std::string_view> names = [] {
        std::unordered_set<std::string_view> found;
        const std::string_view text = operator_data::freshResults;
        for (std::size_t at = 0; at < text.size();) {
            const std::string_view line = lineAt(text, at);
            at += line.size() + 1;
            if (!line.empty() && !line.starts_with('#'))
                found.insert(line);
        }
        return found;
    }();
    return names.contains(overload);
}

std::optional<std::string_view> factsByHand(std::string_view target)
{
    return find(linesByHand(), target);
}

std::optional<std::string_view> factsOfLibraryByHand(std::string_view target)
{
    for (std::size_t dot = target.rfind('.'); dot != std::string_view::npos && dot != 0; dot = target.rfind('.', dot - 1))
        if (const auto found = find(linesByHand(), std::string(target.substr(0, dot + 1)) + '*'))
            return found;
    return std::nullopt;
}

std::optional<std::string_view> factsOfModuleClass(std::string_view cls)
{
    static const FactLines lines = factLines(operator_data::moduleClasses);
    return find(lines, cls);
}

std::optional<std::string_view> moduleThatRegisters(std::string_view library)
{
    static const FactLines lines = factLines(operator_data::registeringModules);
    return find(lines, library);
}

} // namespace sunder
