#include "io/fx_json/fx_json_program_builder.h"

#include "io/exported_program/exported_program_conditions.h"
#include "support/json_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr unsigned kMaxDepth = 64;
constexpr std::int64_t kMajor = 1;
constexpr std::int64_t kMinor = 0;

std::optional<std::pair<std::int64_t, std::int64_t>> versionOf(JsonValue value)
{
    if (!value || !value.is(JsonType::array) || value.count() != 2)
        return std::nullopt;
    const JsonValue major = value.firstItem();
    const JsonValue minor = major.nextItem();
    if (!major.is(JsonType::integer) || !minor.is(JsonType::integer))
        return std::nullopt;
    return std::pair(major.asInteger(), minor.asInteger());
}

/// Converts an id of FxJsonFields::id to JSON.
InternedString jsonOf(InternedString id)
{
    std::string text;
    appendJsonString(text, id.view());
    return intern(text);
}

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

} // namespace

FxJsonProgramBuilder::FxJsonProgramBuilder()
    : m_values([this](InternedString id) { return m_graphs.find(jsonOf(id), m_line); }, m_fault)
{
}

tl::unexpected<Error> FxJsonProgramBuilder::failure() const
{
    Error error = m_fault.error();
    error.where.line = m_line;
    return tl::unexpected<Error>(std::move(error));
}

Result<void> FxJsonProgramBuilder::takeLine(std::string_view line, std::uint64_t number)
{
    if (isBlank(line))
        return {};
    m_line = number;
    if (m_hasEnd)
        return fail(ErrorCode::malformed, "has a line after the end line", {.line = number});
    if (const Result<void> parsed = m_tape.parse(line, kMaxDepth); !parsed)
        return fail(parsed.error().code,
                    m_hasHeader ? parsed.error().message : "is not fx-json: its first line " + parsed.error().message,
                    {.line = number});
    JsonValue kind;
    if (m_tape.root().is(JsonType::object))
        for (JsonValue key = m_tape.root().firstItem(); key; key = key.nextMember())
            if (key.text() == "k")
                kind = key.memberValue();
    if (!kind || !kind.is(JsonType::string))
        m_fault.report("is not an fx-json line: it lacks \"k\"");
    else if (!m_hasHeader && kind.text() != "fx-json")
        m_fault.report("is not fx-json: the first line is not a header");
    else
        takeKind(std::string(kind.text()), line);
    if (m_fault.isReported())
        return failure();
    return {};
}

