// Table of export formats. Formats are defined in other files.
#include "export/export_format.h"

#include <algorithm>

namespace sunder {

ExportFormat partsFormat();
ExportFormat splitGraphFormat();
ExportFormat taggedModelFormat();
ExportFormat scriptFormat();
ExportFormat dagFormat();
ExportFormat costFormat();
ExportFormat namesFormat();
ExportFormat unflattenedFormat();
ExportFormat regionsFormat();
ExportFormat deduplicatedFormat();
ExportFormat movesFormat();
ExportFormat scheduleCsvFormat();
ExportFormat scheduleTraceFormat();
ExportFormat tagsFormat();
ExportFormat drawingFormat();
ExportFormat pictureFormat();

const std::vector<ExportFormat>& exportFormats()
{
    static const std::vector<ExportFormat> all = {
        partsFormat(),         splitGraphFormat(),  taggedModelFormat(), scriptFormat(),       dagFormat(),   costFormat(),
        namesFormat(),         unflattenedFormat(), regionsFormat(),     deduplicatedFormat(), movesFormat(), scheduleCsvFormat(),
        scheduleTraceFormat(), tagsFormat(),        drawingFormat(),     pictureFormat(),
    };
    return all;
}

const ExportFormat& exportFormat(const QString& id)
{
    return *std::ranges::find(exportFormats(), id, &ExportFormat::id);
}

bool ExportFormat::isThere(std::span<const RunResult> results) const
{
    if (!of)
        return true;
    const auto at = std::ranges::find_if(results, [this](const RunResult& result) { return result->kind == *of; });
    return at != results.end() && (isIn == nullptr || isIn(**at));
}

} // namespace sunder
