#include "io/side_files/partitioner_files.h"

#include "io/json/json_file.h"
#include "io/side_files/devices_file.h"
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
constexpr unsigned kMaxPartitionerDepth = 64;

class PartitionerFile : public JsonFile {
public:
    using JsonFile::JsonFile;

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
        SUNDER_TRY(into, devicesFrom(value, member, *this));
        return {};
    }

    Result<void> read(JsonValue value, const std::string& member, double& into) const
    {
        const std::optional<double> given = numberIn(value);
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
        const std::optional<double> memory = numberIn(pair.firstItem());
        const std::optional<double> compute = numberIn(pair.firstItem().nextItem());
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
            appendFigure(next(key), value);
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
        appendFigure(m_out += '[', latency.memory);
        appendFigure(m_out += ',', latency.compute);
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
