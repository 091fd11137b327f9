#include "io/side_files/trace_file.h"

#include "ir/getitem.h"
#include "ir/tensor_meta.h"
#include "ir/value_kind.h"
#include "operators/operator_catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr std::string_view kNodeCategory = "sunder_node"; ///< of events of sunder.profile()

double medianOf(std::vector<double> values)
{
    const std::size_t middle = values.size() / 2;
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(middle));
    if (values.size() % 2 == 1)
        return values[middle];
    return (values[middle] + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle))) / 2;
}

/// Returns the torch name of a C++ type in a trace: "float32" for "float"; empty for anything but a tensor.
std::string_view dtypeOfTrace(std::string_view type)
{
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array kTypes = {
        Pair("float", "float32"),
        Pair("double", "float64"),
        Pair("c10::Half", "float16"),
        Pair("c10::BFloat16", "bfloat16"),
        Pair("long int", "int64"),
        Pair("long", "int64"),
        Pair("long long", "int64"),
        Pair("int", "int32"),
        Pair("short int", "int16"),
        Pair("short", "int16"),
        Pair("signed char", "int8"),
        Pair("unsigned char", "uint8"),
        Pair("bool", "bool"),
        Pair("c10::complex<float>", "complex64"),
        Pair("c10::complex<double>", "complex128"),
        Pair("c10::Float8_e4m3fn", "float8_e4m3fn"),
        Pair("c10::Float8_e5m2", "float8_e5m2"),
    };
    const auto* const found = std::ranges::find(kTypes, type, &Pair::first);
    return found == kTypes.end() ? std::string_view() : found->second;
}

/// The operator and the inputs of a call, as text: "aten::mm(4,8:float32;8,2:float32;)".
class CallKey {
public:
    explicit CallKey(std::string op) : m_text(std::move(op) + "(") {}

    /// Adds a tensor, unless it is 0-dimensional. The data type of an item of a list is empty.
    void add(const std::vector<std::int64_t>& sizes, std::string_view dtype)
    {
        if (sizes.empty())
            return;
        for (const std::int64_t size : sizes)
            m_text.append(std::to_string(size)) += ',';
        m_text.append(":").append(dtype) += ';';
    }
    [[nodiscard]] std::string take() { return std::move(m_text += ')'); }

private:
    std::string m_text;
};

/// An operator in a trace.
struct Event {
    std::string_view op;
    JsonValue args;
    double start = 0;
    double duration = 0;
    double kernels = 0; ///< duration of the kernels that it launched
    std::size_t thread = 0;
    std::size_t parent = 0;  ///< index plus one; 0: none
    std::string key = {};
};

std::vector<std::int64_t> sizesIn(JsonValue list)
{
    std::vector<std::int64_t> sizes;
    for (JsonValue size = list.firstItem(); size; size = size.nextItem())
        sizes.push_back(size.is(JsonType::integer) ? size.asInteger() : 0);
    return sizes;
}

std::string keyOfEvent(const Event& event, bool hasShapes)
{
    CallKey key{std::string(event.op)};
    if (!hasShapes)
        return key.take();
    JsonValue type = event.args.member("Input type").firstItem();
    for (JsonValue dims = event.args.member("Input Dims").firstItem(); dims && type; dims = dims.nextItem()) {
        const bool isList = dims.is(JsonType::array) && dims.firstItem() && dims.firstItem().is(JsonType::array);
        if (isList) {
            for (JsonValue item = dims.firstItem(); item; item = item.nextItem())
                key.add(sizesIn(item), {});
        } else if (const std::string_view dtype = dtypeOfTrace(type.textOr("")); !dtype.empty()) {
            key.add(sizesIn(dims), dtype);
        }
        type = type.nextItem();
    }
    return key.take();
}

void addTensors(const Graph& graph, const Argument& argument, bool isInList, CallKey& key)
{
    if (argument.is(ArgumentKind::node)) {
        const std::optional<Argument>& val = graph[argument.asNode()].meta.val;
        if (const TensorMeta* meta = tensorOf(val)) {
            std::vector<std::int64_t> sizes;
            for (const Argument& size : meta->shape)
                sizes.push_back(static_cast<std::int64_t>(sizeHint(size).value_or(0)));
            key.add(sizes, isInList ? std::string_view() : meta->dtype.view());
        }
    }
    for (const Argument& item : argument.items())
        addTensors(graph, item, true, key);
}

class TraceReader {
public:
    TraceReader(const Program& program, const JsonFile& file)
        : m_program(program), m_graph(program.rootGraph()), m_file(file), m_operators(program)
    {
        m_result.nodes.resize(m_graph.idBound());
        m_result.match.file = file.path();
    }

