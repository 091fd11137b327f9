#include "operators/saved_for_backward.h"

#include "operators/literal_text.h"
#include "operators/number_functions.h"
#include "operators/operator_library.h"
#include "operators/operator_table.h"

#include <functional>
#include <map>
#include <string>

namespace sunder {
namespace {

using SavedLines = std::map<std::string, std::vector<SavedWord>, std::less<>>;

SavedLines parseSavedLines(std::string_view text)
{
    SavedLines lines;
    for (const std::string_view line : piecesOf(text, '\n')) {
        const std::vector<std::string_view> fields = piecesOf(line, '\t');
        if (line.starts_with('#') || fields.size() < 2)
            continue;
        std::vector<SavedWord> words;
        for (const std::string_view word : piecesOf(fields[1], ' ')) {
            const std::size_t mark = word.find('?');
            words.push_back({word.substr(0, mark), mark == std::string_view::npos ? std::string_view() : word.substr(mark + 1)});
        }
        for (const std::string_view name : piecesOf(fields[0], ' '))
            lines.emplace(name, words);
    }
    return lines;
}

} // namespace

const std::vector<SavedWord>* savedForBackward(std::string_view target)
{
    static const SavedLines lines = parseSavedLines(operator_data::savedForBackward);
    const std::string_view name = nameOfTorch(target);
    const std::string_view overload = operatorName(target).overload;
    auto found = lines.find(std::string(name) + '.' + std::string(overload.empty() ? "default" : overload));
    if (found == lines.end())
        found = lines.find(name);
    return name.empty() || found == lines.end() ? nullptr : &found->second;
}

} // namespace sunder
