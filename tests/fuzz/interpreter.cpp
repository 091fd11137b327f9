#include "interpreter.h"

#include "ir/value_kind.h"

#include <algorithm>

namespace sunder::fuzz {
namespace {

constexpr int kDeepest = 64;
constexpr std::uint64_t kMaxSteps = 100'000;

std::uint64_t fold(std::uint64_t content, std::span<const std::uint64_t> path)
{
    for (const std::uint64_t step : path)
        content = stir(content, step);
    return content;
}

std::uint64_t layoutOf(const TensorMeta& meta)
{
    std::uint64_t layout = meta.offset ? hashOf(*meta.offset) : hashOf(Argument::integer(0));
    for (const Argument& size : meta.shape)
        layout = stir(layout, hashOf(size));
    return layout;
}

/// Whether, according to the file, a module's result shares memory with its argument.
bool isInPlace(const Graph& graph, const Node& node)
{
    const InternedString storage = storageOf(node.meta.val);
    return !storage.empty() && !node.args.empty() && node.args[0].is(ArgumentKind::node)
        && storageOf(graph.node(node.args[0].asNode()).meta.val) == storage;
}

} // namespace

Givens givensOf(const Program& program)
{
    Givens givens;
    std::size_t position = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        const std::size_t at = position++;
        if (program.signature && at < program.signature->inputs.size() && program.signature->inputs[at].kind != InputKind::user)
            continue;
        givens.gradients.push_back(!node.meta.val || !node.meta.val->is(ArgumentKind::tensor)
                                   || node.meta.val->asTensor().requiresGrad);
    }
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorEntry& entry = program.tensors[program.tensors.object(TensorId(i))];
        if (!entry.storage.isValid())
            continue;
        givens.storages.insert(program.tensors[entry.storage].id);
        givens.contents.emplace(program.tensors[TensorId(i)].fqn, Interpreter::contentOf(program, TensorId(i)));
    }
    return givens;
}

std::optional<Fingerprint> fingerprint(const Program& program, const Givens& givens)
{
    return Interpreter(program, givens).run();
}

std::optional<Fingerprint> Interpreter::run()
{
    const Value output = runGraph(m_program.root, ModuleTree::root(), inputs(), 0);
    Fingerprint result;
    collectOutputs(output, result);
    collectMemory(result);
    std::ranges::sort(m_assertions);
    m_assertions.erase(std::ranges::unique(m_assertions).begin(), m_assertions.end());
    result.assertions = m_assertions;
    result.effects = m_effects;
    result.random = m_random;
    result.state = stir(m_autocast, m_gradMode);
    return m_unknown ? std::nullopt : std::optional(result);
}

Interpreter::Value Interpreter::unknown()
{
    m_unknown = true;
    return {};
}

Interpreter::Value Interpreter::fresh(Hash content, bool requiresGrad)
{
    m_cells.push_back({content, requiresGrad});
    Value value{.kind = Value::Kind::tensor};
    value.tensor.cell = static_cast<std::uint32_t>(m_cells.size() - 1);
    return value;
}

Interpreter::Value Interpreter::tuple(std::vector<Value> items)
{
    return {.kind = Value::Kind::container, .hash = 7, .items = std::make_shared<const std::vector<Value>>(std::move(items))};
}

Interpreter::Hash Interpreter::readTensor(const Tensor& tensor)
{
    const Cell& cell = m_cells[tensor.cell];
    if (cell.overwritten) {
        const auto& [path, content] = *cell.overwritten;
        if (path.size() <= tensor.path.size() && std::equal(path.begin(), path.end(), tensor.path.begin()))
            return fold(content, std::span(tensor.path).subspan(path.size()));
    }
    return fold(cell.content, tensor.path);
}

Interpreter::Hash Interpreter::read(const Value& value)
{
    if (value.kind == Value::Kind::tensor)
        return readTensor(value.tensor);
    Hash hash = value.hash;
    if (value.kind == Value::Kind::container)
        for (const Value& item : *value.items)
            hash = stir(hash, read(item));
    return hash;
}

