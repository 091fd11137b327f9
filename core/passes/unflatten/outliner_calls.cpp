#include "ir/getitem.h"
#include "passes/unflatten/custom_metadata.h"
#include "passes/unflatten/outliner.h"

// Opening and closing calls. All calls of one module share a table of children, as in torch; a later call would
// overwrite a child that an earlier one put there under the same name. By default the earlier one moves to the next
// free call index, and comes back when the two turn out equal.

namespace sunder {
namespace {

constexpr std::size_t kUsualNodes = 8; ///< of a graph that begins with a call

std::uint64_t slot(ChildTableId table, InternedString name)
{
    return static_cast<std::uint64_t>(table.index()) << 32U | name.id();
}

} // namespace

void Outliner::open(ModuleStacks::CallId id, InternedString key)
{
    const StackedCall& call = m_stacks.call(id);
    const std::size_t parent = m_frames.size() - 1;
    const InternedString parentPath = m_frames[parent].path;
    const InternedString called = callName(call.path, call.call);
    if (!accessor(parentPath.view(), called.view()) || withoutCall(called.view()).empty())
        return stop("the module " + call.path.str() + " does not lie below " + parentPath.str()
                        + ", which the nn_module_stack says calls it",
                    m_flat.first(), call.path.str());
    const InternedString target = intern(*accessor(parentPath.view(), called.view()));
    const ObjectId object = placed(call.path, target);
    if (graphOf(parent).empty())
        graphOf(parent).reserve(kUsualNodes);
    const NodeId node = create(parent, {.op = Op::callModule, .target = target});
    const auto number = static_cast<std::uint32_t>(m_outline.calls.size());
    const std::uint32_t first = join(object, key, number);
    m_outline.calls.push_back({m_frames[parent].object, node, parentPath, call.path, call.call, called, object, first});
    push(call.path, object, node);
    m_stack.push_back(id);
    if (m_signatures.empty())
        return;
    m_frames.back().signature = m_signatures.find(called);
    m_frames.back().closed = m_signatures.find(call.path) != nullptr;
    if (m_frames.back().signature != nullptr) {
        adaptInputs();
        passInputs();
    }
}

void Outliner::push(InternedString path, ObjectId object, NodeId callNode)
{
    if (m_spare.empty()) {
        m_frames.emplace_back();
    } else {
        m_frames.push_back(std::move(m_spare.back()));
        m_spare.pop_back();
    }
    OutlineFrame& frame = m_frames.back();
    frame.path = path;
    frame.object = object;
    frame.graph = m_outline.objects[object].graph;
    frame.callNode = callNode;
    frame.signature = nullptr;
    frame.closed = false;
    frame.hasCustom = false;
    frame.late.clear();
    frame.nodes.clear();
    frame.order.clear();
    frame.inputs.clear();
    frame.lastInput = {};
    frame.lastRead = {};
    frame.openedAt = static_cast<std::uint32_t>(m_outline.reads.size());
}

/// The table below the current module that a child belongs into; modules on the way are made.
ChildTableId Outliner::holder(std::string_view prefix)
{
    ModuleObjects& objects = m_outline.objects;
    const InternedString parent = m_frames.back().path;
    ObjectId at = m_frames.back().object;
    for (std::size_t start = 0; start < prefix.size();) {
        const std::size_t dot = std::min(prefix.find('.', start), prefix.size());
        const InternedString name = intern(prefix.substr(start, dot - start));
        ObjectId next = objects.table(at).find(name);
        if (!next) {
            const InternedString path = intern(joinPath(parent.view(), prefix.substr(0, dot)));
            ObjectId& known = m_implied.emplace(path).first;
            if (!known)
                known = objects.add(ModuleObject::Kind::interpreter);
            next = known;
            objects.table(at).set(name, next);
        }
        at = next;
        start = dot + 1;
    }
    return objects[at].children;
}

/// The object for a call, put into its place `below` the current module.
ObjectId Outliner::placed(InternedString path, InternedString below)
{
    ModuleObjects& objects = m_outline.objects;
    const ObjectId* implied = m_implied.find(path);
    const ObjectId object = implied != nullptr && *implied ? *implied : objects.add(ModuleObject::Kind::interpreter);
    const std::size_t dot = below.view().rfind('.');
    const bool isDeep = dot != std::string_view::npos;
    const ChildTableId table = holder(below.view().substr(0, isDeep ? dot : 0));
    const InternedString last = isDeep ? intern(below.view().substr(dot + 1)) : below;
    if (const ObjectId taken = objects.table(table).find(last); taken && taken != object && !m_options.asUpstream)
        displace(table, last, object);
    objects.table(table).set(last, object);
    m_callOf.resize(objects.size(), kNone);
    m_callOf[object.index()] = static_cast<std::uint32_t>(m_outline.calls.size());
    m_placeOf.push_back(slot(table, last));
    return object;
}

/// Puts what stands at a name under the next free call index; a module that was never called lends its children.
void Outliner::displace(ChildTableId id, InternedString name, ObjectId by)
{
    ModuleObjects& objects = m_outline.objects;
    ChildTable& table = objects.table(id);
    const ObjectId taken = table.find(name);
    const std::uint32_t call = taken.index() < m_callOf.size() ? m_callOf[taken.index()] : kNone;
    if (call == kNone || m_placeOf[call] != slot(id, name)) {
        for (const ChildTable::Child& child : objects.table(taken).entries())
            if (child.object && !objects.table(by).find(child.name))
                objects.table(by).set(child.name, child.object);
        return;
    }
    const InternedString base = intern(withoutCall(name.view()));
    std::uint32_t& next = m_nextCall[slot(id, base)];
    InternedString free;
    do {
        free = callName(base, ++next);
    } while (table.find(free));
    table.set(free, taken);
    CallRecord& record = m_outline.calls[call];
    if (record.displacedFrom.empty())
        record.displacedFrom = name;
    record.name = callName(record.path, next);
    objects.graphOf(record.parent).setTarget(record.node, intern(*accessor(record.parentPath.view(), record.name.view())), {});
    m_placeOf[call] = slot(id, free);
}

/// Makes the object of a call share the children of the first call of the same module, which is returned.
std::uint32_t Outliner::join(ObjectId object, InternedString key, std::uint32_t call)
{
    const InternedString module = key.empty() ? intern("@") : key; // which no key is
    const auto [firstCall, isNew] = m_firstCall.emplace(module, call);
    if (isNew)
        return call;
    m_outline.hasRepeats = true;
    ModuleObjects& objects = m_outline.objects;
    const ObjectId first = m_outline.calls[firstCall].object;
    if (objects[first].children == objects[object].children)
        return firstCall;
    if (!m_options.asUpstream)
        for (const ChildTable::Child& child : objects.table(object).entries())
            if (child.object && !objects.table(first).find(child.name))
                objects.table(first).set(child.name, child.object);
    objects[object].children = objects[first].children;
    return firstCall;
}

void Outliner::close()
{
    const std::size_t parent = m_frames.size() - 2;
    OutlineFrame& frame = m_frames.back();
    if (m_implied.contains(frame.path))
        m_implied.emplace(frame.path).first = {};
    if (!frame.late.empty()) {
        Graph& above = graphOf(parent);
        Arguments args(frame.late.rbegin(), frame.late.rend());
        const Arguments& known = above.node(frame.callNode).args;
        args.insert(args.end(), known.begin(), known.end());
        Keywords kwargs = above.node(frame.callNode).kwargs;
        above.setArguments(frame.callNode, std::move(args), std::move(kwargs));
    }
    NodeId given = frame.callNode;
    const std::vector<NodeId> results = frame.signature != nullptr ? closePreserved(given) : closePlain(given);
    if (failed())
        return;
    if (frame.hasCustom)
        liftCustom();
    const bool whole = results.size() == 1 && frame.signature == nullptr;
    OutlineFrame& above = m_frames[parent];
    Graph& graph = graphOf(parent);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            continue;
        NodeId node = given;
        if (!whole) {
            node = create(parent, getitemSpec(given, i));
            graph.meta(node).val = m_flat.node(results[i]).meta.val;
        }
        if (above.nodes.set(results[i], node))
            above.order.push_back(results[i]);
        note(parent, results[i], node, true);
    }
    above.hasCustom = above.hasCustom || frame.hasCustom;
    m_spare.push_back(std::move(m_frames.back()));
    m_frames.pop_back();
    m_stack.pop_back();
    m_atStack = {};
}

