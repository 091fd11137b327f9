#include "models/weight_lines.h"

#include "analysis/tensors_read.h"
#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kListedWeights = 200;

QString figureText(double number)
{
    return QString::number(number, 'g', 6);
}

/// Returns e.g. "12 (1.4 %)".
QString shareText(std::uint64_t part, std::uint64_t all)
{
    const QString count = text(formatCount(part));
    return part == 0 || all == 0
        ? count
        : QObject::tr("%1 (%2 %)")
              .arg(count, QString::number(100.0 * static_cast<double>(part) / static_cast<double>(all), 'g', 3));
}

Property histogramLine(const FiniteElements& finite)
{
    const std::size_t bins = finite.histogram.size();
    Property line{QObject::tr("values"),
                  QObject::tr("%1, %2 to %3").arg(countText(bins, "bin"), text(finite.minText), text(finite.maxText)), false};
    const auto highest = std::ranges::max_element(finite.histogram);
    for (const std::uint64_t count : finite.histogram)
        line.bars.push_back(static_cast<double>(count) / static_cast<double>(*highest));
    const auto edge = [&](std::size_t bin) {
        const double share = static_cast<double>(bin) / static_cast<double>(bins);
        return figureText(finite.min * (1 - share) + finite.max * share);
    };
    const auto at = static_cast<std::size_t>(highest - finite.histogram.begin());
    line.tip = QObject::tr("%1. The highest bar: %2 from %3 to %4.")
                   .arg(line.value, countText(*highest, "element"), edge(at), edge(at + 1));
    return line;
}

void addStatistics(const TensorStatistics& found, std::vector<Property>& lines)
{
    if (found.finite) {
        lines.push_back({QObject::tr("min"), text(found.finite->minText)});
        lines.push_back({QObject::tr("max"), text(found.finite->maxText)});
        lines.push_back({QObject::tr("mean"), figureText(found.finite->mean)});
        lines.push_back({QObject::tr("std"), figureText(found.finite->deviation)});
        lines.push_back(histogramLine(*found.finite));
    }
    lines.push_back({QObject::tr("zeros"), shareText(found.zeros, found.count)});
    lines.push_back({QObject::tr("NaN"), shareText(found.nans, found.count)});
    lines.push_back({QObject::tr("infinities"), shareText(found.infinities, found.count)});
    if (!found.note.empty())
        lines.push_back({QObject::tr("note"), sentence(found.note), false});
}

void addSharing(const Snapshot& snapshot, TensorId id, std::vector<Property>& lines)
{
    const std::vector<TensorId> others = sharingMemory(snapshot.memory, id);
    for (std::size_t i = 0; i < std::min(others.size(), kListedWeights); ++i)
        lines.push_back({i == 0 ? QObject::tr("shares with") : QString(), text(snapshot.program.tensors[others[i]].fqn)});
    if (others.size() > kListedWeights)
        lines.push_back({{}, QObject::tr("and %1 more").arg(text(formatCount(others.size() - kListedWeights))), false});
}

Property weightLine(const Snapshot& snapshot, TensorId id, const WeightReadings& readings)
{
    const TensorTable& tensors = snapshot.program.tensors;
    const TensorMeta& meta = tensors[tensors.object(id)].meta;
    Property line{text(name(tensors[id].role)), text(tensors[id].fqn)};
    line.weight = id;
    std::vector<Property>& lines = line.children;
    lines.push_back({QObject::tr("dtype"), text(meta.dtype)});
    lines.push_back({QObject::tr("shape"), text(describe(meta))});
    if (const std::optional<std::uint64_t> bytes = byteSize(meta))
        lines.push_back({QObject::tr("bytes"), bytesText(*bytes)});
    addSharing(snapshot, id, lines);
    const WeightReading* reading = readings.of(id);
    if (reading != nullptr && reading->isUnderWay) {
        lines.push_back({QObject::tr("statistics"), QObject::tr("Reading…"), false});
    } else if (reading != nullptr && reading->why.isEmpty()) {
        addStatistics(reading->statistics, lines);
    } else {
        if (reading != nullptr)
            lines.push_back({QObject::tr("statistics"), reading->why, false});
        Property read{reading == nullptr ? QObject::tr("statistics") : QString(),
                      reading == nullptr ? QObject::tr("Read from the file") : QObject::tr("Read again"), false};
        read.action = LineAction::readWeight;
        read.weight = id;
        lines.push_back(std::move(read));
    }
    Property save{{}, QObject::tr("Save as .npy…"), false};
    save.action = LineAction::saveWeight;
    save.weight = id;
    save.tip = QObject::tr(
        "Write the elements as a NumPy file, in C order. A dtype that NumPy lacks, such as bfloat16, is written as "
        "unsigned integers of the same width.");
    lines.push_back(std::move(save));
    return line;
}

} // namespace

std::vector<Property> weightLines(const Snapshot& snapshot, NodeId id, const WeightReadings& readings)
{
    std::vector<Property> lines;
    const std::vector<TensorId> read = tensorsReadBy(snapshot.program, id);
    for (std::size_t i = 0; i < std::min(read.size(), kListedWeights); ++i)
        lines.push_back(weightLine(snapshot, read[i], readings));
    if (read.size() > kListedWeights)
        lines.push_back({{}, QObject::tr("and %1").arg(countText(read.size() - kListedWeights, "more weight")), false});
    return lines;
}

} // namespace sunder
