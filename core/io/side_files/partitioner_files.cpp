#include "io/side_files/partitioner_files.h"

#include "analysis/device.h"
#include "io/json/json_tape.h"
#include "io/json/json_text.h"
#include "support/file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxPartitionerBytes = 256ULL << 20U;
constexpr std::size_t kMaxDevices = 1000000;
constexpr unsigned kMaxPartitionerDepth = 64;

class PartitionerFile {
public:
    PartitionerFile(const char* kind, const std::string& path) : m_kind(kind), m_path(path) {}

    Result<std::vector<Device>> devices(JsonValue list, const std::string& member) const
    {
        if (!list.is(JsonType::array))
            return wrong("must have a list of devices", member);
        std::vector<Device> devices;
        std::unordered_set<std::int64_t> ids;
        for (JsonValue item = list.firstItem(); item; item = item.nextItem()) {
            const std::string where = member + "[" + std::to_string(devices.size()) + "]";
            if (devices.size() == kMaxDevices)
                return wrong("has more than 1,000,000 devices", where);
            SUNDER_TRY(Device device, oneDevice(item, where, static_cast<std::int64_t>(devices.size())));
            if (!ids.insert(device.logicalId).second)
                return wrong("has two devices with logical ID " + std::to_string(device.logicalId), where);
            devices.push_back(std::move(device));
        }
        return devices;
    }

    Result<PartitionerConfig> config(JsonValue root) const
    {
        if (!root.is(JsonType::object))
            return wrong("is not an object", "");
        PartitionerConfig config;
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = root.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", std::string(key.text()));
            SUNDER_PROPAGATE(take(key.text(), key.memberValue(), config));
        }
        if (!seen.contains("devices"))
            return wrong("lacks a required key", "devices");
        return config;
    }

