#include "cli/tensor_outcome.h"

#include "analysis/sizes.h"
#include "cli/files.h"
#include "parts/npy_file.h"
#include "parts/tensor_statistics.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace sunder::cli {
namespace {

std::string shortNumber(double number)
{
    return QString::number(number, 'g', 6).toStdString();
}

/// Explains that no tensor has this name, with up to five similar names.
std::string whyNoTensor(const Program& program, const std::string& name)
{
    constexpr std::size_t kShown = 5;
    std::vector<std::string> near;
    for (const TensorEntry& entry : program.tensors.entries())
        if (entry.fqn.view().find(name) != std::string_view::npos && near.size() < kShown)
            near.push_back(entry.fqn.str());
    std::string why = "\"" + name + "\" is neither a parameter, buffer, or constant of the model nor a node that reads one";
    for (std::size_t i = 0; i < near.size(); ++i)
        why += (i == 0 ? "; similar names: " : ", ") + near[i];
    return why;
}

TensorId tensorCalled(const Program& program, const std::string& name)
{
    if (const TensorId tensor = program.tensors.find(intern(name)))
        return tensor;
    const NodeId node = program.rootGraph().find(intern(name));
    return node ? tensorsOfNodes(program)[node.index()] : TensorId();
}

QJsonValue sizeJson(const Argument& size)
{
    return size.is(ArgumentKind::integer) ? QJsonValue(static_cast<qint64>(size.asInteger())) : QJsonValue();
}

QJsonArray sizesJson(std::span<const Argument> sizes)
{
    QJsonArray array;
    for (const Argument& size : sizes)
        array.append(sizeJson(size));
    return array;
}

/// Adds metadata, which needs no access to the data.
void addFacts(const Program& program, TensorId id, Outcome& outcome)
{
    const TensorEntry& entry = program.tensors[program.tensors.object(id)];
    const TensorMeta& meta = entry.meta;
    const MemoryTable memory = memoryTable(program.tensors);
    const std::string_view role = name(program.tensors[id].role);
    std::string line = program.tensors[id].fqn.str() + ": " + std::string(role) + ", " + describe(meta);
    QJsonObject& json = outcome.json;
    json = {{QStringLiteral("tensor"), text(program.tensors[id].fqn.view())},
            {QStringLiteral("role"), text(role)},
            {QStringLiteral("dtype"), text(meta.dtype.view())},
            {QStringLiteral("shape"), sizesJson(meta.shape)},
            {QStringLiteral("offset"), meta.offset ? sizeJson(*meta.offset) : QJsonValue(0)},
            {QStringLiteral("memory_bytes"), static_cast<qint64>(memory.bytes[memory.memoryOf[id.index()]])}};
    if (meta.stride)
        json[QStringLiteral("stride")] = sizesJson(*meta.stride);
    if (const std::optional<std::uint64_t> bytes = byteSize(meta)) {
        json[QStringLiteral("bytes")] = static_cast<qint64>(*bytes);
        line += ", " + formatBytes(*bytes);
    }
    outcome.say(line);
    QJsonArray others;
    std::string listed;
    constexpr std::size_t kShown = 5;
    const std::vector<TensorId> sharing = sharingMemory(memory, id);
    for (std::size_t i = 0; i < sharing.size(); ++i) {
        others.append(text(program.tensors[sharing[i]].fqn.view()));
        if (i < kShown)
            listed += (i == 0 ? "" : ", ") + program.tensors[sharing[i]].fqn.str();
    }
    json[QStringLiteral("shares_memory_with")] = others;
    if (!sharing.empty())
        outcome.say("shares memory with " + listed
                    + (sharing.size() > kShown ? " and " + formatCount(sharing.size() - kShown) + " more" : std::string()));
}

QJsonObject statisticsJson(const TensorStatistics& found)
{
    QJsonObject json{{QStringLiteral("count"), static_cast<qint64>(found.count)},
                     {QStringLiteral("zeros"), static_cast<qint64>(found.zeros)},
                     {QStringLiteral("nans"), static_cast<qint64>(found.nans)},
                     {QStringLiteral("infinities"), static_cast<qint64>(found.infinities)}};
    if (!found.finite)
        return json;
    const auto number = [](double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(); };
    QJsonArray histogram;
    for (const std::uint64_t count : found.finite->histogram)
        histogram.append(static_cast<qint64>(count));
    json[QStringLiteral("min")] = number(found.finite->min);
    json[QStringLiteral("max")] = number(found.finite->max);
    json[QStringLiteral("min_text")] = text(found.finite->minText);
    json[QStringLiteral("max_text")] = text(found.finite->maxText);
    json[QStringLiteral("mean")] = number(found.finite->mean);
    json[QStringLiteral("std")] = number(found.finite->deviation);
    json[QStringLiteral("histogram")] = histogram;
    return json;
}

void sayStatistics(const TensorStatistics& found, Outcome& outcome)
{
    outcome.say(formatCount(found.count, "element") + ": " + formatCount(found.zeros) + " zero, " + formatCount(found.nans)
                + " NaN, " + formatCount(found.infinities) + " infinite");
    if (!found.finite)
        return;
    const FiniteElements& finite = *found.finite;
    outcome.say("min " + finite.minText + ", max " + finite.maxText + ", mean " + shortNumber(finite.mean)
                + ", standard deviation " + shortNumber(finite.deviation));
    constexpr std::uint64_t kWidest = 40;
    const std::uint64_t most = std::ranges::max(finite.histogram);
    const auto bins = static_cast<double>(finite.histogram.size());
    for (std::size_t i = 0; i < finite.histogram.size(); ++i) {
        const double share = static_cast<double>(i) / bins;
        const double from = finite.min * (1 - share) + finite.max * share;
        const auto width = static_cast<std::size_t>(
            std::ceil(static_cast<double>(finite.histogram[i]) / static_cast<double>(most) * static_cast<double>(kWidest)));
        outcome.say("  from " + shortNumber(from) + ": " + std::string(width, '#') + (width != 0 ? " " : "")
                    + formatCount(finite.histogram[i]));
    }
}

Result<void> saveNpy(const Invocation& invocation, const Program& program, TensorId id, Outcome& outcome)
{
    const std::string file = invocation.value("save-npy");
    NpyFile written;
    const auto write = [&](const std::string& at) -> Result<void> {
        SUNDER_TRY(written, invocation.timer.measure("write", [&] { return writeNpy(program, id, at, invocation.monitor); }));
        return {};
    };
    SUNDER_PROPAGATE(invocation.outputs.write(file, write));
    outcome.json[QStringLiteral("written")] = text(file);
    outcome.json[QStringLiteral("npy_type")] = text(written.type);
    outcome.say("wrote " + file + " (" + formatBytes(written.bytes) + ", " + written.type + ")");
    if (!written.note.empty())
        addNotes({written.note}, outcome);
    return {};
}

} // namespace

