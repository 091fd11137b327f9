#include "io/side_files/figure_basis.h"

namespace sunder {

FigureBasis basisOfShapes(const Program& program)
{
    return {.assumed = assumedSizes(sizeAssumptions(program))};
}

FigureBasis basisOfPartitions(const Program& program)
{
    return hasRecordedSizes(program) ? FigureBasis{.ofFile = true} : basisOfShapes(program);
}

void writeAssumedSizes(const std::vector<AssumedSize>& sizes, JsonWriter& json)
{
    if (sizes.empty())
        return;
    json.key("assumed_sizes");
    json.object([&] {
        for (const auto& [symbol, size] : sizes)
            json.member(symbol.view(), size);
    });
}

void write(const FigureBasis& basis, JsonWriter& json)
{
    writeAssumedSizes(basis.assumed, json);
    if (basis.ofFile)
        json.member("used_mem_bytes_from", "size_bytes of the file");
}

} // namespace sunder
