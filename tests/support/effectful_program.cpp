#include "effectful_program.h"

#include <random>
#include <string>
#include <utility>

namespace sunder::test {
namespace {

class EffectfulProgram {
public:
    EffectfulProgram(unsigned seed, const EffectfulOptions& options) : m_random(seed), m_options(options) {}

    Program run(int calls)
    {
        m_program.addGraph(ModuleTree::root());
        for (int i = 0; i < 3; ++i)
            m_values.push_back(add(Op::placeholder, "x" + std::to_string(i), {}, tensor()));
        for (int i = 0; i < 4; ++i)
            addParameter("w" + std::to_string(i));
        while (static_cast<int>(m_calls) < calls)
            addCall();
        while (!m_open.empty())
            leave();
        Arguments results;
        for (std::size_t i = m_values.size() - 2; i < m_values.size(); ++i)
            results.push_back(Argument::node(m_values[i]));
        add(Op::output, "output", {Argument::tuple(std::move(results))}, std::nullopt);
        return std::move(m_program);
    }

private:
    static Argument tensor()
    {
        TensorMeta meta;
        meta.dtype = intern("float32");
        meta.shape = {Argument::integer(4), Argument::integer(4)};
        return Argument::tensor(std::make_shared<const TensorMeta>(meta));
    }

    NodeId add(Op op, const std::string& target, Arguments args, std::optional<Argument> val)
    {
        NodeSpec spec{.op = op, .name = {}, .target = intern(target), .args = std::move(args)};
        spec.meta.val = std::move(val);
        m_calls += op == Op::callFunction ? 1 : 0;
        return m_program.graph(m_program.root).create(std::move(spec));
    }

    NodeId call(const std::string& target, Arguments args, std::optional<Argument> val = tensor())
    {
        return add(Op::callFunction, target, std::move(args), std::move(val));
    }

    void addParameter(const std::string& fqn)
    {
        TensorEntry entry{.fqn = intern(fqn), .persistent = true};
        entry.meta = tensor().asTensor();
        entry.storage = m_program.tensors.addStorage({.id = intern("s." + fqn), .byteCount = 64});
        entry.meta.storage = intern("s." + fqn);
        m_program.tensors.add(std::move(entry));
        m_values.push_back(add(Op::getAttr, fqn, {}, std::nullopt));
    }

    Argument pick() { return Argument::node(m_values[m_random() % m_values.size()]); }

    void leave()
    {
        call("torch.amp.autocast_mode._exit_autocast", {Argument::node(m_open.back())}, std::nullopt);
        m_open.pop_back();
    }

    void addCall()
    {
        auto what = static_cast<unsigned>(m_random() % 20);
        if (m_options.hasNumbers && what > 16)
            what = 7;
        switch (m_options.isFunctional && (what == 0 || what == 3) ? 8 : what) {
        case 0: m_values.push_back(call("torch.ops.aten.add_.Tensor", {pick(), pick()})); break;
        case 1:
            m_values.push_back(
                call("torch.ops.aten.view.default", {pick(), Argument::list({Argument::integer(4), Argument::integer(4)})}));
            break;
        case 2:
            m_values.push_back(
                call("torch.ops.aten.dropout.default", {pick(), Argument::floating(0.5), Argument::boolean(true)}));
            break;
        case 3: m_values.push_back(call("mylib.nobody.knows", {pick()})); break;
        case 4: call("print", {pick()}, std::nullopt); break;
        case 5: addState(); break;
        case 6: addTuple(); break;
        case 7: addSize(); break;
        default: addPure();
        }
    }

    void addState()
    {
        const unsigned what = m_random() % 4;
        if (what == 0)
            call("torch._C._set_grad_enabled", {Argument::boolean(m_random() % 2 == 0)}, std::nullopt);
        else if (what == 1 && m_open.size() < 2)
            m_open.push_back(call("torch.amp.autocast_mode._enter_autocast",
                                  {Argument::string(intern("cpu")), Argument(), Argument::boolean(true)}, std::nullopt));
        else if (!m_open.empty())
            leave();
        else
            addPure();
    }