private:
    [[nodiscard]] tl::unexpected<Error> wrong(const std::string& what, const std::string& member) const
    {
        return fail(ErrorCode::malformed, std::string("the ") + m_kind + " file " + what, {.file = m_path, .member = member});
    }

    static std::optional<double> number(JsonValue value)
    {
        if (value.is(JsonType::integer))
            return static_cast<double>(value.asInteger());
        if (value.is(JsonType::floating) && std::isfinite(value.asFloating()))
            return value.asFloating();
        return std::nullopt;
    }

    Result<Device> oneDevice(JsonValue value, const std::string& where, std::int64_t place) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", where);
        const std::span<const DeviceFigure> figures = deviceFigures();
        Device device{.name = {}, .logicalId = place};
        bool hasMemory = false;
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const JsonValue item = key.memberValue();
            const std::string member = where + "." + std::string(key.text());
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", member);
            if (key.text() == "name") {
                if (!item.is(JsonType::string))
                    return wrong("must have a string", member);
                device.name = item.text();
            } else if (key.text() == "logical_id") {
                if (!item.is(JsonType::integer))
                    return wrong("must have an integer", member);
                device.logicalId = item.asInteger();
            } else if (const auto figure = std::ranges::find(figures, key.text(), &DeviceFigure::key); figure != figures.end()) {
                const std::optional<double> given = number(item);
                if (!given || !setFigure(device, *figure, *given))
                    return wrong("must have a number of at least 0", member);
                hasMemory = hasMemory || figure->member == nullptr;
            } else if (key.text() == "color" || key.text() == "source") {
                if (!item.is(JsonType::string))
                    return wrong("must have a string", member);
                (key.text() == "color" ? device.color : device.source) = item.text();
            } else {
                device.extra += device.extra.empty() ? "{" : ",";
                appendJsonString(device.extra, key.text());
                device.extra += ':' + item.raw();
            }
        }
        if (!device.extra.empty())
            device.extra += '}';
        if (!hasMemory)
            return wrong("lacks a required key", where + ".available_mem_bytes");
        return device;
    }

    Result<void> take(std::string_view key, JsonValue value, PartitionerConfig& config) const
    {
        const std::string member(key);
        if (key == "mode") {
            const auto mode = value.is(JsonType::string) ? partitionModeOf(value.text()) : std::nullopt;
            if (!mode)
                return wrong("must have size_based, sparse_nn, cost_aware, kl_based, or aot_based", member);
            config.mode = *mode;
        } else if (key == "saturate_host") {
            if (!value.is(JsonType::boolean))
                return wrong("must have true or false", member);
            config.saturateHost = value.asBoolean();
        } else if (key == "devices") {
            SUNDER_TRY(std::vector<Device> read, devices(value, member));
            config.devices = std::move(read);
        } else if (key == "transfer_rate_bytes_per_sec") {
            const std::optional<double> rate = number(value);
            if (!rate)
                return wrong("must have a number", member);
            config.transferBytesPerSecond = *rate;
        } else if (key == "node_to_latency") {
            return members(value, member,
                           [&](JsonValue name, const std::string& where) { return takeLatency(name, where, config); });
        } else if (key == "node_to_partition") {
            return members(value, member,
                           [&](JsonValue name, const std::string& where) { return takePartition(name, where, config); });
        } else if (key == "partition_to_logical_devices") {
            return members(value, member,
                           [&](JsonValue name, const std::string& where) { return takeDevices(name, where, config); });
        } else if (key != "note") {
            return wrong("has an unknown key", member);
        }
        return {};
    }

    template <typename Take>
    Result<void> members(JsonValue value, const std::string& member, const Take& takeOne) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", member);
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string where = member + "." + std::string(key.text());
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", where);
            SUNDER_PROPAGATE(takeOne(key, where));
        }
        return {};
    }

    Result<void> takeLatency(JsonValue key, const std::string& where, PartitionerConfig& config) const
    {
        const JsonValue pair = key.memberValue();
        if (!pair.is(JsonType::array) || pair.count() != 2)
            return wrong("must have [memory, compute] in seconds", where);
        const std::optional<double> memory = number(pair.firstItem());
        const std::optional<double> compute = number(pair.firstItem().nextItem());
        if (!memory || !compute)
            return wrong("must have two numbers", where);
        config.latencies.emplace_back(intern(key.text()), NodeLatency{.memory = *memory, .compute = *compute});
        return {};
    }

    Result<void> takePartition(JsonValue key, const std::string& where, PartitionerConfig& config) const
    {
        if (!key.memberValue().is(JsonType::integer))
            return wrong("must have the number of a partition", where);
        config.nodeToPartition.emplace_back(intern(key.text()), key.memberValue().asInteger());
        return {};
    }

    Result<void> takeDevices(JsonValue key, const std::string& where, PartitionerConfig& config) const
    {
        const std::string_view text = key.text();
        std::int64_t partition = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), partition);
        if (error != std::errc() || end != text.data() + text.size())
            return wrong("has a key that is not the number of a partition", where);
        if (!key.memberValue().is(JsonType::array))
            return wrong("must have a list of logical IDs", where);
        std::vector<std::int64_t> ids;
        for (JsonValue item = key.memberValue().firstItem(); item; item = item.nextItem()) {
            if (!item.is(JsonType::integer))
                return wrong("must have a list of logical IDs", where);
            ids.push_back(item.asInteger());
        }
        config.partitionToDevices.emplace_back(partition, std::move(ids));
        return {};
    }

    const char* m_kind;
    const std::string& m_path;
};

Result<void> parse(JsonTape& tape, std::string_view text, const char* kind, const std::string& path)
{
    if (const Result<void> parsed = tape.parse(text, kMaxPartitionerDepth); !parsed)
        return fail(parsed.error().code, std::string("the ") + kind + " file " + parsed.error().message, {.file = path});
    return {};
}

/// Writes whole numbers without a fraction, as is usual for bytes.
void appendNumber(std::string& out, double value)
{
    constexpr double kExactIntegers = 9007199254740992;
    if (value == std::floor(value) && std::abs(value) < kExactIntegers)
        appendJsonInteger(out, static_cast<std::int64_t>(value));
    else
        appendJsonFloat(out, value);
}

