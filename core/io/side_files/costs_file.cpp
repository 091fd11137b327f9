#include "io/side_files/costs_file.h"

#include "analysis/search/node_matcher.h"
#include "io/archives/gzip.h"
#include "io/drawings/node_data.h"
#include "io/json/json_file.h"
#include "io/side_files/trace_file.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxCostsBytes = 1ULL << 30U;
constexpr unsigned kMaxCostsDepth = 64;

/// The values of one node in a file; absent ones leave those of earlier files.
struct CostEntry {
    std::optional<double> seconds = {};
    std::optional<double> transferSeconds = {};
    std::optional<std::uint64_t> extraBytes = {};
};

std::optional<double> costOf(JsonValue value)
{
    const std::optional<double> number = numberIn(value);
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<std::uint64_t> wholeBytes(double value)
{
    constexpr double kMaxBytes = 9.0e18;
    return value == std::floor(value) && value <= kMaxBytes ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
}

std::string_view withoutQuotes(std::string_view cell)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!cell.empty() && isBlank(cell.front()))
        cell.remove_prefix(1);
    while (!cell.empty() && isBlank(cell.back()))
        cell.remove_suffix(1);
    return cell.size() >= 2 && cell.front() == '"' && cell.back() == '"' ? cell.substr(1, cell.size() - 2) : cell;
}

std::vector<std::string_view> csvCells(std::string_view row)
{
    std::vector<std::string_view> cells;
    for (std::size_t from = 0; from <= row.size();) {
        const std::size_t end = std::min(row.find(',', from), row.size());
        cells.push_back(withoutQuotes(row.substr(from, end - from)));
        from = end + 1;
    }
    return cells;
}

/// Reads one file of costs.
class CostsReader : private JsonFile {
public:
    CostsReader(const Program& program, const std::string& path, MeasuredCosts& costs)
        : JsonFile("costs file", path), m_program(program), m_graph(program.rootGraph()), m_index(m_graph), m_costs(costs),
          m_source(static_cast<std::uint32_t>(costs.sources.size()))
    {
        costs.sources.push_back(path);
        costs.nodes.resize(m_graph.idBound());
    }

    Result<void> read(std::string_view text)
    {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos)
            return wrong("is empty", "");
        return text[first] == '{' || text[first] == '[' ? readJson(text) : readCsv(text);
    }

