#pragma once

#include "ir/program.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::test {

/// Builds exported programs whose nodes have module stacks. Every value is a float32 tensor of shape [2, 3].
class ModuleProgram {
public:
    ModuleProgram()
    {
        m_program.addGraph(ModuleTree::root());
        m_program.calls.push_back({.fqn = {}});
        m_program.signature.emplace();
    }

    NodeId input(std::string_view name)
    {
        const NodeId id = placeholder(name);
        m_program.signature->inputs.push_back({.kind = InputKind::user, .target = {}, .name = {}, .value = Argument::node(id)});
        return id;
    }

    NodeId parameter(std::string_view name, std::string_view fqn)
    {
        return tensor(name, fqn, InputKind::parameter, TensorRole::parameter);
    }

    NodeId buffer(std::string_view name, std::string_view fqn)
    {
        return tensor(name, fqn, InputKind::buffer, TensorRole::buffer);
    }

    /// A buffer in the memory of another one, at an offset in elements.
    NodeId buffer(std::string_view name, std::string_view fqn, std::string_view other, std::int64_t offset)
    {
        const NodeId id = buffer(name, fqn);
        TensorTable& tensors = m_program.tensors;
        const TensorEntry& first = tensors[tensors.find(intern(other))];
        TensorEntry entry = tensors[tensors.find(intern(fqn))];
        entry.storage = first.storage;
        entry.meta.storage = first.meta.storage;
        entry.meta.offset = Argument::integer(offset);
        tensors[tensors.find(intern(fqn))] = std::move(entry);
        return id;
    }

    /// `stack` lists module calls, outermost first: {"a", "a.b@1"} is the second call of a.b, inside a.
    NodeId call(std::string_view name, std::string_view op, std::initializer_list<NodeId> args,
                const std::vector<std::string>& stack)
    {
        Arguments values;
        for (const NodeId id : args)
            values.push_back(Argument::node(id));
        return graph().append({.op = Op::callFunction,
                               .name = intern(name),
                               .target = intern("torch.ops.aten." + std::string(op)),
                               .fn = intern(op),
                               .args = std::move(values),
                               .meta = {.val = value(), .modules = stackOf(stack)}});
    }

    /// Ends the graph. `mutations` are pairs (fqn of a buffer, node) and become the first outputs.
    Program finish(std::initializer_list<NodeId> results, const std::vector<std::pair<std::string, NodeId>>& mutations = {})
    {
        Arguments values;
        for (const auto& [fqn, node] : mutations) {
            values.push_back(Argument::node(node));
            m_program.signature->outputs.push_back(
                {.kind = OutputKind::bufferMutation, .target = intern(fqn), .name = graph().node(node).name});
        }
        for (const NodeId id : results) {
            values.push_back(Argument::node(id));
            m_program.signature->outputs.push_back(
                {.kind = OutputKind::user, .target = {}, .name = {}, .value = Argument::node(id)});
        }
        graph().append({.op = Op::output,
                        .name = intern("output"),
                        .target = intern("output"),
                        .args = {Argument::tuple(std::move(values))}});
        return std::move(m_program);
    }

    Program& program() { return m_program; }

private:
    Graph& graph() { return m_program.rootGraph(); }

    static Argument value()
    {
        auto meta = std::make_shared<TensorMeta>();
        meta->dtype = intern("float32");
        meta->shape = {Argument::integer(2), Argument::integer(3)};
        meta->stride = Arguments{Argument::integer(3), Argument::integer(1)};
        return Argument::tensor(std::move(meta));
    }

    NodeId placeholder(std::string_view name)
    {
        return graph().append({.op = Op::placeholder, .name = intern(name), .target = intern(name), .meta = {.val = value()}});
    }

    NodeId tensor(std::string_view name, std::string_view fqn, InputKind kind, TensorRole role)
    {
        const NodeId id = placeholder(name);
        TensorMeta meta = value().asTensor();
        meta.storage = intern("s" + std::to_string(m_program.tensors.size()));
        const StorageId storage = m_program.tensors.addStorage({.id = meta.storage, .byteCount = 24});
        m_program.tensors.add({.fqn = intern(fqn), .role = role, .persistent = true, .meta = meta, .storage = storage});
        m_program.signature->inputs.push_back({.kind = kind, .target = intern(fqn), .name = intern(name), .persistent = true});
        return id;
    }

    StackId stackOf(const std::vector<std::string>& calls)
    {
        ModuleStack stack = {{intern("root"), {}, intern("Net")}};
        for (const std::string& call : calls) {
            const std::string path = call.substr(0, call.find('@'));
            stack.push_back({intern("key:" + call), intern(path), intern("Part")});
            const auto isIt = [&](const ModuleCall& known) { return known.fqn.view() == path; };
            if (std::none_of(m_program.calls.begin(), m_program.calls.end(), isIt))
                m_program.calls.push_back({.fqn = intern(path)});
        }
        m_program.stacks.push_back(std::move(stack));
        return StackId(m_program.stacks.size() - 1);
    }

    Program m_program;
};

} // namespace sunder::test