Result<Outcome> tensorOutcome(const Invocation& invocation, const Program& program, const std::string& name)
{
    const TensorId id = tensorCalled(program, name);
    if (!id)
        return fail(ErrorCode::usage, whyNoTensor(program, name));
    Outcome outcome;
    addFacts(program, id, outcome);
    const Result<TensorStatistics> found = invocation.timer.measure(
        "statistics", [&] { return tensorStatistics(program, id, invocation.monitor); });
    if (found) {
        outcome.json[QStringLiteral("statistics")] = statisticsJson(*found);
        sayStatistics(*found, outcome);
        if (!found->note.empty() && !invocation.isSet("save-npy"))
            addNotes({found->note}, outcome);
    } else if (found.error().code == ErrorCode::unsupported || found.error().code == ErrorCode::refused) {
        outcome.json[QStringLiteral("statistics")] = QJsonValue();
        outcome.json[QStringLiteral("why")] = text(describe(found.error()));
        outcome.warnings.push_back("warning: no statistics: " + describe(found.error()));
    } else {
        return tl::unexpected<Error>(found.error());
    }
    if (invocation.isSet("save-npy"))
        SUNDER_PROPAGATE(saveNpy(invocation, program, id, outcome));
    return outcome;
}

} // namespace sunder::cli