bool Interpreter::requiresGrad(const Value& value)
{
    if (value.kind == Value::Kind::tensor)
        return value.tensor.requiresGrad || m_cells[value.tensor.cell].requiresGrad;
    return value.kind == Value::Kind::container
        && std::ranges::any_of(*value.items, [&](const Value& item) { return requiresGrad(item); });
}

bool Interpreter::requiresGrad(const Call& call)
{
    const auto requires_ = [&](const Value& value) { return requiresGrad(value); };
    return std::ranges::any_of(call.args, requires_)
        || std::ranges::any_of(call.kwargs, [&](const auto& keyword) { return requiresGrad(keyword.second); });
}

std::vector<Interpreter::Value> Interpreter::inputs()
{
    std::vector<Value> values;
    std::size_t position = 0;
    for (const NodeId id : m_program.rootGraph().nodes()) {
        if (m_program.rootGraph().node(id).op != Op::placeholder)
            continue;
        const std::size_t at = position++;
        const InputSpec* spec = m_program.signature && at < m_program.signature->inputs.size() ? &m_program.signature->inputs[at]
                                                                                               : nullptr;
        if (spec == nullptr || spec->kind == InputKind::user) {
            const std::size_t number = m_inputCells.size();
            const bool gradient = number < m_givens.gradients.size() && m_givens.gradients[number];
            values.push_back(fresh(stir(0x11ULL, number), gradient));
            m_inputCells.push_back(values.back().tensor.cell);
            continue;
        }
        const TensorId tensor = m_program.tensors.find(spec->target);
        values.push_back(tensor.isValid() ? tensorOf(tensor) : unknown());
    }
    return values;
}

Interpreter::Value Interpreter::tensorOf(TensorId id)
{
    const TensorEntry& entry = m_program.tensors[m_program.tensors.object(id)];
    // An attribute that only this program has for passing values has separate memory.
    const InternedString storage = entry.storage.isValid() ? m_program.tensors[entry.storage].id
                                                           : intern("memory of " + entry.fqn.str());
    const auto copied = m_givens.storages.contains(storage) ? m_givens.contents.end() : m_givens.contents.find(entry.fqn);
    const auto [place, isNew] = m_storages.emplace(storage, static_cast<std::uint32_t>(m_cells.size()));
    if (isNew)
        m_cells.push_back({.content = stir(0x22ULL, storage.id())});
    if (isNew && copied != m_givens.contents.end())
        m_cells.back() = {.content = copied->second, .isCopy = true};
    std::vector<Hash> path;
    if (!m_cells[place->second].isCopy)
        path.push_back(layoutOf(entry.meta));
    return {.kind = Value::Kind::tensor, .tensor = {place->second, std::move(path), entry.meta.requiresGrad}};
}

Interpreter::Hash Interpreter::contentOf(const Program& program, TensorId tensor)
{
    const TensorEntry& entry = program.tensors[program.tensors.object(tensor)];
    return stir(stir(0x22ULL, program.tensors[entry.storage].id.id()), layoutOf(entry.meta));
}

Interpreter::Value Interpreter::runGraph(GraphId graphId, ModuleId module, const std::vector<Value>& inputs, int depth)
{
    const Graph& graph = m_program.graph(graphId);
    if (depth > kDeepest || m_unknown)
        return unknown();
    Frame frame{graphId, module, std::vector<Value>(graph.idBound()), depth};
    std::size_t next = 0;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (++m_steps > kMaxSteps || m_unknown)
            return unknown();
        if (node.op == Op::output)
            return node.args.empty() ? Value() : valueOf(frame, node.args.front());
        if (node.op == Op::placeholder)
            frame.values[id.index()] = next < inputs.size() ? inputs[next++] : unknown();
        else
            frame.values[id.index()] = runNode(frame, node);
    }
    return unknown();
}

