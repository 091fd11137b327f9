#include "io/side_files/partitioner_files.h"

#include "analysis/device.h"
#include "analysis/device_links.h"
#include "io/json/json_file.h"
#include "ir/tensor_meta.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxPartitionerBytes = 256ULL << 20U;
constexpr std::size_t kMaxDevices = 1000000;
constexpr unsigned kMaxPartitionerDepth = 64;

class PartitionerFile : public JsonFile {
public:
    using JsonFile::JsonFile;

    /// Reads a list of devices, or an object with the members "devices" and "links".
    Result<std::vector<Device>> devices(JsonValue value, const std::string& member) const
    {
        if (!value.is(JsonType::object))
            return deviceList(value, member);
        const std::string prefix = member.empty() ? member : member + ".";
        for (JsonValue key = value.firstItem(); key; key = key.nextMember())
            if (key.text() != "devices" && key.text() != "links" && key.text() != "note")
                return wrong("has an unknown key (known: devices, links, note)", prefix + std::string(key.text()));
        SUNDER_TRY(std::vector<Device> devices, deviceList(value.member("devices"), prefix + "devices"));
        if (const JsonValue links = value.member("links"))
            SUNDER_PROPAGATE(takeLinks(links, prefix + "links", devices));
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
    Result<std::vector<Device>> deviceList(JsonValue list, const std::string& member) const
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
                    return wrong("must have " + std::string(rangeOf(*figure)), member);
                hasMemory = hasMemory || figure->member == nullptr;
            } else if (key.text() == "rates") {
                SUNDER_TRY(device.rates, rates(item, member));
            } else if (key.text() == "color" || key.text() == "source") {
                if (!item.is(JsonType::string))
                    return wrong("must have a string", member);
                (key.text() == "color" ? device.color : device.source) = item.text();
            } else {
                item.appendRaw(startJsonMember(device.extra, key.text()));
            }
        }
        closeJsonObject(device.extra);
        if (!hasMemory)
            return wrong("lacks a required key", where + ".available_mem_bytes");
        return device;
    }

    Result<std::vector<DeviceRate>> rates(JsonValue value, const std::string& where) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object, e.g. {\"float32\": 19.5e12}", where);
        std::vector<DeviceRate> rates;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string member = where + "." + std::string(key.text());
            const std::optional<double> given = number(key.memberValue());
            if (!elementSize(key.text()))
                return wrong("has a rate for an unknown data type", member);
            if (!given || *given <= 0)
                return wrong("must have a number above 0", member);
            if (std::ranges::find(rates, key.text(), &DeviceRate::dtype) != rates.end())
                return wrong("has a duplicate key", member);
            rates.push_back({std::string(key.text()), *given});
        }
        return rates;
    }

    /// Reads one link for all pairs, or a list in which each pair occurs once.
    Result<void> takeLinks(JsonValue value, const std::string& where, std::vector<Device>& devices) const
    {
        if (value.is(JsonType::object)) {
            SUNDER_TRY(const DeviceLink all, oneLink(value, where, false));
            for (Device& device : devices)
                device.links = {all};
            return {};
        }
        if (!value.is(JsonType::array))
            return wrong("must have an object or a list", where);
        std::size_t count = 0;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            const std::string member = where + "[" + std::to_string(count++) + "]";
            if (!item.is(JsonType::object))
                return wrong("must have an object", member);
            SUNDER_TRY(DeviceLink link, oneLink(item, member, true));
            SUNDER_TRY(Device* const from, linkEnd(item.member("from"), member + ".from", devices));
            SUNDER_TRY(const Device* const to, linkEnd(item.member("to"), member + ".to", devices));
            if (from == to)
                return wrong("links " + describe(*from) + " to itself", member);
            link.to = to->logicalId;
            if (std::ranges::find(from->links, link.to, &DeviceLink::to) != from->links.end())
                return wrong("has a second link from " + describe(*from) + " to " + describe(*to), member);
            from->links.push_back(link);
        }
        return checkPairs(devices, where);
    }

    Result<DeviceLink> oneLink(JsonValue value, const std::string& where, bool hasEnds) const
    {
        DeviceLink link;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string member = where + "." + std::string(key.text());
            if (hasEnds && (key.text() == "from" || key.text() == "to"))
                continue;
            const std::optional<double> given = number(key.memberValue());
            if (key.text() == "bandwidth_bytes_per_s")
                link.bytesPerSecond = given;
            else if (key.text() == "latency_s")
                link.latencySeconds = given;
            else if (key.text() == "efficiency")
                link.efficiency = given;
            else
                return wrong("has an unknown key (known: bandwidth_bytes_per_s, latency_s, efficiency, from, to)", member);
            const bool isShare = key.text() == "efficiency";
            if (!given || *given < 0 || (*given == 0 && key.text() != "latency_s") || (isShare && *given > 1))
                return wrong(isShare                         ? "must have a number above 0 and at most 1"
                                 : key.text() == "latency_s" ? "must have a number of at least 0"
                                                             : "must have a number above 0",
                             member);
        }
        return link;
    }

    /// Finds a device by its name or logical id.
    Result<Device*> linkEnd(JsonValue value, const std::string& where, std::vector<Device>& devices) const
    {
        const auto isMeant = [&](const Device& device) {
            return value.is(JsonType::integer) ? device.logicalId == value.asInteger() : device.name == value.text();
        };
        if (!value.is(JsonType::integer) && !value.is(JsonType::string))
            return wrong("must have the name or logical ID of a device", where);
        const auto found = std::ranges::find_if(devices, isMeant);
        if (found == devices.end())
            return wrong("names a device that is not in the list", where);
        if (std::find_if(found + 1, devices.end(), isMeant) != devices.end())
            return wrong("names several devices; use the logical ID", where);
        return &*found;
    }

    /// A list of links that does not state the bandwidth of each pair is incomplete.
    Result<void> checkPairs(const std::vector<Device>& devices, const std::string& where) const
    {
        const DeviceLinks links(devices);
        for (std::size_t from = 0; from < devices.size(); ++from)
            for (std::size_t to = 0; to < devices.size(); ++to)
                if (from != to && !links.between(from, to))
                    return wrong("lacks a link from " + describe(devices[from]) + " to " + describe(devices[to]), where);
        return {};
    }

    Result<void> take(std::string_view key, JsonValue value, PartitionerConfig& config) const
    {
        const std::span<const PartitionerKey> keys = partitionerKeys();
        const auto declared = std::ranges::find(keys, key, &PartitionerKey::key);
        if (declared != keys.end())
            return std::visit([&](auto member) { return read(value, std::string(key), config.*member); }, declared->member);
        if (key == "note")
            return {};
        std::string known;
        for (const PartitionerKey& one : keys)
            known.append(known.empty() ? "" : ", ").append(one.key);
        return wrong("has an unknown key (known: " + known + ", note)", std::string(key));
    }

    Result<void> read(JsonValue value, const std::string& member, PartitionMode& into) const
    {
        const auto mode = value.is(JsonType::string) ? partitionModeOf(value.text()) : std::nullopt;
        if (!mode)
            return wrong("must have " + partitionModeNames(), member);
        into = *mode;
        return {};
    }

    Result<void> read(JsonValue value, const std::string& member, bool& into) const
    {
        if (!value.is(JsonType::boolean))
            return wrong("must have true or false", member);
        into = value.asBoolean();
        return {};
    }

    Result<void> read(JsonValue value, const std::string& member, std::vector<Device>& into) const
    {
        SUNDER_TRY(into, devices(value, member));
        return {};
    }

    Result<void> read(JsonValue value, const std::string& member, double& into) const
    {
        const std::optional<double> given = number(value);
        if (!given)
            return wrong("must have a number", member);
        into = *given;
        return {};
    }

    template <typename Key, typename Value>
    Result<void> read(JsonValue value, const std::string& member, std::vector<std::pair<Key, Value>>& into) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", member);
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string where = member + "." + std::string(key.text());
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", where);
            SUNDER_TRY(const Key name, keyOf(key.text(), where, Key()));
            into.emplace_back(name, Value());
            SUNDER_PROPAGATE(readEntry(key.memberValue(), where, into.back().second));
        }
        return {};
    }

    static Result<InternedString> keyOf(std::string_view text, const std::string&, InternedString) { return intern(text); }

    Result<std::int64_t> keyOf(std::string_view text, const std::string& where, std::int64_t partition) const
    {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), partition);
        if (error != std::errc() || end != text.data() + text.size())
            return wrong("has a key that is not the number of a partition", where);
        return partition;
    }

    Result<void> readEntry(JsonValue pair, const std::string& where, NodeLatency& into) const
    {
        if (!pair.is(JsonType::array) || pair.count() != 2)
            return wrong("must have [memory, compute] in seconds", where);
        const std::optional<double> memory = number(pair.firstItem());
        const std::optional<double> compute = number(pair.firstItem().nextItem());
        if (!memory || !compute)
            return wrong("must have two numbers", where);
        into = {.memory = *memory, .compute = *compute};
        return {};
    }

    Result<void> readEntry(JsonValue value, const std::string& where, std::int64_t& into) const
    {
        if (!value.is(JsonType::integer))
            return wrong("must have the number of a partition", where);
        into = value.asInteger();
        return {};
    }

    Result<void> readEntry(JsonValue list, const std::string& where, std::vector<std::int64_t>& into) const
    {
        if (!list.is(JsonType::array))
            return wrong("must have a list of logical IDs", where);
        for (JsonValue item = list.firstItem(); item; item = item.nextItem()) {
            if (!item.is(JsonType::integer))
                return wrong("must have a list of logical IDs", where);
            into.push_back(item.asInteger());
        }
        return {};
    }
};

