#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sunder::test {

/// Returns lines for programFromText(): `layers` consecutive layers, "layers.N" of class Layer, numbered from `first`. Each has
/// these ops, in which "@" is the previous value and "#" the number of the layer: "bent_# = sin(@)". The first op reads `from`.
inline std::string layersText(std::initializer_list<std::string_view> ops, int layers, std::string from, int first = 0)
{
    std::string text;
    for (int layer = first; layer < first + layers; ++layer)
        for (const std::string_view op : ops) {
            std::string line;
            for (const char c : op)
                line += c == '@' ? from : c == '#' ? std::to_string(layer) : std::string(1, c);
            from = line.substr(0, line.find(' '));
            text += line + " : 4 @ layers." + std::to_string(layer) + " Layer\n";
        }
    return text;
}

} // namespace sunder::test
