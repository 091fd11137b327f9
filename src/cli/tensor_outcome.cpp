#include "cli/tensor_outcome.h"

#include "analysis/sizes.h"
#include "cli/files.h"
#include "parts/npy_file.h"
#include "parts/tensor_statistics.h"
#include "support/format.h"

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

/// Returns a size; nothing if it is symbolic.
std::optional<std::int64_t> numberOf(const Argument& size)
{
    return size.is(ArgumentKind::integer) ? std::optional(size.asInteger()) : std::nullopt;
}

void writeSizes(const char* key, std::span<const Argument> sizes, JsonWriter& json)
{
    json.key(key);
    json.list(sizes, [&json](const Argument& size) { json.value(numberOf(size)); });
}

/// Adds metadata, which needs no access to the data.
void addFacts(const Program& program, TensorId id, Outcome& outcome)
{
    const TensorEntry& entry = program.tensors[program.tensors.object(id)];
    const TensorMeta& meta = entry.meta;
    const MemoryTable memory = memoryTable(program.tensors);
    const std::string_view role = name(program.tensors[id].role);
    std::string line = program.tensors[id].fqn.str() + ": " + std::string(role) + ", " + describe(meta);
    JsonWriter& json = outcome.json;
    json.member("tensor", program.tensors[id].fqn.view());
    json.member("role", role);
    json.member("dtype", meta.dtype.view());
    writeSizes("shape", meta.shape, json);
    if (meta.stride)
        writeSizes("stride", *meta.stride, json);
    json.member("offset", meta.offset ? numberOf(*meta.offset) : 0);
    if (const std::optional<std::uint64_t> bytes = byteSize(meta)) {
        json.member("bytes", *bytes);
        line += ", " + formatBytes(*bytes);
    }
    json.member("memory_bytes", memory.bytes[memory.memoryOf[id.index()]]);
    outcome.say(line);
    std::string listed;
    constexpr std::size_t kShown = 5;
    const std::vector<TensorId> sharing = sharingMemory(memory, id);
    json.key("shares_memory_with");
    json.list(sharing, [&](TensorId other) { json.value(program.tensors[other].fqn.view()); });
    for (std::size_t i = 0; i < std::min(kShown, sharing.size()); ++i)
        listed += (i == 0 ? "" : ", ") + program.tensors[sharing[i]].fqn.str();
    if (!sharing.empty())
        outcome.say("shares memory with " + listed
                    + (sharing.size() > kShown ? " and " + formatCount(sharing.size() - kShown) + " more" : std::string()));
}

/// Writes the members of statistics.
void write(const TensorStatistics& found, JsonWriter& json)
{
    json.member("count", found.count);
    json.member("zeros", found.zeros);
    json.member("nans", found.nans);
    json.member("infinities", found.infinities);
    if (!found.finite)
        return;
    const FiniteElements& finite = *found.finite;
    for (const auto& [key, value] :
         {std::pair("min", finite.min), {"max", finite.max}, {"mean", finite.mean}, {"std", finite.deviation}}) {
        json.key(key);
        json.figure(value);
    }
    json.member("min_text", finite.minText);
    json.member("max_text", finite.maxText);
    json.member("histogram", finite.histogram);
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
    outcome.json.member("written", file);
    outcome.json.member("npy_type", written.type);
    outcome.say("wrote " + file + " (" + formatBytes(written.bytes) + ", " + written.type + ")");
    if (!written.note.empty())
        outcome.note({written.note});
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
        outcome.json.key("statistics");
        outcome.json.object([&] { write(*found, outcome.json); });
        sayStatistics(*found, outcome);
        if (!found->note.empty() && !invocation.isSet("save-npy"))
            outcome.note({found->note});
    } else if (found.error().code == ErrorCode::unsupported || found.error().code == ErrorCode::refused) {
        outcome.json.member("statistics", nullptr);
        outcome.json.member("why", describe(found.error()));
        outcome.warnings.push_back("warning: no statistics: " + describe(found.error()));
    } else {
        return tl::unexpected<Error>(found.error());
    }
    if (invocation.isSet("save-npy"))
        SUNDER_PROPAGATE(saveNpy(invocation, program, id, outcome));
    return outcome;
}

} // namespace sunder::cli