/// Gives out what nodes outside use: one value bare, several as a list.
std::vector<NodeId> Outliner::closePlain(NodeId& given)
{
    OutlineFrame& frame = m_frames.back();
    Graph& graph = graphOf(m_frames.size() - 1);
    std::vector<NodeId> results;
    for (const NodeId flat : frame.order)
        if (m_lastUse[flat.index()] >= m_at)
            results.push_back(flat);
    std::optional<Argument>& val = graphOf(m_frames.size() - 2).meta(given).val;
    Argument output;
    if (results.size() == 1) {
        const NodeId node = frame.nodes.find(results.front());
        output = Argument::node(node);
        val = graph.node(node).meta.val;
        if (val && val->isNone())
            val.reset();
    } else {
        Arguments items;
        Arguments vals;
        for (const NodeId flat : results) {
            const NodeId node = frame.nodes.find(flat);
            items.push_back(Argument::node(node));
            vals.push_back(graph.node(node).meta.val.value_or(Argument()));
        }
        output = Argument::list(std::move(items));
        val = Argument::list(std::move(vals));
    }
    create(m_frames.size() - 1, {.op = Op::output, .target = intern("output"), .args = {output}});
    return results;
}

/// Custom metadata that all nodes of a call have moves to the call.
void Outliner::liftCustom()
{
    OutlineFrame& frame = m_frames.back();
    Graph& graph = graphOf(m_frames.size() - 1);
    std::optional<std::string> common;
    for (const NodeId flat : frame.order) {
        const std::string custom = customOf(graph.node(frame.nodes.find(flat)).meta.json.view());
        if (custom.empty() || (common && *common != custom))
            return;
        common = custom;
    }
    if (!common)
        return;
    for (const NodeId flat : frame.order) {
        InternedString& json = graph.meta(frame.nodes.find(flat)).json;
        json = intern(withoutCustom(json.view()));
    }
    InternedString& json = graphOf(m_frames.size() - 2).meta(frame.callNode).json;
    json = intern(withCustom(json.view(), *common));
}

} // namespace sunder