    void addTuple()
    {
        const NodeId pair = call("torch.ops.aten.topk.default", {pick(), Argument::integer(4)},
                                 Argument::tuple(Arguments{tensor(), tensor()}));
        m_values.push_back(call("_operator.getitem", {Argument::node(pair), Argument::integer(0)}));
    }

    void addSize()
    {
        if (m_options.hasNumbers && m_calls % 3 != 0) {
            const NodeId number = call("torch.ops.aten.item.default", {pick()},
                                       Argument::symbolic({.expression = intern("zuf0"), .kind = SymbolKind::floating}));
            m_values.push_back(call("torch.ops.aten.mul.Scalar", {pick(), Argument::node(number)}));
            return;
        }
        const Argument size = Argument::symbolic({intern("s0"), SymbolKind::integer, std::int64_t{4}});
        const NodeId of = call("torch.ops.aten.sym_size.int", {pick(), Argument::integer(0)}, size);
        m_values.push_back(call("torch.ops.aten.mul.Scalar", {pick(), Argument::node(of)}));
    }

    void addPure()
    {
        if (m_random() % 2 == 0)
            m_values.push_back(call("torch.ops.aten.relu.default", {pick()}));
        else
            m_values.push_back(call("torch.ops.aten.add.Tensor", {pick(), pick()}));
    }

    std::mt19937 m_random;
    EffectfulOptions m_options;
    Program m_program;
    std::vector<NodeId> m_values;
    std::vector<NodeId> m_open; ///< open autocast regions
    std::size_t m_calls = 0;
};

} // namespace

Program effectfulProgram(unsigned seed, int calls, const EffectfulOptions& options)
{
    return EffectfulProgram(seed, options).run(calls);
}

void makeExported(Program& program)
{
    Graph& graph = program.rootGraph();
    ExportSignature signature;
    const NodeId first = graph.first();
    NodeId written;
    for (const NodeId id : graph.order()) {
        const Node node = graph[id];
        if (node.op != Op::getAttr)
            continue;
        NodeSpec spec{
            .op = Op::placeholder, .name = intern("p_" + node.target.str()), .target = intern("p_" + node.target.str())};
        const TensorId tensor = program.tensors.find(node.target);
        spec.meta.val = Argument::tensor(program.tensors[tensor].meta);
        graph.setInsertPoint(Graph::InsertPoint::before(first));
        const NodeId lifted = graph.create(spec);
        graph.replaceAllUses(id, lifted);
        (void)graph.erase(id);
        program.tensors[tensor].role = written ? TensorRole::parameter : TensorRole::buffer;
        signature.inputs.push_back(
            {.kind = written ? InputKind::parameter : InputKind::buffer, .target = node.target, .name = graph[lifted].name});
        written = written ? written : lifted;
    }
    graph.setInsertPoint(Graph::InsertPoint::end());
    Arguments results;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op == Op::placeholder && !node.name.view().starts_with("p_"))
            signature.inputs.push_back({.kind = InputKind::user, .value = Argument::node(id)});
        const bool isTensor = node.isCall() && node.meta.val && node.meta.val->is(ArgumentKind::tensor);
        if (isTensor && results.empty() && node.target.view() == "torch.ops.aten.relu.default") {
            results.push_back(Argument::node(id));
            signature.outputs.push_back(
                {.kind = OutputKind::bufferMutation, .target = intern(graph[written].name.str().substr(2)), .name = node.name});
        }
    }
    for (const Argument& result : graph[graph.output()].args[0].items()) {
        results.push_back(result);
        signature.outputs.push_back({.kind = OutputKind::user, .value = result});
    }
    graph.setArguments(graph.output(), {Argument::tuple(std::move(results))}, {});
    program.signature = std::move(signature);
}

} // namespace sunder::test