Interpreter::Value Interpreter::runNode(Frame& frame, const Node& node)
{
    if (node.op == Op::getAttr)
        return attribute(frame, node);
    Call call;
    for (const Argument& argument : node.args)
        call.args.push_back(valueOf(frame, argument));
    for (const Keyword& keyword : node.kwargs)
        call.kwargs.emplace_back(keyword.key, valueOf(frame, keyword.value));
    return node.op == Op::callModule ? callModule(frame, node, call) : callFunction(frame, node, call);
}

Interpreter::Value Interpreter::attribute(Frame& frame, const Node& node)
{
    const std::string path = joinPath(m_program.modules[frame.module].path.view(), node.target.view());
    TensorId tensor = m_program.tensors.find(intern(path));
    if (!tensor.isValid()) { // the path may go through an alias of a module
        const std::size_t dot = path.rfind('.');
        const ModuleId owner = m_program.modules.resolve(dot == std::string::npos ? "" : path.substr(0, dot));
        if (owner.isValid())
            tensor = m_program.tensors.find(
                intern(joinPath(m_program.modules[owner].path.view(), path.substr(dot == std::string::npos ? 0 : dot + 1))));
    }
    if (tensor.isValid())
        return tensorOf(tensor);
    if (node.meta.val && node.meta.val->is(ArgumentKind::opaque)) // a tree spec
        return {.hash = stir(0x88ULL, hashOf(*node.meta.val)), .keys = {*node.meta.val}};
    const ModuleId module = m_program.modules.resolve(path);
    if (!module.isValid() || !m_program.modules[module].graph.isValid())
        return unknown();
    return {.kind = Value::Kind::graph, .graph = m_program.modules[module].graph, .module = module};
}

Interpreter::Value Interpreter::callModule(Frame& frame, const Node& node, const Call& call)
{
    const ModuleId module = m_program.modules.resolve(joinPath(m_program.modules[frame.module].path.view(), node.target.view()));
    if (!module.isValid())
        return unknown();
    const Module& called = m_program.modules[module];
    GraphId graphId = called.graph;
    if (called.calls && !called.calls->empty())
        graphId = (*called.calls)[m_calls[module]++ % called.calls->size()];
    if (!graphId.isValid())
        return leafModule(module, call, isInPlace(m_program.graph(frame.graph), node));
    std::vector<Value> inputs = call.args;
    std::size_t position = 0;
    const Graph& graph = m_program.graph(graphId);
    for (const NodeId id : graph.nodes()) {
        if (graph.node(id).op != Op::placeholder || position++ < call.args.size())
            continue;
        const auto found = std::ranges::find(call.kwargs, graph.node(id).target, &std::pair<InternedString, Value>::first);
        inputs.push_back(found != call.kwargs.end() ? found->second : unknown());
    }
    return runGraph(graphId, module, inputs, frame.depth + 1);
}

Interpreter::Value Interpreter::leafModule(ModuleId module, const Call& call, bool inPlace)
{
    const Module& called = m_program.modules[module];
    const std::string prefix = called.path.str() + '.';
    Hash hash = stir(numberOf(called.cls), argumentsOf(call));
    bool gradient = requiresGrad(call);
    for (std::size_t i = 0; i < m_program.tensors.size(); ++i) {
        const std::string_view fqn = m_program.tensors[TensorId(i)].fqn.view();
        if (!fqn.starts_with(prefix))
            continue;
        const Value value = tensorOf(TensorId(i));
        gradient = gradient || requiresGrad(value);
        hash += stir(numberOf(intern(fqn.substr(prefix.size()))), read(value));
    }
    hash = stir(hash, stateOf(gradient));
    for (std::size_t i = 0; i < m_program.tensors.size() && called.cls.view().find("BatchNorm") != std::string_view::npos; ++i) {
        const TensorEntry& entry = m_program.tensors[m_program.tensors.object(TensorId(i))];
        if (m_program.tensors[TensorId(i)].fqn.view().starts_with(prefix) && entry.role == TensorRole::buffer)
            write(tensorOf(TensorId(i)).tensor, stir(hash, numberOf(entry.meta.storage)), false);
    }
    if (!inPlace || call.args.empty() || call.args[0].kind != Value::Kind::tensor)
        return fresh(hash, gradient);
    write(call.args[0].tensor, hash, gradient);
    return call.args[0];
}

