#include "io/fx_json/fx_json_line_writer.h"

#include "support/json_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

InternedString extraOf(const auto& pairs, auto id)
{
    for (const auto& [key, extra] : pairs)
        if (key == id)
            return extra;
    return {};
}

const Graph& rootOrEmpty(const Program& program)
{
    static const Graph kEmpty;
    return program.root ? program.rootGraph() : kEmpty;
}

/// Converts the path of an archive from relative to `from` to relative to `folder`. The path of a missing archive is unchanged.
InternedString fileFrom(const std::filesystem::path& folder, const std::filesystem::path& from, InternedString file)
{
    const std::filesystem::path path = file.str();
    std::error_code error;
    if (file.empty() || path.is_absolute() || !std::filesystem::exists(from / path, error))
        return file;
    const std::filesystem::path relative = std::filesystem::relative(from / path, folder.empty() ? "." : folder, error);
    return error || relative.empty() ? file : intern(relative.string());
}

} // namespace

FxJsonLineWriter::FxJsonLineWriter(const Program& program, std::ostream& out, ProgressMonitor& monitor,
                                   std::optional<std::filesystem::path> folder, const Program* source)
    : m_program(program), m_out(out), m_monitor(monitor), m_folder(std::move(folder)), m_rootValues(rootOrEmpty(program)),
      m_stackNumbers(program.stacks.size(), kNone)
{
    for (const auto& [text, extra] : program.extras.strings)
        m_stringExtras.emplace(text, extra);
    if (source != nullptr)
        m_copies.emplace(source->rootGraph());
}

Result<void> FxJsonLineWriter::write()
{
    writeHeader();
    writeModules();
    writeTensors();
    StepMonitor steps(m_monitor, m_program.nodeCount(), "Writing the graph");
    for (std::size_t i = 0; i < m_program.graphs.size() && m_out; ++i)
        SUNDER_PROPAGATE(writeGraph(GraphId(i), steps));
    for (std::size_t i = 0; i < m_program.stacks.size(); ++i)
        if (!m_program.stacks[i].stated)
            needStack(StackId(i));
    writeSignature();
    writeCalls();
    writeRanges();
    writeTags();
    for (const std::string& line : m_program.unknownLines)
        m_out << line << '\n';
    m_line = R"({"k":"end")";
    number("nodes", m_nodeCount);
    endLine(m_program.extras.end);
    return {};
}

void FxJsonLineWriter::key(std::string_view key)
{
    m_line += m_line.back() == '{' ? "\"" : ",\"";
    m_line += key;
    m_line += "\":";
}

void FxJsonLineWriter::member(std::string_view name, InternedString text)
{
    key(name);
    appendJsonString(m_line, text.view());
}

void FxJsonLineWriter::memberIfAny(std::string_view name, InternedString text)
{
    if (!text.empty())
        member(name, text);
}

void FxJsonLineWriter::number(std::string_view name, std::uint64_t value)
{
    key(name);
    m_line += std::to_string(value);
}

void FxJsonLineWriter::values(std::string_view name, std::span<const Argument> items)
{
    key(name);
    m_rootValues.writeList(m_line, items);
}

void FxJsonLineWriter::endLine(InternedString extra)
{
    appendJsonMembers(m_line, extra.view());
    m_line += "}\n";
    m_out.write(m_line.data(), static_cast<std::streamsize>(m_line.size()));
    m_line.clear();
}

void FxJsonLineWriter::writeHeader()
{
    const ProgramOrigin& origin = m_program.origin;
    m_line = R"({"k":"fx-json")";
    if (!origin.extra.view().starts_with(R"({"v":)"))
        m_line += m_copies ? R"(,"v":[1,1])" : R"(,"v":[1,0])";
    m_line += m_copies ? R"(,"min":[1,1])" : R"(,"min":[1,0])";
    m_line += R"(,"producer":"sunder 0.1.0")";
    if (!origin.torch.empty()) {
        key("torch");
        appendJsonString(m_line, origin.torch);
    }
    if (!origin.source.empty()) {
        key("source");
        m_line += origin.source.view();
    }
    endLine(origin.extra);
}