void FxJsonProgramBuilder::takeKind(std::string_view kind, std::string_view line)
{
    if (kind == "node")
        takeNode();
    else if (kind == "str")
        takeString();
    else if (kind == "stack")
        takeStack();
    else if (kind == "storage")
        takeStorage();
    else if (kind == "tensor")
        takeTensor();
    else if (kind == "module")
        takeModule();
    else if (kind == "graph")
        takeGraph();
    else if (kind == "sig")
        m_signatures.push_back({m_line, std::string(line)});
    else if (kind == "call")
        m_calls.push_back({m_line, std::string(line)});
    else if (kind == "range")
        takeRange();
    else if (kind == "tags")
        takeTags();
    else if (kind == "fx-json")
        takeHeader();
    else if (kind == "end")
        takeEnd();
    else
        m_program.unknownLines.emplace_back(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

void FxJsonProgramBuilder::takeHeader()
{
    static constexpr std::array<std::string_view, 6> kNames = {"k", "v", "min", "producer", "torch", "source"};
    if (m_hasHeader)
        return m_fault.report("has a second header");
    const FxJsonFields fields("the header", m_tape.root(), kNames, m_fault);
    const auto version = versionOf(fields.value(1));
    const auto least = fields.has(2) ? versionOf(fields.value(2)) : std::pair(kMajor, kMinor);
    if (!version || !least)
        return m_fault.report("the header has a version that is not [major, minor]");
    if (*least > std::pair(kMajor, kMinor))
        return m_fault.report("needs a reader of fx-json " + std::to_string(least->first) + "." + std::to_string(least->second)
                                  + "; this one reads " + std::to_string(kMajor) + "." + std::to_string(kMinor),
                              ErrorCode::unsupported);
    m_program.origin.format = "fx-json";
    m_program.origin.producer = fields.text(3).str();
    m_program.origin.torch = fields.text(4).str();
    m_program.origin.source = fields.object(5) ? intern(fields.object(5).raw()) : InternedString();
    for (JsonValue key = m_tape.root().firstItem(); key; key = key.nextMember()) {
        if (key.text() == kExportedProgram && key.memberValue().is(JsonType::object))
            addConditions(key.memberValue(), m_program.origin.conditions);
        else if (std::ranges::find(kNames, key.text()) == kNames.end())
            m_program.origin.conditions.push_back(conditionOf(key.text(), key.memberValue()));
    }
    std::string extra = fields.extraText();
    if (*version > std::pair(kMajor, kMinor)) { // kept contents of a later version are written with that version
        std::string kept = "{\"v\":" + fields.value(1).raw();
        appendJsonMembers(kept, extra);
        extra = kept + "}";
    }
    m_program.origin.extra = intern(extra);
    m_hasHeader = true;
}

void FxJsonProgramBuilder::takeEnd()
{
    static constexpr std::array<std::string_view, 2> kNames = {"k", "nodes"};
    const FxJsonFields fields("the end line", m_tape.root(), kNames, m_fault);
    const std::optional<std::uint64_t> promised = fields.size(1);
    const std::size_t count = m_program.nodeCount();
    if (!promised)
        m_fault.report("the end line lacks \"nodes\"");
    else if (*promised != count)
        m_fault.report("the end line states " + std::to_string(*promised) + " nodes, but there are " + std::to_string(count));
    m_program.extras.end = fields.extra();
    m_hasEnd = true;
}

void FxJsonProgramBuilder::readDeferred(const std::vector<Deferred>& lines, void (FxJsonProgramBuilder::*read)(JsonValue))
{
    for (const Deferred& deferred : lines) {
        if (m_fault.isReported())
            return;
        m_line = deferred.line;
        if (m_tape.parse(deferred.text, kMaxDepth))
            (this->*read)(m_tape.root());
    }
}

/// Puts the listed users first, in the listed order, and the others after them in their existing order, so that an outdated list
/// is harmless.
void FxJsonProgramBuilder::restoreUserOrder(const UserOrder& order)
{
    const FxJsonNodeNames& names = m_graphs.names(order.graph);
    Graph& graph = m_program.graph(order.graph);
    std::unordered_set<NodeId> left;
    for (const NodeId user : graph.users(order.node))
        left.insert(user);
    std::vector<NodeId> ids;
    for (const InternedString name : order.users)
        if (const NodeId* found = name.empty() ? nullptr : names.find(name); found != nullptr && left.erase(*found) != 0)
            ids.push_back(*found);
    for (const NodeId user : graph.users(order.node))
        if (left.contains(user))
            ids.push_back(user);
    graph.setUserOrder(order.node, ids);
}

void FxJsonProgramBuilder::bindLateTraces()
{
    for (const LateTrace& late : m_lateTraces) {
        const auto found = m_strings.find(late.id);
        if (found != m_strings.end()) {
            m_program.graph(late.graph).meta(late.node).trace = found->second;
        } else if (!m_fault.isReported()) {
            m_line = late.line;
            m_fault.report("node " + m_program.graph(late.graph).node(late.node).name.str() + " has the trace " + late.id.str()
                           + ", which does not exist");
        }
    }
}

void FxJsonProgramBuilder::checkStacks()
{
    const Stack* first = nullptr;
    for (const auto& [id, stack] : m_stacks)
        if (!stack.isThere && (first == nullptr || stack.firstLine < first->firstLine))
            first = &stack;
    for (const auto& [id, stack] : m_stacks) {
        if (&stack != first || m_fault.isReported())
            continue;
        m_line = stack.firstLine;
        m_fault.report("a node has the stack " + id.str() + ", which does not exist");
    }
}

void FxJsonProgramBuilder::checkModuleOrder()
{
    // Lines of a module's children may be anywhere after it, but are written in the order of the module tree.
    std::vector<bool> isPassed(m_program.modules.size());
    for (const ModuleId id : m_program.modules.depthFirst()) {
        isPassed[id.index()] = true;
        const ModuleId same = m_program.modules[id].same;
        if (same && !isPassed[same.index()])
            return m_fault.report("the module " + quoted(m_program.modules[id].path.view()) + " is the same as "
                                  + quoted(m_program.modules[same].path.view()) + ", which comes after it in the module tree");
    }
}

Result<Program> FxJsonProgramBuilder::finish()
{
    if (!m_hasHeader)
        return fail(ErrorCode::malformed, "is not fx-json: it is empty");
    if (!m_hasEnd)
        return fail(ErrorCode::malformed, "is truncated: it has no end line", {.line = m_line});
    m_graphs.bindModules(m_fault);
    if (m_fault.isReported()) {
        m_line = m_graphs.faultLine();
        return failure();
    }
    checkModuleOrder();
    checkStacks();
    bindLateTraces();
    readDeferred(m_signatures, &FxJsonProgramBuilder::readSignature);
    readDeferred(m_calls, &FxJsonProgramBuilder::readCall);
    for (const UserOrder& order : m_userOrders)
        restoreUserOrder(order);
    if (m_fault.isReported())
        return failure();
    m_graphs.sort();
    return std::move(m_program);
}

namespace {

/// Copies a value with new graph ids. The reader limits the recursion depth.
Argument renumbered(const Argument& value, const std::vector<GraphId>& newIds)
{
    if (value.is(ArgumentKind::graph))
        return Argument::graph(newIds[value.asGraph().index()]).withExtra(value.extra());
    if (!value.isCompound())
        return value;
    Arguments items;
    bool changed = false;
    for (const Argument& item : value.items()) {
        items.push_back(renumbered(item, newIds));
        changed = changed || !(items.back() == item);
    }
    return changed ? value.withItems(std::move(items)) : value;
}

void renumber(Arguments& values, const std::vector<GraphId>& newIds)
{
    for (Argument& value : values)
        value = renumbered(value, newIds);
}

void renumber(Graph& graph, const std::vector<GraphId>& newIds)
{
    for (const NodeId id : graph.nodes()) {
        Arguments args = graph.node(id).args;
        Keywords kwargs = graph.node(id).kwargs;
        renumber(args, newIds);
        for (Keyword& keyword : kwargs)
            keyword.value = renumbered(keyword.value, newIds);
        graph.rewriteConstants(id, std::move(args), std::move(kwargs));
        if (std::optional<Argument>& val = graph.meta(id).val)
            val = renumbered(*val, newIds);
    }
}

} // namespace

GraphId FxJsonGraphs::find(InternedString id, std::uint64_t line)
{
    const auto [at, isNew] = m_ids.emplace(id, GraphId(m_entries.size()));
    if (isNew) {
        m_entries.push_back({.id = id, .firstLine = line});
        m_program.addGraph(ModuleId());
    }
    return at->second;
}

void FxJsonGraphs::declare(GraphId id, std::optional<InternedString> module, std::uint64_t line, ReadFault& fault)
{
    Entry& entry = m_entries[id.index()];
    if (entry.declared != 0)
        fault.report("graph " + entry.id.str() + " is defined twice");
    entry.declared = ++m_declared;
    entry.firstLine = line;
    entry.module = module;
}

const FxJsonNodeNames& FxJsonGraphs::rootNames() const
{
    static const FxJsonNodeNames kNone;
    return m_program.root ? m_entries[m_program.root.index()].names : kNone;
}

void FxJsonGraphs::bindModules(ReadFault& fault)
{
    for (std::size_t i = 0; i < m_entries.size() && !fault.isReported(); ++i) {
        const Entry& entry = m_entries[i];
        m_faultLine = entry.firstLine;
        if (entry.declared == 0)
            fault.report("refers to graph " + entry.id.str() + ", which does not exist");
        if (!entry.module)
            continue;
        const bool isNew = !m_program.modules.find(*entry.module);
        const ModuleId owner = m_program.modules.ensure(entry.module->view());
        m_program.modules[owner].implied = m_program.modules[owner].implied || isNew;
        if (m_program.modules[owner].graph)
            fault.report("module " + quoted(entry.module->view()) + " has two graphs");
        m_program.modules[owner].graph = GraphId(i);
        m_program.owners[i] = owner;
        if (owner == ModuleTree::root())
            m_program.root = GraphId(i);
    }
    if (!m_program.root && !fault.isReported()) {
        m_faultLine = 0;
        fault.report("has no root graph (the graph of module \"\")");
    }
}

void FxJsonGraphs::sort()
{
    std::vector<GraphId> newIds;
    bool isSorted = true;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        newIds.emplace_back(m_entries[i].declared - 1);
        isSorted = isSorted && newIds.back().index() == i;
    }
    if (isSorted)
        return;
    std::vector<Graph> graphs(m_entries.size());
    std::vector<ModuleId> owners(m_entries.size());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        graphs[newIds[i].index()] = std::move(m_program.graphs[i]);
        owners[newIds[i].index()] = m_program.owners[i];
    }
    m_program.graphs = std::move(graphs);
    m_program.owners = std::move(owners);
    m_program.root = newIds[m_program.root.index()];
    for (Graph& graph : m_program.graphs)
        renumber(graph, newIds);
    for (const ModuleId id : m_program.modules.depthFirst()) {
        Module& module = m_program.modules[id];
        if (module.graph)
            module.graph = newIds[module.graph.index()];
        if (module.calls)
            for (GraphId& call : *module.calls)
                call = newIds[call.index()];
    }
    for (auto& [graph, extra] : m_program.extras.graphs)
        graph = newIds[graph.index()];
    for (ModuleCall& call : m_program.calls) {
        renumber(call.inputs, newIds);
        renumber(call.outputs, newIds);
    }
}

} // namespace sunder
