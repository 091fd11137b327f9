#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sunder::test {

/// Lines for programFromText(): `layers` layers one behind the other, "layers.N" of class Layer from `first` on. Each has
/// these ops, in which "@" stands for the value before and "#" for the layer's number: "bent_# = sin(@)". The first op
/// takes `from`.
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