void FxJsonLineWriter::writeModules()
{
    for (const ModuleId id : m_program.modules.depthFirst()) {
        const Module& module = m_program.modules[id];
        const bool isBareRoot = id == ModuleTree::root() && module.cls.empty() && !module.leaf && !module.attributes
            && module.recipe.empty() && module.unknown.empty() && module.extra.empty();
        if (module.implied || isBareRoot)
            continue;
        m_line = R"({"k":"module")";
        member("path", module.path);
        if (module.same)
            member("same", m_program.modules[module.same].path);
        memberIfAny("cls", module.cls);
        if (module.leaf) {
            key("leaf");
            m_line += *module.leaf ? "true" : "false";
        }
        if (module.attributes)
            writeAttributes(*module.attributes);
        if (module.calls) {
            key("calls");
            m_line += '[';
            for (const GraphId call : *module.calls) {
                m_line += m_line.back() == '[' ? "\"" : ",\"";
                m_line += fxJsonGraphId(call) + "\"";
            }
            m_line += ']';
        }
        appendJsonMembers(m_line, module.recipe.view());
        memberIfAny("unknown", module.unknown);
        endLine(module.extra);
    }
}

void FxJsonLineWriter::writeAttributes(std::span<const ModuleAttribute> attributes)
{
    key("attrs");
    m_line += '{';
    for (const ModuleAttribute& attribute : attributes) {
        if (m_line.back() != '{')
            m_line += ',';
        appendJsonString(m_line, attribute.name.view());
        m_line += ':';
        m_rootValues.write(m_line, attribute.value);
    }
    m_line += '}';
}

InternedString FxJsonLineWriter::placeOf(InternedString file)
{
    if (!m_folder)
        return file;
    const auto [place, isNew] = m_places.try_emplace(file);
    if (isNew)
        place->second = fileFrom(*m_folder, m_program.origin.folder, file);
    return place->second;
}

void FxJsonLineWriter::writeStorage(const Storage& storage)
{
    m_line = R"({"k":"storage")";
    member("id", storage.id);
    if (storage.byteCount)
        number("nbytes", *storage.byteCount);
    if (!storage.file.empty() || !storage.record.empty() || !storage.placeExtra.empty()) {
        key("at");
        m_line += '{';
        memberIfAny("file", placeOf(storage.file));
        memberIfAny("record", storage.record);
        if (m_line.back() == '{')
            m_line += storage.placeExtra.view().substr(1, storage.placeExtra.view().size() - 2);
        else
            appendJsonMembers(m_line, storage.placeExtra.view());
        m_line += '}';
    }
    if (const std::optional<CopiedPiece>& piece = storage.copyOf) {
        key("copy");
        m_line += '{';
        memberIfAny("file", placeOf(piece->file));
        memberIfAny("record", piece->record);
        number("begin", piece->begin);
        appendJsonMembers(m_line, piece->extra.view());
        m_line += '}';
    }
    endLine(storage.extra);
}

void FxJsonLineWriter::writeTensors()
{
    std::vector<bool> written(m_program.tensors.storageCount());
    const auto needStorage = [&](StorageId id) {
        if (!written[id.index()])
            writeStorage(m_program.tensors[id]);
        written[id.index()] = true;
    };
    for (const TensorEntry& entry : m_program.tensors.entries()) {
        if (entry.storage && !entry.same)
            needStorage(entry.storage);
        writeTensor(entry);
    }
    for (std::size_t i = 0; i < written.size(); ++i)
        needStorage(StorageId(i));
}

void FxJsonLineWriter::writeTensor(const TensorEntry& entry)
{
    m_line = R"({"k":"tensor")";
    member("fqn", entry.fqn);
    if (entry.same)
        member("same", m_program.tensors[entry.same].fqn);
    key("role");
    appendJsonString(m_line, name(entry.role));
    if (entry.persistent) {
        key("persistent");
        m_line += *entry.persistent ? "true" : "false";
    }
    if (!entry.same) {
        TensorMeta meta = entry.meta;
        meta.storage = entry.storage ? m_program.tensors[entry.storage].id : InternedString();
        key("requires_grad");
        m_line += std::exchange(meta.requiresGrad, false) ? "true," : "false,";
        m_rootValues.writeTensorMembers(m_line, meta);
    }
    endLine(entry.extra);
}

void FxJsonLineWriter::needStack(StackId id)
{
    if (m_stackNumbers[id.index()] != kNone)
        return;
    m_stackNumbers[id.index()] = m_stackCount++;
    m_line = R"({"k":"stack")";
    number("id", m_stackNumbers[id.index()]);
    key("mods");
    m_line += '[';
    for (const ModuleFrame& frame : m_program.stacks[id.index()]) {
        m_line += m_line.back() == '[' ? "[" : ",[";
        appendJsonString(m_line, frame.key.view());
        m_line += ',';
        appendJsonString(m_line, frame.path.view());
        m_line += ',';
        appendJsonString(m_line, frame.cls.view());
        m_line += ']';
    }
    m_line += ']';
    endLine(extraOf(m_program.extras.stacks, id));
}