/// Writes whole numbers without a fraction, as is usual for bytes.
void appendNumber(std::string& out, double value)
{
    constexpr double kExactIntegers = 9007199254740992;
    if (value == std::floor(value) && std::abs(value) < kExactIntegers)
        appendJsonInteger(out, static_cast<std::int64_t>(value));
    else
        appendJsonFloat(out, value);
}

/// Writes the members of a CONFIG.json, except for values that are the default.
class PartitionerConfigWriter {
public:
    void add(std::string_view key, PartitionMode mode) { appendJsonString(next(key), name(mode)); }
    void add(std::string_view key, bool value)
    {
        if (value)
            next(key) += "true";
    }
    void add(std::string_view key, double value)
    {
        if (value != 0)
            appendNumber(next(key), value);
    }
    void add(std::string_view key, const std::vector<Device>& devices)
    {
        const std::string text = devicesFileText(devices);
        next(key, '\n') += text.substr(0, text.size() - 1);
    }

    /// One line per entry.
    template <typename Key, typename Value>
    void add(std::string_view key, const std::vector<std::pair<Key, Value>>& entries)
    {
        if (entries.empty())
            return;
        next(key, '\n') += '{';
        for (const auto& [name, value] : entries) {
            m_out += m_out.back() == '{' ? "\n" : ",\n";
            if constexpr (std::is_integral_v<Key>)
                appendJsonString(m_out, std::to_string(name));
            else
                appendJsonString(m_out, name.view());
            m_out += ':';
            append(value);
        }
        m_out += '}';
    }