    Result<TraceSeconds> read(JsonValue root)
    {
        const JsonValue events = root.is(JsonType::array) ? root : root.member("traceEvents");
        m_result.device = root.member("sunder").member("device").textOr("");
        bool isOwn = false;
        for (JsonValue event = events.firstItem(); event && !isOwn; event = event.nextItem())
            isOwn = event.member("cat").textOr("") == kNodeCategory;
        if (isOwn)
            SUNDER_PROPAGATE(takeOwn(events));
        else
            takeOthers(events);
        return std::move(m_result);
    }

private:
    static std::optional<double> durationOf(JsonValue event)
    {
        const JsonValue value = event.member("dur");
        if (!value.is(JsonType::integer) && !value.is(JsonType::floating))
            return std::nullopt;
        const double duration = value.numberOr(-1);
        return duration >= 0 && std::isfinite(duration) ? std::optional(duration) : std::nullopt;
    }

    // Traces of sunder.profile() --------------------------------------------------------------

    Result<void> takeOwn(JsonValue events)
    {
        const NodeIndex index(m_graph);
        std::vector<std::vector<double>> durations(m_graph.idBound());
        std::size_t count = 0;
        for (JsonValue event = events.firstItem(); event; event = event.nextItem(), ++count) {
            if (event.member("cat").textOr("") != kNodeCategory)
                continue;
            const std::string name(event.member("name").textOr(""));
            const std::string member = "traceEvents[" + std::to_string(count) + "]";
            const NodeId id = index.find(intern(name));
            if (!id.isValid())
                return fail(ErrorCode::refused, "the trace names \"" + name + "\", which is not a node of the model",
                            {.file = m_file.path(), .member = member, .node = name});
            const std::optional<double> duration = durationOf(event);
            if (!duration)
                return fail(ErrorCode::refused, "the trace must have a duration of at least 0 for \"" + name + '"',
                            {.file = m_file.path(), .member = member, .node = name});
            durations[id.index()].push_back(*duration);
        }
        m_result.match.byName = true;
        for (const NodeId id : m_graph.nodes()) {
            std::vector<double>& each = durations[id.index()];
            if (each.empty()) {
                if (m_graph[id].isCall())
                    m_result.match.unmatched.push_back(id);
                continue;
            }
            m_result.match.runs = std::max(m_result.match.runs, static_cast<std::uint32_t>(each.size()));
            m_result.nodes[id.index()] = medianOf(std::move(each)) * kMicrosecond;
            ++m_result.match.matched;
        }
        return {};
    }

    // Traces of torch.profiler ----------------------------------------------------------------

    void takeOthers(JsonValue events)
    {
        collect(events);
        nest();
        addKernels(events);
        m_result.match.hasShapes = m_events.empty()
            || std::ranges::any_of(m_events, [](const Event& event) { return bool(event.args.member("Input Dims")); });
        collectCalls();
        match();
    }

    void collect(JsonValue events)
    {
        std::unordered_map<std::string, std::size_t> threads;
        for (JsonValue event = events.firstItem(); event; event = event.nextItem()) {
            const std::optional<double> duration = durationOf(event);
            if (event.member("cat").textOr("") != "cpu_op" || event.member("ph").textOr("") != "X" || !duration)
                continue;
            const std::string thread = event.member("pid").raw() + ' ' + event.member("tid").raw();
            m_events.push_back({.op = event.member("name").textOr(""),
                                .args = event.member("args"),
                                .start = event.member("ts").numberOr(0),
                                .duration = *duration,
                                .thread = threads.emplace(thread, threads.size()).first->second});
        }
        std::ranges::stable_sort(m_events, [](const Event& a, const Event& b) {
            return std::tuple(a.thread, a.start, -a.duration) < std::tuple(b.thread, b.start, -b.duration);
        });
    }

