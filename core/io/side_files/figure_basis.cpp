#include "io/side_files/figure_basis.h"

#include "support/json_text.h"

namespace sunder {

FigureBasis basisOfShapes(const Program& program)
{
    return {.assumed = assumedSizes(sizeAssumptions(program))};
}

FigureBasis basisOfPartitions(const Program& program)
{
    return givesSizes(program) ? FigureBasis{.ofFile = true} : basisOfShapes(program);
}

std::string membersOf(const FigureBasis& basis)
{
    std::string out;
    for (const auto& [symbol, value] : basis.assumed) {
        out += out.empty() ? ",\n\"assumed_sizes\":{" : ",";
        appendJsonString(out, symbol.view());
        out += ':' + std::to_string(value);
    }
    out += out.empty() ? "" : "}";
    if (basis.ofFile)
        out += ",\n\"used_mem_bytes_from\":\"size_bytes of the file\"";
    return out;
}

void writeAssumedSizes(JsonWriter& json, const std::vector<AssumedSize>& sizes)
{
    if (sizes.empty())
        return;
    json.key("assumed_sizes");
    json.object([&] {
        for (const auto& [symbol, size] : sizes)
            json.member(symbol.view(), size);
    });
}

} // namespace sunder