    [[nodiscard]] std::string text() const { return m_out + "}\n"; }

private:
    std::string& next(std::string_view key, std::optional<char> space = {})
    {
        if (m_out.size() > 1)
            m_out += ',';
        if (space)
            m_out += *space;
        appendJsonString(m_out, key);
        return m_out += ':';
    }

    void append(std::int64_t partition) { appendJsonInteger(m_out, partition); }
    void append(const NodeLatency& latency)
    {
        appendNumber(m_out += '[', latency.memory);
        appendNumber(m_out += ',', latency.compute);
        m_out += ']';
    }
    void append(const std::vector<std::int64_t>& ids)
    {
        m_out += '[';
        for (const std::int64_t id : ids) {
            m_out += m_out.back() == '[' ? "" : ",";
            append(id);
        }
        m_out += ']';
    }

    std::string m_out = "{";
};

} // namespace

namespace {

void appendLink(const DeviceLink& link, std::string& object)
{
    const auto add = [&object](std::string_view key, const std::optional<double>& value) {
        if (value)
            appendNumber(startJsonMember(object, key), *value);
    };
    add("bandwidth_bytes_per_s", link.bytesPerSecond);
    add("latency_s", link.latencySeconds);
    add("efficiency", link.efficiency);
    closeJsonObject(object);
}

/// Returns the member "links"; empty if no device has any. Links to devices that are not in the list are left out.
std::string linksText(const std::vector<Device>& devices)
{
    std::string list;
    for (const Device& device : devices) {
        for (const DeviceLink& link : device.links) {
            std::string object;
            if (!link.to) { // a link for all pairs; every device has the same
                appendLink(link, object);
                return object.empty() ? "{}" : object;
            }
            if (std::ranges::find(devices, *link.to, &Device::logicalId) == devices.end())
                continue;
            appendJsonInteger(startJsonMember(object, "from"), device.logicalId);
            appendJsonInteger(startJsonMember(object, "to"), *link.to);
            appendLink(link, object);
            list += (list.empty() ? "[\n" : ",\n") + object;
        }
    }
    return list.empty() ? list : list + "\n]";
}

} // namespace

Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    const PartitionerFile file("devices file", nameForMessages);
    SUNDER_PROPAGATE(file.parse(tape, text, kMaxPartitionerDepth));
    Result<std::vector<Device>> devices = file.devices(tape.root(), "");
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
    const std::string links = linksText(devices);
    std::string out = links.empty() ? "[" : "{\"devices\":[";
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
        if (!device.rates.empty()) {
            std::string rates;
            for (const DeviceRate& rate : device.rates)
                appendNumber(startJsonMember(rates, rate.dtype), rate.flopsPerSecond);
            closeJsonObject(rates);
            out += ",\"rates\":" + rates;
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
    return out + (links.empty() ? "\n]\n" : "\n],\n\"links\":" + links + "}\n");
}

Result<void> writeDevicesFile(const std::vector<Device>& devices, const std::string& path)
{
    return writeFileAtomically(path, devicesFileText(devices));
}

std::string partitionerConfigText(const PartitionerConfig& config)
{
    PartitionerConfigWriter out;
    for (const PartitionerKey& key : partitionerKeys())
        std::visit([&](auto member) { out.add(key.key, config.*member); }, key.member);
    return out.text();
}

Result<PartitionerConfig> parsePartitionerConfig(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    const PartitionerFile file("configuration file", nameForMessages);
    SUNDER_PROPAGATE(file.parse(tape, text, kMaxPartitionerDepth));
    return file.config(tape.root());
}

Result<PartitionerConfig> readPartitionerConfig(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxPartitionerBytes));
    return parsePartitionerConfig(text, path);
}

} // namespace sunder