    /// Finds the event around each event.
    void nest()
    {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const auto isAround = [&](const Event& outer) {
                return outer.thread == m_events[i].thread && m_events[i].start < outer.start + outer.duration;
            };
            while (!open.empty() && !isAround(m_events[open.back()]))
                open.pop_back();
            m_events[i].parent = open.empty() ? 0 : open.back() + 1;
            open.push_back(i);
        }
    }

    /// Adds the durations of kernels to the operators that launched them, and to those around.
    void addKernels(JsonValue events)
    {
        std::unordered_map<std::int64_t, std::size_t> byId;
        for (std::size_t i = 0; i < m_events.size(); ++i)
            if (const JsonValue id = m_events[i].args.member("External id"); id.is(JsonType::integer))
                byId[id.asInteger()] = i;
        for (JsonValue event = events.firstItem(); event; event = event.nextItem()) {
            const std::string_view category = event.member("cat").textOr("");
            if (category != "kernel" && category != "gpu_memcpy" && category != "gpu_memset")
                continue;
            const JsonValue id = event.member("args").member("External id");
            const auto launched = id.is(JsonType::integer) ? byId.find(id.asInteger()) : byId.end();
            const std::optional<double> duration = durationOf(event);
            if (launched == byId.end() || !duration)
                continue;
            for (std::size_t at = launched->second + 1; at != 0; at = m_events[at - 1].parent)
                m_events[at - 1].kernels += *duration;
        }
    }

    void collectCalls()
    {
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph[id];
            if ((node.op != Op::callFunction && node.op != Op::callMethod) || isGetitem(node))
                continue;
            const OperatorFacts& facts = m_operators.of(node);
            if (facts.overloads.empty() || facts.overloads.front().schema.packet.empty())
                continue;
            CallKey key(facts.overloads.front().schema.packet.str());
            if (m_result.match.hasShapes) {
                // The profiler records no shapes of lists with optional tensors, such as the indices of `index`.
                const std::vector<SchemaArgument>& declared = facts.overloads.front().schema.arguments;
                for (std::size_t i = 0; i < node.args.size(); ++i)
                    if (i >= declared.size() || declared[i].type.view() != "Tensor?[]")
                        addTensors(m_graph, node.args[i], false, key);
                for (const auto& [name, argument] : node.kwargs)
                    addTensors(m_graph, argument, false, key);
            }
            m_calls[key.take()].push_back(id);
        }
    }

    void match()
    {
        std::map<std::string, std::vector<std::size_t>> events; ///< by key, in order
        std::vector<bool> isTaken(m_events.size()); ///< it, or an event around it, was taken
        std::vector<bool> holdsTaken(m_events.size());
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            Event& event = m_events[i];
            if (event.parent != 0 && isTaken[event.parent - 1]) {
                isTaken[i] = true;
                continue;
            }
            event.key = keyOfEvent(event, m_result.match.hasShapes);
            if (!m_calls.contains(event.key))
                continue;
            isTaken[i] = true;
            events[event.key].push_back(i);
            for (std::size_t at = i + 1; at != 0 && !holdsTaken[at - 1]; at = m_events[at - 1].parent)
                holdsTaken[at - 1] = true;
        }
        std::map<std::string_view, std::uint32_t> others;
        for (std::size_t i = 0; i < m_events.size(); ++i)
            if (m_events[i].parent == 0 && !holdsTaken[i])
                ++others[m_events[i].op];
        for (const auto& [op, count] : others)
            m_result.match.unmatchedEvents.emplace_back(op, count);
        m_result.match.runs = usualRuns(events);
        for (const auto& [key, calls] : m_calls)
            assign(key, calls, events[key]);
        std::ranges::sort(m_result.match.unmatched, {},
                          [positions = m_graph.positions()](NodeId id) { return positions[id.index()]; });
    }

    /// Returns the most common number of events per call.
    [[nodiscard]] std::uint32_t usualRuns(const std::map<std::string, std::vector<std::size_t>>& events) const
    {
        std::map<std::size_t, std::size_t> calls; ///< by number of events for each
        for (const auto& [key, found] : events)
            if (const std::size_t count = m_calls.at(key).size(); found.size() % count == 0)
                calls[found.size() / count] += count;
        std::pair<std::size_t, std::size_t> best;
        for (const auto& [runs, count] : calls)
            if (count > best.second)
                best = {runs, count};
        return static_cast<std::uint32_t>(best.first);
    }

    void assign(const std::string& key, const std::vector<NodeId>& calls, const std::vector<std::size_t>& events)
    {
        if (events.empty()) {
            m_result.match.unmatched.insert(m_result.match.unmatched.end(), calls.begin(), calls.end());
            return;
        }
        const std::size_t runs = m_result.match.runs;
        if (events.size() != calls.size() * runs) {
            m_result.match.ambiguous.push_back({.op = key.substr(0, key.find('(')),
                                                .first = calls.front(),
                                                .nodes = static_cast<std::uint32_t>(calls.size()),
                                                .events = static_cast<std::uint32_t>(events.size())});
            return;
        }
        for (std::size_t i = 0; i < calls.size(); ++i) {
            std::vector<double> durations;
            for (std::size_t run = 0; run < runs; ++run) {
                const Event& event = m_events[events[run * calls.size() + i]];
                durations.push_back(event.kernels > 0 ? event.kernels : event.duration);
            }
            m_result.nodes[calls[i].index()] = medianOf(std::move(durations)) * kMicrosecond;
            ++m_result.match.matched;
        }
    }

    const Program& m_program;
    const Graph& m_graph;
    const JsonFile& m_file;
    OperatorCatalog m_operators;
    TraceSeconds m_result;
    std::vector<Event> m_events;                       ///< by thread, then by time
    std::map<std::string, std::vector<NodeId>> m_calls; ///< by key, in graph order
};

} // namespace

bool isTrace(JsonValue root)
{
    if (root.is(JsonType::object))
        return root.member("traceEvents").is(JsonType::array);
    return root.is(JsonType::array) && root.firstItem() && root.firstItem().member("ph");
}

Result<TraceSeconds> secondsOfTrace(const Program& program, JsonValue root, const JsonFile& file)
{
    return TraceReader(program, file).read(root);
}

} // namespace sunder
