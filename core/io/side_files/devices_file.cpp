#include "io/side_files/devices_file.h"

#include "analysis/device_links.h"
#include "ir/tensor_meta.h"
#include "support/file.h"
#include "support/json_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxDevicesBytes = 256ULL << 20U;
constexpr std::size_t kMaxDevices = 1000000;
constexpr std::size_t kMaxLinkedDevices = 4096;
constexpr unsigned kMaxDevicesDepth = 64;

/// Reads the member "links".
class LinkReader {
public:
    LinkReader(const JsonFile& file, std::vector<Device>& devices, LinkPairs pairs)
        : m_file(file), m_devices(devices), m_required(pairs)
    {
    }

    /// Reads one link for all pairs, or a list in which each pair occurs once.
    Result<void> read(JsonValue value, const std::string& where)
    {
        if (value.is(JsonType::object)) {
            SUNDER_TRY(const DeviceLink all, link(value, where, false));
            for (Device& device : m_devices)
                device.links = {all};
            return {};
        }
        if (!value.is(JsonType::array))
            return m_file.wrong("must have an object or a list", where);
        if (m_devices.size() > kMaxLinkedDevices)
            return m_file.wrong("has a list of links for more than 4,096 devices", where);
        for (std::size_t i = 0; i < m_devices.size(); ++i) {
            m_byId[m_devices[i].logicalId] = i;
            ++m_names[m_devices[i].name].count;
            m_names[m_devices[i].name].last = i;
        }
        std::size_t count = 0;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem())
            SUNDER_PROPAGATE(take(item, where + "[" + std::to_string(count++) + "]"));
        return m_required == LinkPairs::all ? checkPairs(where) : Result<void>();
    }

private:
    Result<void> take(JsonValue item, const std::string& member)
    {
        if (!item.is(JsonType::object))
            return m_file.wrong("must have an object", member);
        SUNDER_TRY(DeviceLink one, link(item, member, true));
        SUNDER_TRY(const std::size_t from, end(item.member("from"), member + ".from"));
        SUNDER_TRY(const std::size_t to, end(item.member("to"), member + ".to"));
        if (from == to)
            return m_file.wrong("links " + describe(m_devices[from]) + " to itself", member);
        if (!m_pairs.insert(from * kMaxLinkedDevices + to).second)
            return m_file.wrong("has a second link from " + describe(m_devices[from]) + " to " + describe(m_devices[to]), member);
        one.to = m_devices[to].logicalId;
        m_devices[from].links.push_back(one);
        return {};
    }

    Result<DeviceLink> link(JsonValue value, const std::string& where, bool hasEnds) const
    {
        DeviceLink link;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string member = where + "." + std::string(key.text());
            if (hasEnds && (key.text() == "from" || key.text() == "to"))
                continue;
            const std::optional<double> given = numberIn(key.memberValue());
            const bool isLatency = key.text() == "latency_s";
            const bool isShare = key.text() == "efficiency";
            if (isLatency)
                link.latencySeconds = given;
            else if (isShare)
                link.efficiency = given;
            else if (key.text() == "bandwidth_bytes_per_s")
                link.bytesPerSecond = given;
            else
                return m_file.wrong("has an unknown key (known: bandwidth_bytes_per_s, latency_s, efficiency"
                                        + std::string(hasEnds ? ", from, to)" : ")"),
                                    member);
            if (!given || *given < 0 || (*given == 0 && !isLatency) || (isShare && *given > 1))
                return m_file.wrong(isLatency     ? "must have a number of at least 0"
                                        : isShare ? "must have a number above 0 and at most 1"
                                                  : "must have a number above 0",
                                    member);
        }
        return link;
    }

    /// Finds a device by its name or logical id.
    [[nodiscard]] Result<std::size_t> end(JsonValue value, const std::string& where) const
    {
        if (value.is(JsonType::integer)) {
            const auto found = m_byId.find(value.asInteger());
            return found != m_byId.end() ? Result<std::size_t>(found->second)
                                         : m_file.wrong("names a device that is not in the list", where);
        }
        if (!value.is(JsonType::string))
            return m_file.wrong("must have the name or logical ID of a device", where);
        const auto found = m_names.find(value.text());
        if (found == m_names.end())
            return m_file.wrong("names a device that is not in the list", where);
        if (found->second.count > 1)
            return m_file.wrong("names several devices; use the logical ID", where);
        return found->second.last;
    }

    /// A list of links that leaves the bandwidth of a pair open is incomplete.
    [[nodiscard]] Result<void> checkPairs(const std::string& where) const
    {
        const DeviceLinks links(m_devices);
        for (std::size_t from = 0; from < m_devices.size(); ++from)
            for (std::size_t to = 0; to < m_devices.size(); ++to)
                if (from != to && !links.between(from, to))
                    return m_file.wrong("lacks a link from " + describe(m_devices[from]) + " to " + describe(m_devices[to]),
                                        where);
        return {};
    }

    struct Named {
        std::size_t count = 0;
        std::size_t last = 0;
    };
    const JsonFile& m_file;
    std::vector<Device>& m_devices;
    LinkPairs m_required;
    std::unordered_map<std::int64_t, std::size_t> m_byId;
    std::map<std::string, Named, std::less<>> m_names;
    std::unordered_set<std::size_t> m_pairs;
};

