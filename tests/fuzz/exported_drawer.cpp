// Exported programs: a tree of modules whose calls are inlined, with the signature that torch.export writes.
#include "random_program.h"
#include "value_types.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sunder::fuzz {
namespace {

class ExportedDrawer {
public:
    explicit ExportedDrawer(Random& random) : m_random(random), m_types(random.chance(20)) {}

    Program draw()
    {
        m_program.modules[ModuleTree::root()].cls = intern("torch.export.exported_program.ExportedProgram");
        m_program.root = m_program.addGraph(ModuleTree::root());
        m_program.modules[ModuleTree::root()].graph = m_program.root;
        m_program.signature.emplace();
        m_functional = m_random.chance(50);
        m_writes = m_random.chance(50);
        m_views = m_random.chance(30);
        m_writesInputs = m_functional && m_random.chance(20);
        drawModules();
        drawInputs();
        const std::vector<NodeId> results = forward(0, m_users, 0, {});
        drawOutput(results);
        drawCalls();
        return std::move(m_program);
    }

private:
    struct Part {
        std::string path;
        std::vector<std::size_t> children;
        std::vector<std::string> tensors;
        int calls = 0;
        bool keepsSignature = false;
    };
    using Stack = ModuleStack;

    void drawModules()
    {
        m_parts.push_back({});
        const int count = m_random.between(0, 5);
        for (int i = 0; i < count; ++i) {
            const std::size_t parent = m_random.below(m_parts.size());
            const std::string name = m_random.word({"n", "layer", "sub"}) + std::to_string(i);
            m_parts.push_back({joinPath(m_parts[parent].path, name)});
            m_parts[parent].children.push_back(m_parts.size() - 1);
        }
        if (m_random.chance(30))
            for (std::size_t i = 1; i < m_parts.size(); ++i)
                m_parts[i].keepsSignature = m_random.chance(50);
        const int tensors = m_random.between(0, 5);
        for (int i = 0; i < tensors; ++i) {
            Part& part = m_parts[m_random.below(m_parts.size())];
            part.tensors.push_back(joinPath(part.path, "t" + std::to_string(i)));
        }
    }

