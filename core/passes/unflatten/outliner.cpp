#include "passes/unflatten/outliner.h"

#include <algorithm>
#include <array>

// The walk: nodes are taken in order, and a stack of frames follows their module stacks. A frame is closed when a node
// does not lie in it; the call that it made then gives what later nodes use. The nodes before the current one are
// those that have been copied, so "is used outside" is one comparison with the position of the last user.

namespace sunder {
namespace {

constexpr std::size_t kUsuallyMore = 5; ///< nodes of a graph beside those of the flat one: inputs, reads, the output

/// Operators whose result is a list of tensors. A .pt2 file does not say so, and torch's loader makes it a tuple; the
/// nodes that take the items know their values.
bool returnsList(const Node& node)
{
    static constexpr std::array<std::string_view, 18> kNames = {"atleast_1d",   "atleast_2d",
                                                                "atleast_3d",   "broadcast_tensors",
                                                                "chunk",        "dsplit",
                                                                "hsplit",       "meshgrid",
                                                                "split",        "split_with_sizes",
                                                                "split_copy",   "tensor_split",
                                                                "unbind",       "split_with_sizes_copy",
                                                                "unbind_copy",  "unsafe_chunk",
                                                                "unsafe_split", "vsplit"};
    constexpr std::string_view kAten = "torch.ops.aten.";
    std::string_view target = node.target.view();
    if (!target.starts_with(kAten))
        return false;
    target = target.substr(kAten.size(), target.find('.', kAten.size()) - kAten.size());
    return std::find(kNames.begin(), kNames.end(), target) != kNames.end();
}

} // namespace

std::optional<std::string_view> accessor(std::string_view parent, std::string_view path)
{
    if (parent.empty())
        return path;
    if (path.size() <= parent.size() || !path.starts_with(parent) || path[parent.size()] != '.')
        return std::nullopt;
    return path.substr(parent.size() + 1);
}

NodeId Outline::create(ObjectGraphId id, NodeSpec spec)
{
    Graph& graph = objects.graph(id);
    const InternedString candidate = spec.name.empty() ? candidateName(spec.op, spec.target, spec.fn) : spec.name;
    spec.name = names.create(id, graph, candidate);
    return graph.insert(std::move(spec));
}

Result<Outline> outline(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures,
                        const TensorNames* tensors, const UnflattenOptions& options, ProgressMonitor& monitor)
{
    return Outliner(flat, stacks, signatures, tensors, options).run(monitor);
}

Outliner::Outliner(const Program& flat, const ModuleStacks& stacks, const CallSignatures& signatures, const TensorNames* tensors,
                   const UnflattenOptions& options)
    : m_program(flat), m_flat(flat.rootGraph()), m_stacks(stacks), m_signatures(signatures), m_tensors(tensors),
      m_options(options)
{
    m_outline.names = GraphNames(m_flat);
    m_outline.objects.reserve(m_stacks.callCount() + m_stacks.callCount() / 4 + 16);
    m_outline.calls.reserve(m_stacks.callCount());
    m_outline.pairs.reserve(m_flat.size() + m_flat.size() / 2);
    m_frames.push_back({.path = {}, .object = ModuleObjects::root(), .graph = ObjectGraphId(0U), .callNode = {}});
    m_frames.back().closed = flat.calls.front().hasSignature;
    m_stack.push_back(ModuleStacks::rootCall());
    indexFlat();
    if (m_tensors != nullptr)
        indexTensors();
}

void Outliner::indexTensors()
{
    m_outline.readsDirectly = true;
    m_outline.names.leaveOut(m_tensors->placeholders());
    m_outline.reads.reserve(m_tensors->placeholders().size());
    m_tensorOf.assign(m_flat.idBound(), kNone);
    m_readAt.resize(m_flat.idBound());
    for (NodeId id = m_flat.first(); id && m_flat.node(id).op == Op::placeholder; id = m_flat.next(id))
        if (const std::uint32_t* number = m_tensors->numberOf(m_flat.node(id).name); number != nullptr)
            m_tensorOf[id.index()] = *number;
}

void Outliner::indexFlat()
{
    m_positions = m_flat.positions();
    m_lastUse.resize(m_flat.idBound());
    for (const NodeId id : m_flat.nodes())
        for (const NodeId input : m_flat.inputs(id))
            m_lastUse[input.index()] = m_positions[id.index()];
}

void Outliner::stop(std::string message, NodeId flat, std::string other)
{
    if (!m_error)
        m_error = Error{
            ErrorCode::refused, std::move(message), {.node = m_flat.node(flat).name.str(), .other = std::move(other)}};
}

void Outliner::note(std::size_t frame, NodeId flat, NodeId node, bool created)
{
    m_outline.pairs.push_back({flat, m_frames[frame].graph, node, created});
}

Result<Outline> Outliner::run(ProgressMonitor& monitor)
{
    NodeId id = m_flat.first();
    for (; id && m_flat.node(id).op == Op::placeholder; id = m_flat.next(id))
        if (m_tensors == nullptr || m_tensorOf[id.index()] == kNone)
            copyNode(id);
    for (; id && m_flat.node(id).op != Op::output && !failed(); id = m_flat.next(id)) {
        m_at = m_positions[id.index()];
        if (m_at % 4096 == 0) {
            if (monitor.isCancelled())
                return fail(ErrorCode::cancelled, "cancelled while unflattening");
            monitor.report(static_cast<double>(m_at) / static_cast<double>(m_flat.size()), m_flat.node(id).name.view());
        }
        step(id);
    }
    if (id)
        m_at = m_positions[id.index()];
    while (m_frames.size() > 1 && !failed())
        close();
    for (; id && !failed(); id = m_flat.next(id))
        if (m_flat.node(id).op == Op::output)
            copyNode(id);
    if (!failed()) {
        writeCrossings();
        addAttributes();
    }
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return std::move(m_outline);
}

void Outliner::step(NodeId id)
{
    const Node& node = m_flat.node(id);
    if (node.op == Op::placeholder)
        return stop("the placeholder " + node.name.str() + " comes after a call", id);
    const StackId stack = node.meta.modules;
    if (stack && stack == m_atStack)
        return copyNode(id);
    if (!stack || m_stacks.of(stack).empty())
        return stop(node.name.str() + " has no nn_module_stack: it cannot be told which module it belongs to", id);
    if (m_stacks.isAnywhere(stack))
        return copyNode(id);
    const std::span<const ModuleStacks::CallId> wanted = m_stacks.of(stack);
    std::size_t common = 0;
    while (common < std::min(wanted.size(), m_stack.size()) && wanted[common] == m_stack[common])
        ++common;
    if (common == 0)
        return stop("the nn_module_stack of " + node.name.str() + " does not begin with the root module", id);
    while (m_frames.size() > common && !failed())
        close();
    while (m_frames.size() < wanted.size() && !failed())
        open(wanted[m_frames.size()], m_stacks.keys(stack)[m_frames.size()]);
    if (!failed() && graphOf(m_frames.size() - 1).empty())
        graphOf(m_frames.size() - 1).reserve(runLength(id) + kUsuallyMore);
    m_atStack = stack;
    if (!failed())
        copyNode(id);
}

/// How many nodes from one on have its stack.
std::size_t Outliner::runLength(NodeId id) const
{
    std::size_t length = 1;
    for (NodeId at = m_flat.next(id); at && m_flat.node(at).meta.modules == m_flat.node(id).meta.modules; at = m_flat.next(at))
        ++length;
    return length;
}

void Outliner::copyNode(NodeId id)
{
    const Node& node = m_flat.node(id);
    if (node.op == Op::getAttr)
        keepAttribute(id);
    const std::size_t top = m_frames.size() - 1;
    const auto mapped = [&](NodeId input) {
        const NodeId found = remap(top, input);
        return found ? Argument::node(found) : Argument();
    };
    Arguments args = mapNodes(node.args, mapped);
    Keywords kwargs = mapNodes(node.kwargs, mapped);
    if (failed())
        return;
    Graph& graph = graphOf(top);
    OutlineFrame& frame = m_frames[top];
    const bool isOutput = node.op == Op::output; // the one name that is made in every graph
    const NodeId copy = graph.insert({.op = node.op,
                                      .name = isOutput ? m_outline.names.create(frame.graph, graph, node.name)
                                                       : m_outline.names.keep(frame.graph, graph, node.name),
                                      .target = node.target,
                                      .fn = node.fn,
                                      .args = std::move(args),
                                      .kwargs = std::move(kwargs),
                                      .type = node.type,
                                      .meta = node.meta});
    if (node.op == Op::placeholder)
        frame.lastInput = copy;
    if (m_program.origin.format != "fx-json" && node.meta.val && node.meta.val->is(ArgumentKind::tuple) && returnsList(node))
        graph.meta(copy).val.reset();
    if (frame.nodes.set(id, copy))
        frame.order.push_back(id);
    frame.hasCustom = frame.hasCustom || !node.meta.json.empty();
    note(top, id, copy, false);
}

void Outliner::keepAttribute(NodeId id)
{
    const std::pair<ObjectId, InternedString> read{m_frames.back().object, m_flat.node(id).target};
    m_attributes.push_back(read);
}

/// Graphs that nodes read become children of their readers; calls of one module share them.
void Outliner::addAttributes()
{
    ModuleObjects& objects = m_outline.objects;
    std::vector<std::vector<InternedString>> names(objects.size());
    std::vector<ObjectId> readers;
    for (const auto& [object, target] : m_attributes) {
        if (names[object.index()].empty())
            readers.push_back(object);
        names[object.index()].push_back(target);
    }
    std::unordered_map<InternedString, ObjectId> carried;
    for (const ObjectId reader : readers) {
        for (const InternedString target : names[reader.index()]) {
            if (!m_program.modules.resolve(target.view()))
                continue; // a tensor, or nothing that the file knows
            const auto [known, isNew] = carried.emplace(target, ObjectId());
            if (isNew) {
                known->second = objects.add(ModuleObject::Kind::carried);
                objects[known->second].carried = target;
            }
            objects.table(reader).set(target, known->second);
        }
    }
}

} // namespace sunder