void FxJsonLineWriter::needString(InternedString text)
{
    const auto [at, isNew] = m_strings.emplace(text, m_strings.size());
    if (!isNew)
        return;
    m_line = R"({"k":"str")";
    number("id", at->second);
    member("s", text);
    const auto extra = m_stringExtras.find(text);
    endLine(extra != m_stringExtras.end() ? extra->second : InternedString());
}

Result<void> FxJsonLineWriter::writeGraph(GraphId id, StepMonitor& steps)
{
    const ModuleId owner = m_program.owners[id.index()];
    const Graph& graph = m_program.graph(id);
    m_line = R"({"k":"graph","id":")" + fxJsonGraphId(id) + "\"";
    key("module");
    if (owner)
        appendJsonString(m_line, m_program.modules[owner].path.view());
    else
        m_line += "null";
    endLine(extraOf(m_program.extras.graphs, id));
    m_positions = graph.positions();
    if (m_copies)
        m_copies->begin();
    for (const NodeId node : graph.nodes()) {
        SUNDER_PROPAGATE(steps.step());
        if (m_copies && copyNode(graph, node))
            continue;
        writeCopies(id);
        writeNode(id, node);
    }
    writeCopies(id);
    m_nodeCount += graph.size();
    return {};
}

bool FxJsonLineWriter::copyNode(const Graph& graph, NodeId id)
{
    const std::optional<std::uint32_t> source = m_copies->positionOf(graph, id);
    if (!source || !usersAreInOrder(graph, id))
        return false;
    m_copied.push_back(*source);
    return true;
}

void FxJsonLineWriter::writeCopies(GraphId id)
{
    if (m_copied.empty())
        return;
    m_line = R"({"k":"copies","g":")" + fxJsonGraphId(id) + R"(","of":[)";
    for (const std::uint32_t position : m_copied)
        m_line += (m_line.back() == '[' ? "" : ",") + std::to_string(position);
    m_line += ']';
    m_copied.clear();
    endLine({});
}

void FxJsonLineWriter::writeNode(GraphId graphId, NodeId id)
{
    const Graph& graph = m_program.graph(graphId);
    const Node& node = graph.node(id);
    if (const StackId stack = m_program.statedStack(node); stack)
        needStack(stack);
    if (!node.meta.trace.empty())
        needString(node.meta.trace);
    const FxJsonValueWriter writer(graph);
    m_line = R"({"k":"node","g":")" + fxJsonGraphId(graphId) + "\"";
    member("name", node.name);
    key("op");
    appendJsonString(m_line, name(node.op));
    member("target", node.target);
    memberIfAny("fn", node.fn);
    key("args");
    writer.writeList(m_line, node.args);
    key("kwargs");
    writer.writeKeywords(m_line, node.kwargs);
    memberIfAny("type", node.type);
    if (node.meta.val) {
        key("val");
        writer.write(m_line, *node.meta.val);
    }
    writeMeta(node);
    writeUsers(graph, id);
    endLine(node.extra);
}

void FxJsonLineWriter::writeMeta(const Node& node)
{
    const NodeMeta& meta = node.meta;
    memberIfAny("val_from", meta.valFrom);
    if (const StackId stack = m_program.statedStack(node); stack)
        number("mods", m_stackNumbers[stack.index()]);
    if (!meta.trace.empty())
        number("trace", m_strings.at(meta.trace));
    memberIfAny("tag", node.tag);
    if (node.sizeBytes) {
        key("size_bytes");
        m_line += '{';
        number("output", node.sizeBytes->output);
        number("total", node.sizeBytes->total);
        appendJsonMembers(m_line, node.sizeBytes->extra.view());
        m_line += '}';
    }
    memberIfAny("out_type", meta.outType);
    memberIfAny("region_key", meta.regionKey);
    if (meta.mutated) {
        key("mutated");
        m_line += '[';
        for (const std::int32_t position : *meta.mutated)
            m_line += (m_line.back() == '[' ? "" : ",") + std::to_string(position);
        m_line += ']';
    }
    if (!meta.json.empty()) {
        key("meta");
        m_line += meta.json.view();
    }
}

bool FxJsonLineWriter::usersAreInOrder(const Graph& graph, NodeId id) const
{
    const auto users = graph.users(id);
    const auto isBefore = [&](NodeId a, NodeId b) { return m_positions[a.index()] < m_positions[b.index()]; };
    return std::is_sorted(users.begin(), users.end(), isBefore);
}

void FxJsonLineWriter::writeUsers(const Graph& graph, NodeId id)
{
    if (usersAreInOrder(graph, id))
        return;
    key("users");
    m_line += '[';
    for (const NodeId user : graph.users(id)) {
        m_line += m_line.back() == '[' ? "" : ",";
        appendJsonString(m_line, graph.node(user).name.view());
    }
    m_line += ']';
}

} // namespace sunder