    void addTensor(const std::string& fqn, TensorRole role)
    {
        TensorTable& tensors = m_program.tensors;
        TensorEntry entry{.fqn = intern(fqn), .role = role};
        const TensorId other = tensors.size() > 0 ? TensorId(m_random.below(tensors.size())) : TensorId();
        const bool tied = other && m_random.chance(20) && tensors[other].role == role;
        const InternedString id = tied ? tensors[tensors[other].storage].id
                                       : intern("s" + std::to_string(tensors.storageCount()));
        entry.storage = tied ? tensors[other].storage : tensors.addStorage({.id = id, .byteCount = 64});
        if (role == TensorRole::buffer)
            entry.persistent = m_random.chance(70);
        entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4), Argument::integer(4)}};
        entry.meta.stride = Arguments{Argument::integer(4), Argument::integer(1)};
        // Overlaps a part of the other tensor.
        entry.meta.offset = Argument::integer(tied && m_random.chance(40) ? m_random.of(std::vector<int>{2, 8}) : 0);
        entry.meta.storage = id;
        entry.meta.requiresGrad = role == TensorRole::parameter;
        tensors.add(std::move(entry));
    }

    void drawInputs()
    {
        Graph& graph = m_program.rootGraph();
        for (const TensorRole role : {TensorRole::parameter, TensorRole::buffer, TensorRole::constant}) {
            for (const Part& part : m_parts) {
                for (std::size_t i = 0; i < part.tensors.size(); ++i) {
                    const std::string& fqn = part.tensors[i];
                    if (static_cast<TensorRole>((fqn.back() - '0') % 3) != role)
                        continue;
                    addTensor(fqn, role);
                    std::string name = (role == TensorRole::parameter ? "p_" : role == TensorRole::buffer ? "b_" : "c_") + fqn;
                    for (char& c : name)
                        c = c == '.' ? '_' : c;
                    const NodeId node = addInput(
                        name, kFirstTensorCell + m_program.tensors[TensorId(m_program.tensors.size() - 1)].storage.index());
                    static constexpr std::array kKinds{InputKind::parameter, InputKind::buffer, InputKind::constant};
                    InputSpec spec{
                        .kind = kKinds[static_cast<std::size_t>(role)], .target = intern(fqn), .name = graph.node(node).name};
                    if (role == TensorRole::buffer)
                        spec.persistent = m_program.tensors[TensorId(m_program.tensors.size() - 1)].persistent;
                    m_program.signature->inputs.push_back(spec);
                    m_tensorNodes[fqn] = node;
                }
            }
        }
        const int users = m_random.between(1, 3);
        for (int i = 0; i < users; ++i) {
            m_users.push_back(addInput("x" + std::to_string(i), m_nextCell++, !m_writesInputs));
            m_program.signature->inputs.push_back({.kind = InputKind::user, .value = Argument::node(m_users.back())});
        }
    }

    NodeId addInput(const std::string& name, Cell cell, bool requiresGrad = true)
    {
        NodeSpec spec{.op = Op::placeholder, .name = intern(name), .target = intern(name)};
        spec.meta.val = m_types.tensor(cell, requiresGrad);
        return m_program.rootGraph().create(std::move(spec));
    }

    NodeId call(const char* target, Arguments args, const Stack& stack, Cell cell)
    {
        NodeSpec spec{.op = Op::callFunction, .name = {}, .target = intern(target), .args = std::move(args)};
        spec.meta.val = m_types.tensor(cell);
        spec.meta.modules = stackId(stack);
        return m_program.rootGraph().create(std::move(spec));
    }

    StackId stackId(const Stack& stack)
    {
        for (std::size_t i = 0; i < m_program.stacks.size(); ++i)
            if (m_program.stacks[i] == stack)
                return StackId(i);
        m_program.stacks.push_back(stack);
        return StackId(m_program.stacks.size() - 1);
    }

    /// Draws one call of a module: some operators, and some calls of children. Returns its results.
    std::vector<NodeId> forward(std::size_t index, std::vector<NodeId> given, int depth, Stack stack)
    {
        Part& part = m_parts[index];
        std::string key = "L__self__" + part.path;
        const int number = part.calls++;
        if (number > 0)
            key += '@' + std::to_string(number);
        stack.push_back({intern(key), intern(part.path), intern("fuzz.M" + std::to_string(index))});
        std::vector<NodeId> values = given;
        for (const std::string& fqn : part.tensors)
            values.push_back(current(fqn));
        const int steps = m_random.between(depth == 0 ? 2 : 1, depth == 0 ? 7 : 4);
        for (int i = 0; i < steps && m_nodes < 30; ++i) {
            if (!part.children.empty() && depth < 4 && m_random.chance(45)) {
                const std::size_t child = m_random.of(part.children);
                for (const NodeId result : forward(child, {m_random.of(values)}, depth + 1, stack))
                    values.push_back(result);
                continue;
            }
            values.push_back(step(part, values, stack));
        }
        std::vector<NodeId> results{values.back()};
        if (m_random.chance(20))
            results.push_back(m_random.of(values));
        if (part.keepsSignature)
            m_signatures.push_back(
                signature(part.path + (number > 0 ? '@' + std::to_string(number) : std::string()), given, results));
        return results;
    }

    NodeId step(const Part& part, const std::vector<NodeId>& values, const Stack& stack)
    {
        ++m_nodes;
        const auto any = [&] { return Argument::node(m_random.of(values)); };
        if (m_writes && !part.tensors.empty() && m_random.chance(35))
            return write(m_random.of(part.tensors), any(), stack);
        if (m_writesInputs && m_random.chance(15)) {
            const NodeId user = m_random.of(m_users);
            const NodeId old = m_writtenInputs.contains(user) ? m_writtenInputs[user] : user;
            return m_writtenInputs[user] = call("torch.ops.aten.mul.Tensor", {Argument::node(old), any()}, stack, m_nextCell++);
        }
        if (m_random.chance(5)) // an implicit module input
            return call("torch.ops.aten.mul.Tensor", {any(), Argument::node(m_random.of(m_users))}, stack, m_nextCell++);
        switch (m_random.below(m_views ? 5 : 4)) {
        case 4: {
            const NodeId viewed = m_random.of(values);
            return call(m_random.word({"torch.ops.aten.t.default", "torch.ops.aten.view.default"}), {Argument::node(viewed)},
                        stack, cellOf(viewed));
        }
        case 0:
            return call(
                m_random.word({"torch.ops.aten.sin.default", "torch.ops.aten.relu.default", "torch.ops.aten.clone.default"}),
                {any()}, stack, m_nextCell++);
        case 1:
            return call("torch.ops.aten.cat.default", {Argument::list({any(), any()}), Argument::integer(1)}, stack,
                        m_nextCell++);
        case 2:
            return call("torch.ops.aten.add.Tensor", {any(), Argument::floating(0.5 * m_random.between(0, 3))}, stack,
                        m_nextCell++);
        default:
            return call(m_random.word({"torch.ops.aten.add.Tensor", "torch.ops.aten.sub.Tensor"}), {any(), any()}, stack,
                        m_nextCell++);
        }
    }

    /// Writes to a buffer: in place, or, in a functional program, as a value that is a mutation output.
    NodeId write(const std::string& fqn, Argument value, const Stack& stack)
    {
        const TensorId tensor = m_program.tensors.find(intern(fqn));
        if (m_program.tensors[tensor].role != TensorRole::buffer)
            return call("torch.ops.aten.neg.default", {std::move(value)}, stack, m_nextCell++);
        const Argument old = Argument::node(current(fqn));
        if (!m_functional)
            return call(m_random.word({"torch.ops.aten.add_.Tensor", "torch.ops.aten.copy_.default"}),
                        {Argument::node(m_tensorNodes[fqn]), std::move(value)}, stack,
                        kFirstTensorCell + m_program.tensors[tensor].storage.index());
        const NodeId given = value.asNode();
        const bool asItIs = m_program.rootGraph().node(given).op != Op::placeholder && m_random.chance(10);
        const NodeId made = asItIs ? given : call("torch.ops.aten.add.Tensor", {old, std::move(value)}, stack, m_nextCell++);
        m_written[fqn] = made;
        return made;
    }

    Cell cellOf(NodeId node)
    {
        const std::string_view storage = m_program.rootGraph().node(node).meta.val->asTensor().storage.view();
        return static_cast<Cell>(std::stoul(std::string(storage.substr(1))));
    }

    NodeId current(const std::string& fqn)
    {
        const auto found = m_written.find(fqn);
        return found != m_written.end() ? found->second : m_tensorNodes[fqn];
    }

    void drawOutput(std::vector<NodeId> results)
    {
        for (const auto& [fqn, node] : m_written) // results that are a buffer mostly return its final value
            if (m_random.chance(70))
                std::ranges::replace(results, m_tensorNodes[fqn], node);
        Arguments values;
        for (const auto& [fqn, node] : m_written) {
            values.push_back(Argument::node(node));
            m_program.signature->outputs.push_back(
                {.kind = OutputKind::bufferMutation, .target = intern(fqn), .name = m_program.rootGraph().node(node).name});
        }
        for (const auto& [user, node] : m_writtenInputs) {
            values.push_back(Argument::node(node));
            m_program.signature->outputs.push_back({.kind = OutputKind::inputMutation,
                                                    .target = m_program.rootGraph().node(user).name,
                                                    .name = m_program.rootGraph().node(node).name});
        }
        for (const NodeId node : results) {
            values.push_back(Argument::node(node));
            m_program.signature->outputs.push_back({.kind = OutputKind::user, .value = Argument::node(node)});
        }
        m_results = results.size();
        m_program.rootGraph().create({.op = Op::output,
                                      .name = intern("output"),
                                      .target = intern("output"),
                                      .args = {Argument::tuple(std::move(values))}});
    }

    static std::string spec(const char* type, const char* context, const std::string& children)
    {
        return std::string("{\"type\": ") + type + ", \"context\": " + context + ", \"children_spec\": [" + children + "]}";
    }

    static std::string leaves(std::size_t count)
    {
        std::string text;
        for (std::size_t i = 0; i < count; ++i)
            text += (i == 0 ? "" : ", ") + spec("null", "null", "");
        return text;
    }

    void drawCalls()
    {
        ModuleCall root = signature({}, m_users, std::vector<NodeId>(m_results));
        root.inputs = {};
        root.outputs = {};
        m_program.calls.push_back(std::move(root));
        for (std::size_t i = 1; i < m_parts.size(); ++i)
            if (!m_parts[i].keepsSignature)
                m_program.calls.push_back({.fqn = intern(m_parts[i].path)});
        m_program.calls.insert(m_program.calls.end(), m_signatures.begin(), m_signatures.end());
    }

    /// A call with plain positional arguments; several results form a tuple.
    static ModuleCall signature(const std::string& fqn, const std::vector<NodeId>& inputs, const std::vector<NodeId>& outputs)
    {
        const std::string arguments = spec("\"builtins.tuple\"", "\"null\"", leaves(inputs.size()));
        const bool isBare = !fqn.empty() && outputs.size() == 1;
        ModuleCall call{.fqn = intern(fqn), .hasSignature = true};
        call.inSpec = "[1, " + spec("\"builtins.tuple\"", "\"null\"", arguments + ", " + spec("\"builtins.dict\"", "\"[]\"", ""))
            + ']';
        call.outSpec = "[1, " + (isBare ? leaves(1) : spec("\"builtins.tuple\"", "\"null\"", leaves(outputs.size()))) + ']';
        for (const NodeId node : inputs)
            call.inputs.push_back(Argument::node(node));
        for (const NodeId node : outputs)
            call.outputs.push_back(Argument::node(node));
        return call;
    }

    Random& m_random;
    ValueTypes m_types;
    Program m_program;
    std::vector<Part> m_parts;
    std::vector<NodeId> m_users;
    std::map<std::string, NodeId> m_tensorNodes;
    std::map<std::string, NodeId> m_written;
    std::map<NodeId, NodeId> m_writtenInputs;
    std::vector<ModuleCall> m_signatures; ///< of calls
    Cell m_nextCell = 0;
    std::size_t m_results = 0;
    int m_nodes = 0;
    bool m_functional = false;
    bool m_writes = false;
    bool m_views = false;
    bool m_writesInputs = false;
};

} // namespace

Program randomExportedProgram(Random& random)
{
    return ExportedDrawer(random).draw();
}

} // namespace sunder::fuzz
