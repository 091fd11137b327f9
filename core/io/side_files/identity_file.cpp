#include "io/side_files/identity_file.h"

#include "io/json/json_file.h"
#include "io/json/json_members.h"
#include "support/file.h"
#include "support/json_text.h"

#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxIdentityBytes = 256ULL << 20U;
constexpr unsigned kMaxIdentityDepth = 16;
constexpr std::int64_t kIdentityVersion = 1;
constexpr std::size_t kModuleColumns = 4;
constexpr std::size_t kNodeColumns = 7; ///< before the inputs of a node

/// Numbers values in the order of their first occurrence.
template <typename Thing>
class FirstMet {
public:
    std::int64_t operator()(const Thing& thing)
    {
        const auto [at, isNew] = m_places.try_emplace(thing, static_cast<std::int64_t>(m_things.size()));
        if (isNew)
            m_things.push_back(thing);
        return at->second;
    }
    [[nodiscard]] const std::vector<Thing>& things() const { return m_things; }

private:
    std::unordered_map<Thing, std::int64_t> m_places;
    std::vector<Thing> m_things;
};

void appendRow(std::string& out, std::span<const std::int64_t> numbers)
{
    out += out.back() == '[' ? "\n[" : ",\n[";
    for (const std::int64_t number : numbers) {
        if (out.back() != '[')
            out += ',';
        appendJsonInteger(out, number);
    }
    out += ']';
}

void appendHash(std::string& out, std::uint64_t hash)
{
    constexpr int kHexadecimal = 16;
    std::array<char, 16> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), hash, kHexadecimal);
    appendJsonString(out, std::string_view(digits.data(), end));
}

class IdentityReader {
public:
    IdentityReader(JsonValue object, const std::string& name) : m_members(object, kNames), m_name(name) {}

    Result<GraphIdentity> read()
    {
        if (!m_members.duplicate().empty())
            report("has a duplicate key", std::string(m_members.duplicate()));
        if (const JsonValue version = m_members[0]; !version || !version.is(JsonType::integer))
            report("lacks its version", "version");
        else if (version.asInteger() != kIdentityVersion)
            return fail(ErrorCode::unsupported,
                        "the identity file has version " + std::to_string(version.asInteger()) + "; this program reads version "
                            + std::to_string(kIdentityVersion),
                        {.file = m_name});
        readTables();
        readModules();
        readNodes();
        if (m_fault)
            return tl::unexpected<Error>(*m_fault);
        return std::move(m_identity);
    }

private:
    static constexpr std::array<std::string_view, 5> kNames = {"version", "texts", "hashes", "modules", "nodes"};

    void report(const std::string& what, const std::string& where)
    {
        if (!m_fault)
            m_fault = Error{ErrorCode::malformed, "the identity file " + what, {.file = m_name, .member = where}};
    }

    /// Calls `take(item, place)` for the items of a list until one is invalid.
    void each(std::size_t member, const auto& take)
    {
        const std::string list(kNames[member]);
        const JsonValue value = m_members[member];
        if (!value || !value.is(JsonType::array)) {
            report("lacks a required list", list);
            return;
        }
        std::size_t place = 0;
        for (JsonValue item = value.firstItem(); item && !m_fault; item = item.nextItem())
            take(item, list + "[" + std::to_string(place++) + "]");
    }