private:
    [[nodiscard]] tl::unexpected<Error> refused(const std::string& what, const std::string& member, std::string_view node) const
    {
        return fail(ErrorCode::refused, "the costs file " + what, {.file = path(), .member = member, .node = std::string(node)});
    }

    Result<NodeId> nodeNamed(std::string_view name, const std::string& member) const
    {
        const NodeId id = m_index.find(intern(name));
        if (!id.isValid())
            return refused("names \"" + std::string(name) + "\", which is not a node of the model", member, name);
        return id;
    }

    void take(NodeId id, const CostEntry& entry)
    {
        MeasuredNode& node = m_costs.nodes[id.index()];
        node.seconds = entry.seconds ? entry.seconds : node.seconds;
        node.transferSeconds = entry.transferSeconds ? entry.transferSeconds : node.transferSeconds;
        node.extraBytes = entry.extraBytes.value_or(node.extraBytes);
        node.source = entry.seconds ? m_source : node.source;
    }

    // JSON ------------------------------------------------------------------------------------

    Result<void> readJson(std::string_view text)
    {
        JsonTape tape;
        SUNDER_PROPAGATE(parse(tape, text, kMaxCostsDepth));
        if (isTrace(tape.root()))
            return takeTrace(tape.root());
        if (tape.root().is(JsonType::array))
            return wrong("is neither an object nor a trace", "");
        if (!tape.root().member("nodes") && isNodeData(tape.root()))
            return takeNodeData(text);
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = tape.root().firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", key.text());
            const JsonValue value = key.memberValue();
            if (key.text() == "nodes")
                SUNDER_PROPAGATE(readNodes(value));
            else if (key.text() == "modules")
                SUNDER_PROPAGATE(readModules(value));
            else if (key.text() == "together")
                SUNDER_PROPAGATE(readTogether(value));
            else if (key.text() == "recompute")
                SUNDER_PROPAGATE(readRecompute(value));
            else if (key.text() == "device" && value.is(JsonType::string))
                m_costs.device = value.text();
            else if (key.text() == "device")
                return wrong("must have a string", "device");
            else if (key.text() != "note")
                return wrong("has an unknown key (known: nodes, modules, together, recompute, device, note)", key.text());
        }
        return seen.contains("nodes") ? Result<void>() : wrong("lacks a required key", "nodes");
    }

    Result<void> takeTrace(JsonValue root)
    {
        SUNDER_TRY(TraceSeconds trace, secondsOfTrace(m_program, root, *this));
        for (const NodeId id : m_graph.nodes())
            if (const std::optional<double>& value = trace.nodes[id.index()])
                take(id, {.seconds = value});
        if (!trace.device.empty())
            m_costs.device = trace.device;
        m_costs.traces.push_back(std::move(trace.match));
        return {};
    }

    /// Takes the numbers as seconds.
    Result<void> takeNodeData(std::string_view text)
    {
        SUNDER_TRY(const NodeData data, parseNodeData(m_program, text, path()));
        for (const NodeId id : m_graph.nodes()) {
            const std::optional<double>& value = data.values[id.index()];
            const std::string_view name = m_graph[id].name.view();
            if (value && *value < 0)
                return refused("must have a number of at least 0", "results." + std::string(name), name);
            if (value)
                take(id, {.seconds = value});
        }
        return {};
    }

    Result<void> readNodes(JsonValue value)
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", "nodes");
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string member = "nodes." + std::string(key.text());
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", member);
            SUNDER_TRY(const NodeId id, nodeNamed(key.text(), member));
            SUNDER_TRY(const CostEntry entry, entryFrom(key.memberValue(), member, key.text()));
            if (!entry.seconds)
                return refused("lacks the number \"seconds\"", member, key.text());
            take(id, entry);
        }
        return {};
    }

    Result<CostEntry> entryFrom(JsonValue value, const std::string& member, std::string_view node) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", member);
        CostEntry entry;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string where = member + "." + std::string(key.text());
            const std::optional<double> number = costOf(key.memberValue());
            if (key.text() == "seconds")
                entry.seconds = number;
            else if (key.text() == "transfer_seconds")
                entry.transferSeconds = number;
            else if (key.text() == "extra_bytes")
                entry.extraBytes = number ? wholeBytes(*number) : std::nullopt;
            else
                return wrong("has an unknown key (known: seconds, transfer_seconds, extra_bytes)", where);
            if (!number || (key.text() == "extra_bytes" && !entry.extraBytes))
                return refused(key.text() == "extra_bytes" ? "must have a whole number of at least 0"
                                                           : "must have a number of at least 0",
                               where, node);
        }
        return entry;
    }

    Result<void> readModules(JsonValue value)
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", "modules");
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string member = "modules." + std::string(key.text());
            SUNDER_PROPAGATE(checkModule(key.text(), member));
            SUNDER_TRY(const CostEntry entry, entryFrom(key.memberValue(), member, {}));
            if (entry.seconds || entry.transferSeconds || !entry.extraBytes)
                return refused("must have \"extra_bytes\" and nothing else", member, {});
            auto& modules = m_costs.moduleExtraBytes;
            const auto known = std::ranges::find(modules, intern(key.text()), &std::pair<InternedString, std::uint64_t>::first);
            if (known != modules.end())
                known->second = *entry.extraBytes;
            else
                modules.emplace_back(intern(key.text()), *entry.extraBytes);
        }
        return {};
    }

    Result<void> readTogether(JsonValue value)
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list of lists of nodes", "together");
        std::size_t count = 0;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            const std::string member = "together[" + std::to_string(count++) + "]";
            if (!item.is(JsonType::array))
                return wrong("must have a list of nodes", member);
            std::vector<NodeId>& nodes = m_costs.together.emplace_back();
            for (JsonValue name = item.firstItem(); name; name = name.nextItem()) {
                if (!name.is(JsonType::string))
                    return wrong("must have a list of nodes", member);
                SUNDER_TRY(const NodeId id, nodeNamed(name.text(), member));
                nodes.push_back(id);
            }
        }
        return {};
    }

    Result<void> readRecompute(JsonValue value)
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list of module paths", "recompute");
        std::size_t count = 0;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            const std::string member = "recompute[" + std::to_string(count++) + "]";
            if (!item.is(JsonType::string))
                return wrong("must have a list of module paths", member);
            SUNDER_PROPAGATE(checkModule(item.text(), member));
            if (std::ranges::find(m_costs.recompute, intern(item.text())) == m_costs.recompute.end())
                m_costs.recompute.push_back(intern(item.text()));
        }
        return {};
    }

    Result<void> checkModule(std::string_view name, const std::string& member)
    {
        if (m_modules.empty()) {
            m_modules.insert(InternedString());
            for (const NodeId id : m_graph.nodes())
                forEachEnclosing(modulePathOf(m_program, m_graph[id]),
                                 [&](std::string_view path) { m_modules.insert(intern(path)); });
        }
        if (m_modules.contains(intern(name)) || m_program.modules.resolve(name).isValid())
            return {};
        return refused("names \"" + std::string(name) + "\", which is not a module of the model", member, {});
    }

    // CSV -------------------------------------------------------------------------------------

    [[nodiscard]] tl::unexpected<Error> inRow(ErrorCode code, const std::string& what, std::uint64_t row,
                                              std::string_view node) const
    {
        return fail(code, "the costs file " + what, {.file = path(), .line = row, .node = std::string(node)});
    }

    Result<void> readCsv(std::string_view text)
    {
        std::vector<std::string_view> columns;
        std::unordered_set<std::string_view> seen;
        std::uint64_t row = 0;
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            const std::vector<std::string_view> cells = csvCells(text.substr(from, end - from));
            from = end + 1;
            ++row;
            if (cells.size() == 1 && cells.front().empty())
                continue;
            if (columns.empty()) {
                columns = cells;
                SUNDER_PROPAGATE(checkHeader(columns, row));
                continue;
            }
            if (cells.size() > columns.size())
                return inRow(ErrorCode::malformed, "has more cells than its header", row, cells.front());
            SUNDER_PROPAGATE(takeRow(columns, cells, row, seen));
        }
        return {};
    }

    Result<void> checkHeader(const std::vector<std::string_view>& columns, std::uint64_t row) const
    {
        constexpr std::string_view kKnown[] = {"node", "seconds", "transfer_seconds", "extra_bytes"};
        std::unordered_set<std::string_view> seen;
        for (const std::string_view column : columns)
            if (std::ranges::find(kKnown, column) == std::end(kKnown) || !seen.insert(column).second)
                return inRow(ErrorCode::malformed,
                             "is neither JSON nor CSV with the header \"node,seconds[,transfer_seconds][,extra_bytes]\"", row,
                             {});
        if (!seen.contains("node") || !seen.contains("seconds"))
            return inRow(ErrorCode::malformed, "lacks the column \"node\" or \"seconds\"", row, {});
        return {};
    }

    Result<void> takeRow(const std::vector<std::string_view>& columns, const std::vector<std::string_view>& cells,
                         std::uint64_t row, std::unordered_set<std::string_view>& seen)
    {
        const auto at = static_cast<std::size_t>(std::ranges::find(columns, "node") - columns.begin());
        const std::string_view name = at < cells.size() ? cells[at] : std::string_view();
        const NodeId id = m_index.find(intern(name));
        if (!id.isValid())
            return inRow(ErrorCode::refused, "names \"" + std::string(name) + "\", which is not a node of the model", row, name);
        if (!seen.insert(name).second)
            return inRow(ErrorCode::refused, "lists node \"" + std::string(name) + "\" twice", row, name);
        CostEntry entry;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string_view cell = i < cells.size() ? cells[i] : std::string_view();
            const bool isRequired = columns[i] == "seconds";
            if (i == at || (cell.empty() && !isRequired))
                continue;
            double value = 0;
            const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            const bool isNumber = error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) && value >= 0;
            if (!isNumber || (columns[i] == "extra_bytes" && !wholeBytes(value)))
                return inRow(ErrorCode::refused,
                             "must have a number of at least 0 as \"" + std::string(columns[i]) + "\" of node \""
                                 + std::string(name) + '"',
                             row, name);
            if (isRequired)
                entry.seconds = value;
            else if (columns[i] == "transfer_seconds")
                entry.transferSeconds = value;
            else
                entry.extraBytes = wholeBytes(value);
        }
        take(id, entry);
        return {};
    }

    const Program& m_program;
    const Graph& m_graph;
    NodeIndex m_index;
    MeasuredCosts& m_costs;
    std::uint32_t m_source;
    std::unordered_set<InternedString> m_modules; ///< paths in the stacks of nodes; filled when needed
};