/// Writes `,"name":{`, one member per entry, and `}`; nothing without entries.
template <typename Entries, typename Append>
void appendTable(std::string& out, std::string_view name, const Entries& entries, const Append& appendEntry)
{
    if (entries.empty())
        return;
    out += ",\n";
    appendJsonString(out, name);
    out += ":{";
    for (const auto& [key, value] : entries) {
        out += out.back() == '{' ? "\n" : ",\n";
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(key)>>)
            appendJsonString(out, std::to_string(key));
        else
            appendJsonString(out, key.view());
        out += ':';
        appendEntry(value);
    }
    out += '}';
}

} // namespace

Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(parse(tape, text, "devices", nameForMessages));
    Result<std::vector<Device>> devices = PartitionerFile("devices", nameForMessages).devices(tape.root(), "");
    if (devices)
        return devices;
    Error error = devices.error();
    error.message += R"( (expected a list like [{"name": "gpu 0", "available_mem_bytes": 8000000000}]))";
    return tl::unexpected<Error>(std::move(error));
}

Result<std::vector<Device>> readDevicesFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxPartitionerBytes));
    return parseDevicesFile(text, path);
}

std::string devicesFileText(const std::vector<Device>& devices)
{
    std::string out = "[";
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Device& device = devices[i];
        out += i == 0 ? "\n{\"name\":" : ",\n{\"name\":";
        appendJsonString(out, device.name);
        out += ",\"available_mem_bytes\":";
        appendNumber(out, device.availableBytes);
        if (device.logicalId != static_cast<std::int64_t>(i)) {
            out += ",\"logical_id\":";
            appendJsonInteger(out, device.logicalId);
        }
        for (const DeviceFigure& figure : deviceFigures().subspan(1)) {
            const std::optional<double> value = figureOf(device, figure);
            if (!value)
                continue;
            out += ",\"" + std::string(figure.key) + "\":";
            appendNumber(out, *value);
        }
        const auto appendWords = [&out](std::string_view key, const std::string& words) {
            if (words.empty())
                return;
            out += ",\"" + std::string(key) + "\":";
            appendJsonString(out, words);
        };
        appendWords("color", device.color);
        appendWords("source", device.source);
        appendJsonMembers(out, device.extra);
        out += '}';
    }
    return out + "\n]\n";
}

Result<void> writeDevicesFile(const std::vector<Device>& devices, const std::string& path)
{
    return writeFileAtomically(path, devicesFileText(devices));
}

std::string partitionerConfigText(const PartitionerConfig& config)
{
    std::string out = "{\"mode\":";
    appendJsonString(out, name(config.mode));
    if (config.saturateHost)
        out += ",\"saturate_host\":true";
    if (config.transferBytesPerSecond != 0) {
        out += ",\"transfer_rate_bytes_per_sec\":";
        appendNumber(out, config.transferBytesPerSecond);
    }
    const std::string devices = devicesFileText(config.devices);
    out += ",\n\"devices\":" + devices.substr(0, devices.size() - 1);
    appendTable(out, "node_to_latency", config.latencies, [&out](const NodeLatency& latency) {
        out += '[';
        appendNumber(out, latency.memory);
        out += ',';
        appendNumber(out, latency.compute);
        out += ']';
    });
    appendTable(out, "node_to_partition", config.nodeToPartition,
                [&out](std::int64_t partition) { appendJsonInteger(out, partition); });
    appendTable(out, "partition_to_logical_devices", config.partitionToDevices, [&out](const std::vector<std::int64_t>& ids) {
        out += '[';
        for (const std::int64_t id : ids) {
            out += out.back() == '[' ? "" : ",";
            appendJsonInteger(out, id);
        }
        out += ']';
    });
    return out + "}\n";
}

Result<PartitionerConfig> parsePartitionerConfig(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(parse(tape, text, "configuration", nameForMessages));
    return PartitionerFile("configuration", nameForMessages).config(tape.root());
}

Result<PartitionerConfig> readPartitionerConfig(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxPartitionerBytes));
    return parsePartitionerConfig(text, path);
}

} // namespace sunder