    void readTables()
    {
        each(1, [this](JsonValue item, const std::string& where) {
            if (item.is(JsonType::string))
                m_texts.push_back(intern(item.text()));
            else
                report("must have a string", where);
        });
        each(2, [this](JsonValue item, const std::string& where) {
            constexpr int kHexadecimal = 16;
            std::uint64_t hash = 0;
            const std::string_view text = item.is(JsonType::string) ? item.text() : std::string_view();
            const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), hash, kHexadecimal);
            if (text.empty() || error != std::errc() || rest != text.data() + text.size())
                report("must have a hash", where);
            m_hashes.push_back(hash);
        });
    }

    /// Reads the numbers of a row, at least `columns`.
    bool takeRow(JsonValue row, std::size_t columns, const std::string& where)
    {
        m_row.clear();
        if (row.is(JsonType::array))
            for (JsonValue item = row.firstItem(); item; item = item.nextItem())
                m_row.push_back(item.is(JsonType::integer) ? item.asInteger() : -1);
        if (m_row.size() < columns)
            report("has a row that is too short", where);
        return m_row.size() >= columns;
    }

    std::uint32_t number(std::size_t column, std::size_t bound, const std::string& where)
    {
        const std::int64_t value = m_row[column];
        if (value >= 0 && value < static_cast<std::int64_t>(bound))
            return static_cast<std::uint32_t>(value);
        report("has an index out of range", where);
        return 0;
    }

    template <typename Item>
    Item from(const std::vector<Item>& table, std::size_t column, const std::string& where)
    {
        const std::uint32_t at = number(column, table.size(), where);
        return m_fault ? Item() : table[at];
    }

    void readModules()
    {
        each(3, [this](JsonValue item, const std::string& where) {
            if (!takeRow(item, kModuleColumns, where))
                return;
            const std::size_t place = m_identity.modules.size();
            m_identity.modules.push_back({.path = from(m_texts, 0, where),
                                          .cls = from(m_texts, 1, where),
                                          .call = number(2, kMaxCalls, where),
                                          .parent = number(3, std::max<std::size_t>(place, 1), where)});
        });
        if (m_identity.modules.empty())
            report("has no modules, not even the root module", "modules");
    }

    void readNodes()
    {
        const JsonValue rows = m_members[4];
        const std::size_t count = rows && rows.is(JsonType::array) ? rows.count() : 0;
        each(4, [this, count](JsonValue item, const std::string& where) {
            if (!takeRow(item, kNodeColumns, where))
                return;
            m_identity.nodes.push_back({.name = from(m_texts, 0, where),
                                        .target = from(m_texts, 1, where),
                                        .op = static_cast<Op>(number(2, static_cast<std::size_t>(Op::output) + 1, where)),
                                        .isWeight = number(3, 2, where) == 1,
                                        .module = number(4, m_identity.modules.size(), where),
                                        .constants = from(m_hashes, 5, where),
                                        .value = from(m_hashes, 6, where)});
            for (std::size_t column = kNodeColumns; column < m_row.size(); ++column)
                m_identity.reads.add(number(column, count, where));
            m_identity.reads.endRow();
        });
    }

    static constexpr std::size_t kMaxCalls = 0xffffffffU;

    JsonMembers m_members;
    const std::string& m_name;
    std::optional<Error> m_fault;
    std::vector<InternedString> m_texts;
    std::vector<std::uint64_t> m_hashes;
    std::vector<std::int64_t> m_row;
    GraphIdentity m_identity;
};

} // namespace

std::string identityText(const GraphIdentity& identity)
{
    FirstMet<InternedString> texts;
    FirstMet<std::uint64_t> hashes;
    std::string rows = ",\n\"modules\":[";
    for (const ModuleCallIdentity& module : identity.modules)
        appendRow(rows,
                  std::array<std::int64_t, kModuleColumns>{texts(module.path), texts(module.cls), module.call, module.parent});
    rows += "],\n\"nodes\":[";
    std::vector<std::int64_t> row;
    for (std::size_t i = 0; i < identity.nodes.size(); ++i) {
        const NodeIdentity& node = identity.nodes[i];
        row = {texts(node.name),       texts(node.target), static_cast<std::int64_t>(node.op), node.isWeight ? 1 : 0, node.module,
               hashes(node.constants), hashes(node.value)};
        row.insert(row.end(), identity.reads[i].begin(), identity.reads[i].end());
        appendRow(rows, row);
    }
    std::string out = "{\"version\":" + std::to_string(kIdentityVersion) + ",\n\"texts\":[";
    for (const InternedString text : texts.things()) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, text.view());
    }
    out += "],\n\"hashes\":[";
    for (const std::uint64_t hash : hashes.things()) {
        out += out.back() == '[' ? "" : ",";
        appendHash(out, hash);
    }
    return out + "]" + rows + "]}";
}

Result<GraphIdentity> identityFrom(JsonValue object, const std::string& nameForMessages)
{
    if (!object || !object.is(JsonType::object))
        return fail(ErrorCode::malformed, "the identity file is not an object", {.file = nameForMessages});
    return IdentityReader(object, nameForMessages).read();
}

bool looksLikeIdentity(std::string_view head)
{
    return head.starts_with('{') && head.find("\"version\"") != std::string_view::npos
        && head.find("\"texts\"") != std::string_view::npos;
}

Result<GraphIdentity> parseIdentity(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(JsonFile("identity file", nameForMessages).parse(tape, text, kMaxIdentityDepth));
    return identityFrom(tape.root(), nameForMessages);
}

Result<GraphIdentity> readIdentityFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxIdentityBytes));
    return parseIdentity(text, path);
}

Result<void> writeIdentityFile(const GraphIdentity& identity, const std::string& path)
{
    return writeFileAtomically(path, identityText(identity) + "\n");
}

} // namespace sunder