void appendNames(std::string& out, std::string_view key, const std::vector<InternedString>& names)
{
    out += ",\n\"" + std::string(key) + "\":[";
    for (const InternedString name : names) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, name.view());
    }
    out += ']';
}

} // namespace

Result<void> addCosts(const Program& program, std::string_view text, const std::string& nameForMessages, MeasuredCosts& costs)
{
    return CostsReader(program, nameForMessages, costs).read(text);
}

Result<MeasuredCosts> readCostsFiles(const Program& program, std::span<const std::string> paths, MeasuredCosts costs)
{
    for (const std::string& path : paths) {
        SUNDER_TRY(std::string text, readFile(path, kMaxCostsBytes));
        if (isGzip(text)) {
            GunzipStream stream;
            std::string unpacked;
            if (const Result<void> whole = stream.unpack(text, unpacked); !whole || !stream.isComplete())
                return fail(ErrorCode::malformed, whole ? "the gzip data is truncated" : whole.error().message, {.file = path});
            text = std::move(unpacked);
        }
        SUNDER_PROPAGATE(addCosts(program, text, path, costs));
    }
    return costs;
}

std::string costsFileText(const Program& program, const ProgramSeconds& seconds, const MeasuredCosts& measured,
                          std::string_view device)
{
    const Graph& graph = program.rootGraph();
    std::string out = "{\"nodes\":{";
    for (const NodeId id : graph.nodes()) {
        const NodeSeconds& node = seconds.nodes[id.index()];
        const MeasuredNode given = measured.of(id);
        if (!node.seconds)
            continue;
        out += out.back() == '{' ? "\n" : ",\n";
        appendJsonString(out, graph[id].name.view());
        std::string entry;
        appendJsonFloat(startJsonMember(entry, "seconds"), *node.seconds);
        if (node.transferSeconds)
            appendJsonFloat(startJsonMember(entry, "transfer_seconds"), *node.transferSeconds);
        if (given.extraBytes > 0)
            appendJsonInteger(startJsonMember(entry, "extra_bytes"), static_cast<std::int64_t>(given.extraBytes));
        closeJsonObject(entry);
        out += ':' + entry;
    }
    out += "\n}";
    if (!measured.moduleExtraBytes.empty()) {
        std::string modules;
        for (const auto& [path, bytes] : measured.moduleExtraBytes) {
            appendJsonInteger(startJsonMember(modules, path.view()) += "{\"extra_bytes\":", static_cast<std::int64_t>(bytes));
            modules += '}';
        }
        closeJsonObject(modules);
        out += ",\n\"modules\":" + modules;
    }
    if (!measured.together.empty()) {
        out += ",\n\"together\":[";
        for (const std::vector<NodeId>& nodes : measured.together) {
            std::string list;
            for (const NodeId id : nodes)
                appendJsonString(list += list.empty() ? "[" : ",", graph[id].name.view());
            out += (out.back() == '[' ? "" : ",") + (list.empty() ? "[" : list) + ']';
        }
        out += ']';
    }
    if (!measured.recompute.empty())
        appendNames(out, "recompute", measured.recompute);
    if (!device.empty()) {
        out += ",\n\"device\":";
        appendJsonString(out, device);
    }
    return out + "}\n";
}

std::string measuredCostsText(const Program& program, const MeasuredCosts& measured)
{
    if (measured.sources.empty())
        return {};
    ProgramSeconds seconds;
    seconds.nodes.resize(program.rootGraph().idBound());
    for (std::size_t i = 0; i < std::min(seconds.nodes.size(), measured.nodes.size()); ++i)
        seconds.nodes[i] = {.seconds = measured.nodes[i].seconds, .transferSeconds = measured.nodes[i].transferSeconds};
    std::string text = costsFileText(program, seconds, measured, measured.device);
    std::erase(text, '\n');
    return text;
}

} // namespace sunder