Interpreter::Value Interpreter::valueOf(Frame& frame, const Argument& argument)
{
    switch (argument.kind()) {
    case ArgumentKind::node: return frame.values[argument.asNode().index()];
    case ArgumentKind::symbolic: // sizes of any tensor: all have the same shape
        return {.hash = stir(0x33ULL, 0)};
    case ArgumentKind::graph:
    case ArgumentKind::constant:
    case ArgumentKind::object: return unknown();
    default: break;
    }
    if (!argument.isCompound())
        return {.hash = stir(0x44ULL, hashOf(argument))};
    std::vector<Value> items;
    for (const Argument& item : argument.items())
        items.push_back(valueOf(frame, item));
    Value value = tuple(std::move(items));
    value.hash = stir(static_cast<Hash>(argument.kind()), 9);
    for (const Argument& key : argument.keys()) {
        value.keys.push_back(key);
        value.hash = stir(value.hash, hashOf(key));
    }
    return value;
}

void Interpreter::collectLeaves(const Value& value, std::vector<Hash>& leaves)
{
    if (value.kind != Value::Kind::container)
        return leaves.push_back(read(value));
    for (const Value& item : *value.items)
        collectLeaves(item, leaves);
}

void Interpreter::collectOutputs(const Value& output, Fingerprint& result)
{
    if (!m_program.signature)
        return collectLeaves(output, result.outputs);
    const std::vector<OutputSpec>& specs = m_program.signature->outputs;
    std::vector<std::pair<Tensor, Hash>> mutations; // applied after all computations
    if (output.kind != Value::Kind::container || output.items->size() != specs.size()) {
        unknown();
        return;
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const Value& item = (*output.items)[i];
        if (specs[i].kind == OutputKind::user) {
            collectLeaves(item, result.outputs);
        } else if (const std::optional<Tensor> place = mutated(specs[i])) {
            mutations.emplace_back(*place, read(item));
        } else {
            unknown();
        }
    }
    for (const auto& [place, content] : mutations)
        write(place, content, false);
}

std::optional<Interpreter::Tensor> Interpreter::mutated(const OutputSpec& output)
{
    if (output.kind != OutputKind::inputMutation) {
        const TensorId tensor = m_program.tensors.find(output.target);
        return tensor.isValid() ? std::optional(tensorOf(tensor).tensor) : std::nullopt;
    }
    std::size_t number = 0;
    for (const InputSpec& input : m_program.signature->inputs) {
        if (input.kind != InputKind::user)
            continue;
        if (input.value.is(ArgumentKind::node) && m_program.rootGraph().node(input.value.asNode()).name == output.target)
            return Tensor{m_inputCells[number], {}};
        ++number;
    }
    return std::nullopt;
}

void Interpreter::collectMemory(Fingerprint& result)
{
    const auto held = [&](std::uint32_t number) {
        const Cell& cell = m_cells[number];
        return cell.overwritten ? fold(cell.overwritten->second, cell.overwritten->first) : cell.content;
    };
    for (std::size_t i = 0; i < m_inputCells.size(); ++i)
        if (const Hash now = held(m_inputCells[i]); now != stir(0x11ULL, i))
            result.memory["input " + std::to_string(i)] = now;
    for (const auto& [storage, cell] : m_storages)
        if (const Hash now = held(cell); now != m_cells[cell].first && m_givens.storages.contains(storage))
            result.memory[storage.str()] = now;
}

} // namespace sunder::fuzz
