// Calls of functions and methods on numbers.
#include "interpreter.h"

#include <algorithm>
#include <array>

namespace sunder::fuzz {
namespace {

/// "torch.ops.aten.add_.Tensor" → "add_"; "torch.split" → "split".
std::string_view plainName(const Node& node)
{
    std::string_view target = node.target.view();
    if (target.starts_with("torch.ops.") && !target.starts_with("torch.ops.higher_order."))
        target = target.substr(0, target.rfind('.'));
    const std::size_t dot = target.rfind('.');
    return dot == std::string_view::npos ? target : target.substr(dot + 1);
}

bool isAny(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

Interpreter::Hash Interpreter::argumentsOf(const Call& call)
{
    Hash hash = call.args.size();
    for (const Value& value : call.args)
        hash = stir(hash, read(value));
    Hash keywords = 0;
    for (const auto& [key, value] : call.kwargs)
        keywords += stir(numberOf(key), read(value));
    return stir(hash, keywords);
}

Interpreter::Hash Interpreter::stateOf(bool gradient) const
{
    return stir(m_autocast, gradient ? m_gradMode : 0);
}

Interpreter::Value Interpreter::plain(Hash target, const Call& call)
{
    const bool gradient = requiresGrad(call);
    return fresh(stir(stir(target, argumentsOf(call)), stateOf(gradient)), gradient);
}

Interpreter::Value Interpreter::callFunction(Frame& frame, const Node& node, const Call& call)
{
    const std::string_view name = plainName(node);
    const Hash target = numberOf(node.target) + static_cast<Hash>(node.op);
    if (node.target.view().starts_with("torch.ops.higher_order."))
        return higherOrder(frame, name, call).value_or(Value());
    if (isAny(name, {"getattr", "with_effects"}))
        return unknown();
    if (isAny(name, {"tree_flatten_spec", "tree_unflatten"}))
        return tree(name, call);
    if (name == "getitem")
        return call.args.size() == 2 ? getItem(call) : unknown();
    if (isAny(name, {"sym_size", "size"}) && call.args.size() == 2) // all tensors have the same shape
        return {.hash = read(call.args[1]) == stir(0x44ULL, hashOf(Argument::integer(0))) ? stir(0x33ULL, 0)
                                                                                          : stir(0x55ULL, read(call.args[1]))};
    if (const std::optional<Value> found = state(name, call))
        return *found;
    if (const std::optional<Value> found = view(name, call))
        return *found;
    if (isAny(name, {"add_", "mul_", "relu_", "copy_", "setitem"}))
        return write(name, call);
    if (name == "_print") {
        m_effects = stir(m_effects, stir(target, argumentsOf(call)));
        return {};
    }
    if (name == "_assert_scalar") {
        m_assertions.push_back(argumentsOf(call));
        return {};
    }
    if (isAny(name, {"rand_like", "dropout"})) {
        const Value drawn = plain(stir(target, m_random), call);
        m_random = stir(m_random, read(drawn));
        return drawn;
    }
    if (name == "clone" && call.args.size() == 1 && call.args[0].kind == Value::Kind::tensor)
        return fresh(read(call.args[0]), requiresGrad(call.args[0]));
    if (name != "topk")
        return plain(target, call);
    const Value first = plain(stir(target, 1), call);
    return tuple({first, plain(stir(target, 2), call)});
}

std::optional<Interpreter::Value> Interpreter::state(std::string_view name, const Call& call)
{
    if (name == "_set_grad_enabled") {
        m_gradMode = argumentsOf(call);
        return Value();
    }
    if (name == "_enter_autocast") {
        m_saved.push_back(m_autocast);
        m_autocast = argumentsOf(call);
        return Value{.hash = stir(0x66ULL, m_saved.size() - 1),
                     .keys = {Argument::integer(static_cast<std::int64_t>(m_saved.size() - 1))}};
    }
    if (name == "_exit_autocast") {
        if (call.args.empty() || call.args[0].keys.empty())
            return unknown();
        m_autocast = m_saved[static_cast<std::size_t>(call.args[0].keys.front().asInteger())];
        return Value();
    }
    return std::nullopt;
}

std::optional<Interpreter::Value> Interpreter::view(std::string_view name, const Call& call)
{
    if (call.args.empty() || call.args[0].kind != Value::Kind::tensor)
        return std::nullopt;
    if (name == "to" && call.args.size() == 4) // all have the requested type; the last argument requests a copy
        return fresh(read(call.args[0]), requiresGrad(call.args[0]));
    if (isAny(name, {"contiguous", "to", "float", "type_as"}))
        return call.args[0];
    if (!isAny(name, {"t", "view", "select", "reshape", "split"}))
        return std::nullopt;
    Hash step = numberOf(intern(name));
    for (std::size_t i = 1; i < call.args.size(); ++i)
        step = stir(step, read(call.args[i]));
    for (const auto& [key, value] : call.kwargs)
        step += stir(numberOf(key), read(value));
    Value seen = call.args[0];
    seen.tensor.path.push_back(step);
    if (name != "split")
        return seen;
    Value other = seen;
    other.tensor.path.back() = stir(step, 1);
    return tuple({seen, other});
}

Interpreter::Value Interpreter::getItem(const Call& call)
{
    const Value& from = call.args[0];
    const Value& key = call.args[1];
    if (from.kind == Value::Kind::tensor) {
        Value seen = from;
        seen.tensor.path.push_back(stir(0x77ULL, read(key)));
        return seen;
    }
    if (from.kind != Value::Kind::container)
        return fresh(stir(read(from), read(key)), false);
    for (std::size_t i = 0; i < from.items->size(); ++i) {
        const Argument name = from.keys.empty() ? Argument::integer(static_cast<std::int64_t>(i)) : from.keys[i];
        if (key.hash == stir(0x44ULL, hashOf(name)))
            return (*from.items)[i];
    }
    return unknown();
}

/// Handles the specs that are generated: of arguments, of a tuple, of one value.
Interpreter::Value Interpreter::tree(std::string_view name, const Call& call)
{
    if (call.args.size() != 2 || call.args[1].keys.empty())
        return unknown();
    std::vector<Value> leaves;
    const auto collect = [&](const auto& self, const Value& value) -> void {
        if (value.kind != Value::Kind::container)
            return leaves.push_back(value);
        for (const Value& item : *value.items)
            self(self, item);
    };
    collect(collect, call.args[0]);
    const std::string_view spec = call.args[1].keys.front().text().view();
    if (name == "tree_flatten_spec")
        return tuple(std::move(leaves));
    if (spec.find("dict") != std::string_view::npos)
        return tuple({tuple(std::move(leaves)), tuple({})});
    if (spec.find("tuple") != std::string_view::npos)
        return tuple(std::move(leaves));
    return leaves.size() == 1 ? leaves.front() : unknown();
}

Interpreter::Value Interpreter::write(std::string_view name, const Call& call)
{
    if (call.args.empty() || call.args[0].kind != Value::Kind::tensor)
        return unknown();
    const Tensor& to = call.args[0].tensor;
    const bool gradient = requiresGrad(call);
    const bool overwrites = name == "copy_" && call.args.size() == 2 && call.args[1].kind == Value::Kind::tensor;
    const Hash content = overwrites ? read(call.args[1])
                                    : stir(stir(numberOf(intern(name)), argumentsOf(call)), stateOf(gradient));
    write(to, content, gradient);
    return call.args[0];
}

void Interpreter::write(const Tensor& to, Hash content, bool requiresGrad)
{
    Cell& cell = m_cells[to.cell];
    cell.requiresGrad = cell.requiresGrad || requiresGrad;
    if (content == readTensor(to) && (cell.writes.empty() || cell.writes.back().first == to.path))
        return;
    for (; !cell.writes.empty() && cell.writes.back().first == to.path; cell.writes.pop_back())
        cell.content = cell.writes.back().second; // the new write replaces the old one entirely
    cell.writes.emplace_back(to.path, cell.content);
    Hash place = cell.content;
    for (const Hash step : to.path)
        place = stir(place, step + 1);
    cell.content = to.path.empty() ? content : stir(place, content);
    cell.overwritten.emplace(to.path, content);
}

std::optional<Interpreter::Value> Interpreter::higherOrder(Frame& frame, std::string_view name, const Call& call)
{
    const auto run = [&](const Value& graph, std::vector<Value> operands) {
        return graph.kind == Value::Kind::graph ? runGraph(graph.graph, graph.module, operands, frame.depth + 1) : unknown();
    };
    const auto from = [&](std::size_t first) {
        return std::vector<Value>(call.args.begin() + static_cast<std::ptrdiff_t>(first), call.args.end());
    };
    if (name == "invoke_subgraph" && call.args.size() >= 2)
        return run(call.args[0], from(2));
    if (name == "wrap_with_set_grad_enabled" && call.args.size() >= 2) {
        const Hash before = m_gradMode;
        Call mode;
        mode.args = {call.args[0]};
        m_gradMode = argumentsOf(mode);
        const Value result = run(call.args[1], from(2));
        m_gradMode = before;
        return result;
    }
    if (name != "cond" || call.args.size() != 4 || call.args[3].kind != Value::Kind::container)
        return unknown();
    const Value yes = run(call.args[1], *call.args[3].items);
    const Value no = run(call.args[2], *call.args[3].items);
    std::vector<Hash> leaves;
    collectLeaves(yes, leaves);
    const std::size_t count = leaves.size();
    collectLeaves(no, leaves);
    std::vector<Value> items;
    for (std::size_t i = 0; i < count && leaves.size() == 2 * count; ++i)
        items.push_back(fresh(stir(stir(read(call.args[0]), leaves[i]), leaves[count + i]), true));
    return tuple(std::move(items));
}

} // namespace sunder::fuzz