/// Reads devices in a JSON value.
class DeviceReader {
public:
    DeviceReader(const JsonFile& file, LinkPairs pairs) : m_file(file), m_pairs(pairs) {}

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
            SUNDER_PROPAGATE(LinkReader(m_file, devices, m_pairs).read(links, prefix + "links"));
        return devices;
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
                const std::optional<double> given = numberIn(item);
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
            const std::optional<double> given = numberIn(key.memberValue());
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

    [[nodiscard]] tl::unexpected<Error> wrong(std::string_view what, std::string_view member) const
    {
        return m_file.wrong(what, member);
    }

    const JsonFile& m_file;
    LinkPairs m_pairs;
};

void appendLink(const DeviceLink& link, std::string& object)
{
    const auto add = [&object](std::string_view key, const std::optional<double>& value) {
        if (value)
            appendFigure(startJsonMember(object, key), *value);
    };
    add("bandwidth_bytes_per_s", link.bytesPerSecond);
    add("latency_s", link.latencySeconds);
    add("efficiency", link.efficiency);
    closeJsonObject(object);
}

/// Returns the member "links"; empty if no device has any. Links to devices that are not in the list are left out.
std::string linksMember(const std::vector<Device>& devices)
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

void appendFigure(std::string& out, double value)
{
    constexpr double kExactIntegers = 9007199254740992;
    if (value == std::floor(value) && std::abs(value) < kExactIntegers)
        appendJsonInteger(out, static_cast<std::int64_t>(value));
    else
        appendJsonFloat(out, value);
}

Result<std::vector<Device>> devicesFrom(JsonValue value, const std::string& member, const JsonFile& file, LinkPairs pairs)
{
    return DeviceReader(file, pairs).devices(value, member);
}

Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages, LinkPairs pairs)
{
    JsonTape tape;
    const JsonFile file("devices file", nameForMessages);
    SUNDER_PROPAGATE(file.parse(tape, text, kMaxDevicesDepth));
    Result<std::vector<Device>> devices = devicesFrom(tape.root(), "", file, pairs);
    if (devices)
        return devices;
    Error error = devices.error();
    error.message += R"( (expected a list like [{"name": "gpu 0", "available_mem_bytes": 8000000000}]))";
    return tl::unexpected<Error>(std::move(error));
}

Result<std::vector<Device>> readDevicesFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxDevicesBytes));
    return parseDevicesFile(text, path);
}

std::string devicesFileText(const std::vector<Device>& devices)
{
    const std::string links = linksMember(devices);
    std::string out = links.empty() ? "[" : "{\"devices\":[";
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Device& device = devices[i];
        out += i == 0 ? "\n{\"name\":" : ",\n{\"name\":";
        appendJsonString(out, device.name);
        out += ",\"available_mem_bytes\":";
        appendFigure(out, device.availableBytes);
        if (device.logicalId != static_cast<std::int64_t>(i)) {
            out += ",\"logical_id\":";
            appendJsonInteger(out, device.logicalId);
        }
        for (const DeviceFigure& figure : deviceFigures().subspan(1)) {
            const std::optional<double> value = figureOf(device, figure);
            if (!value)
                continue;
            out += ",\"" + std::string(figure.key) + "\":";
            appendFigure(out, *value);
        }
        if (!device.rates.empty()) {
            std::string rates;
            for (const DeviceRate& rate : device.rates)
                appendFigure(startJsonMember(rates, rate.dtype), rate.flopsPerSecond);
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

} // namespace sunder
