// Follows autograd through the forward pass: which values need gradients, and which storages each call saves. A storage that
// several calls save counts once. Parameters are not counted, since they stay in memory anyway.

#include "analysis/cut/backward_memory.h"

#include "analysis/cut/storage_extent.h"
#include "analysis/search/node_matcher.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/exact_call.h"
#include "operators/saved_for_backward.h"

#include <algorithm>
#include <set>

namespace sunder {
namespace {

bool isDifferentiable(std::string_view dtype)
{
    return dtype.starts_with("float") || dtype.starts_with("bfloat") || dtype.starts_with("complex");
}

bool holdsDifferentiable(const std::optional<Argument>& val)
{
    bool found = false;
    if (val)
        forEachTensor(*val, [&](const TensorMeta& meta) { found = found || isDifferentiable(meta.dtype.view()); });
    return found;
}

std::uint64_t elementsOf(const TensorMeta* meta)
{
    return meta == nullptr ? 0 : elementCount(meta->shape).value_or(0);
}

std::uint64_t sizeAt(const TensorMeta& meta, std::size_t dimension)
{
    return dimension < meta.shape.size() ? sizeHint(meta.shape[dimension]).value_or(0) : 0;
}

/// Returns the product of the sizes of the dimensions up to `last`.
std::uint64_t elementsBefore(const TensorMeta& meta, std::size_t last)
{
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < std::min(last, meta.shape.size()); ++i)
        count *= sizeAt(meta, i);
    return count;
}

/// A call with its arguments by the names of its operator's schema.
class NamedCall {
public:
    NamedCall(const Graph& graph, const ChosenCall& call, const OperatorSchema& schema)
        : m_graph(graph), m_call(call), m_schema(schema)
    {
    }

    /// Returns an argument; null if the call does not pass it.
    [[nodiscard]] const Argument* argument(std::string_view name) const
    {
        for (const Keyword& keyword : m_call.kwargs)
            if (keyword.key.view() == name)
                return &keyword.value;
        const std::optional<std::size_t> at = m_schema.find(intern(name));
        return at && *at < m_call.args.size() ? &m_call.args[*at] : nullptr;
    }
    [[nodiscard]] const TensorMeta* tensor(std::string_view name) const { return tensorOf(argument(name)); }
    [[nodiscard]] const TensorMeta* first() const { return m_call.args.empty() ? nullptr : tensorOf(&m_call.args[0]); }
    [[nodiscard]] bool isOff(std::string_view name) const
    {
        const Argument* const given = argument(name);
        return given != nullptr && NodeArguments::truthOf(*given) == Truth::off;
    }
    [[nodiscard]] bool isOn(std::string_view name) const
    {
        const Argument* const given = argument(name);
        return given != nullptr && NodeArguments::truthOf(*given) == Truth::on;
    }
    [[nodiscard]] const Argument* firstArgument() const { return m_call.args.empty() ? nullptr : &m_call.args[0]; }

private:
    [[nodiscard]] const TensorMeta* tensorOf(const Argument* argument) const
    {
        const Argument* const value = argument != nullptr ? valueIn(m_graph, *argument) : nullptr;
        return value != nullptr && value->is(ArgumentKind::tensor) ? &value->asTensor() : nullptr;
    }

    const Graph& m_graph;
    const ChosenCall& m_call;
    const OperatorSchema& m_schema;
};

} // namespace

/// The storages that the calls of a part save.
class BackwardMemory::PartSum {
public:
    PartSum(BackwardMemory& memory, const std::vector<std::int32_t>& partOf, std::int32_t part)
        : m_memory(memory), m_program(memory.m_program), m_nodes(memory.m_program.rootGraph()), m_graph(memory.m_graph),
          m_partOf(partOf), m_part(part)
    {
    }

    void addCall(std::uint32_t call)
    {
        const NodeId id = m_graph.nodes[call];
        const Node& node = m_nodes[id];
        if (const std::size_t module = m_memory.recomputedModuleOf(node); module < m_memory.m_recompute.size()) {
            for (const NodeId input : m_nodes.inputs(id))
                if (!m_nodes[input].isCall() || m_memory.recomputedModuleOf(m_nodes[input]) != module)
                    addValue(input);
            return;
        }
        if (!m_memory.needsGradient(id) || isGetitem(node))
            return;
        const std::vector<SavedWord>* const words = savedForBackward(node.target.view());
        const Result<ChosenCall> chosen = exactCall(m_memory.m_operators, m_nodes, node, node.args, node.kwargs);
        const OperatorSchema* const schema = chosen ? m_memory.m_operators.of(Op::callFunction, chosen->target).schema()
                                                    : nullptr;
        if (words == nullptr || schema == nullptr) {
            addAll(id);
            return;
        }
        const NamedCall named(m_nodes, *chosen, *schema);
        for (const SavedWord& word : *words)
            if (word.ifNeeded.empty() || needs(named.argument(word.ifNeeded)))
                addWord(word.what, named, call);
    }

    TrainingSizes sizes()
    {
        m_sizes.savedBytes = m_bytes;
        return std::move(m_sizes);
    }

    void addGradients(std::uint32_t call)
    {
        for (const std::uint32_t memory : m_graph.memories[call]) {
            const TensorId tensor = m_graph.tensorOfMemory[memory];
            if (tensor && isTrained(tensor) && m_trained.insert(memory).second)
                m_sizes.gradientBytes += m_graph.memoryBytes[memory];
        }
    }

private:
    enum class Kind : std::uint8_t { piece, value, memory };

    [[nodiscard]] bool isTrained(TensorId id) const
    {
        const TensorEntry& entry = m_program.tensors[m_program.tensors.object(id)];
        return entry.role == TensorRole::parameter && isDifferentiable(entry.meta.dtype.view())
            && (entry.meta.requiresGrad || !m_memory.m_statesGradients);
    }

    [[nodiscard]] bool needs(const Argument* argument) const
    {
        bool found = false;
        if (argument != nullptr)
            forEachNode(*argument, [&](NodeId id) { found = found || m_memory.needsGradient(id); });
        return found;
    }

    void add(Kind kind, std::uint32_t number, std::uint64_t bytes)
    {
        if (m_saved.emplace(kind, number).second)
            m_bytes += bytes;
    }

    void addArgument(const Argument* argument)
    {
        if (argument != nullptr)
            forEachNode(*argument, [this](NodeId id) { addValue(id); });
    }

    /// Adds the storage of a value: pieces of the part, or else the input or weight that it is a view of.
    void addValue(NodeId id)
    {
        for (std::uint32_t call = m_graph.valueOf[id.index()]; call < m_graph.callCount && m_partOf[call] == m_part;) {
            bool isMade = !m_graph.viewOf[call];
            for (const std::uint32_t piece : m_graph.pieces[call])
                if (m_partOf[m_graph.pieceMaker[piece]] == m_part) {
                    add(Kind::piece, piece, m_graph.pieceBytes[piece]);
                    isMade = true;
                }
            if (isMade)
                return;
            const NodeId base = m_graph.viewOf[call];
            call = m_graph.valueOf[base.index()];
            const bool isOutside = call >= m_graph.callCount || m_partOf[call] != m_part;
            if (!isOutside || !isGetitem(m_nodes[id]) || !m_nodes[base].isCall())
                id = base; // an item of a tuple from another part is an input by itself
        }
        const std::uint32_t value = m_graph.valueOf[id.index()];
        if (value != CutGraph::kNone)
            add(Kind::value, value, m_graph.heldBytes[value]);
        else if (const TensorId tensor = m_memory.m_tensors[id.index()];
                 tensor && m_program.tensors[m_program.tensors.object(tensor)].role != TensorRole::parameter)
            add(Kind::memory, m_memory.m_table.memoryOf[tensor.index()],
                m_memory.m_table.bytes[m_memory.m_table.memoryOf[tensor.index()]]);
    }

    void addAll(NodeId id)
    {
        for (const NodeId input : m_nodes.inputs(id))
            addValue(input);
        addValue(id);
        if (std::ranges::find(m_sizes.assumed, m_nodes[id].target) == m_sizes.assumed.end())
            m_sizes.assumed.push_back(m_nodes[id].target);
    }

    void addResult(std::uint32_t call, std::string_view number)
    {
        const std::size_t at = number.empty() ? 0 : static_cast<std::size_t>(number.front() - '0');
        const std::span<const std::uint32_t> pieces = m_graph.pieces[call];
        if (m_graph.viewOf[call] || at >= pieces.size())
            addValue(m_graph.nodes[call]);
        else
            add(Kind::piece, pieces[at], m_graph.pieceBytes[pieces[at]]);
    }

    void addFolded(const Argument* argument, const TensorMeta* meta, std::size_t last, std::uint64_t elements)
    {
        if (meta == nullptr || (canMerge(*meta, 0, last) && elements == elementsOf(meta)))
            addArgument(argument);
        else
            m_bytes += elements * elementSize(meta->dtype.view()).value_or(0);
    }

    void addWord(std::string_view word, const NamedCall& call, std::uint32_t number)
    {
        if (word == "none" || word == "detached")
            return;
        if (word.starts_with("result")) {
            addResult(number, word.substr(6));
        } else if (word.starts_with("fold(")) {
            const std::string_view name = word.substr(5, word.size() - 6);
            const TensorMeta* const meta = call.tensor(name);
            addFolded(call.argument(name), meta, meta != nullptr ? std::max<std::size_t>(meta->shape.size(), 1) - 1 : 0,
                      elementsOf(meta));
        } else if (word == "matmul") {
            addProduct(call);
        } else if (word == "attention") {
            addAttention(call, number);
        } else if (word == "pooled") {
            const TensorMeta* const from = call.first();
            if (from == nullptr || from->shape.size() < 2
                || elementsOf(tensorOf(m_nodes[m_graph.nodes[number]].meta.val)) != elementsBefore(*from, from->shape.size() - 2))
                addArgument(call.firstArgument());
        } else if (word.starts_with('+')) {
            m_bytes += internalBytes(word.substr(1), call, number);
        } else {
            addArgument(call.argument(word));
        }
    }

    [[nodiscard]] std::uint64_t internalBytes(std::string_view word, const NamedCall& call, std::uint32_t number) const
    {
        const TensorMeta* const first = call.first();
        if (first == nullptr)
            return 0;
        const std::uint64_t each = elementSize(first->dtype.view()).value_or(0);
        const std::uint64_t results = elementsOf(tensorOf(m_nodes[m_graph.nodes[number]].meta.val));
        if (word == "indices")
            return results * 8;
        if (word == "noise")
            return call.isOff("train") || call.isOff("p") ? 0 : results * each;
        if (word == "scores")
            return elementsOf(first) * each;
        if (word == "channels")
            return call.isOn("training") ? sizeAt(*first, 1) * each : 0;
        if (const Argument* const groups = call.argument("num_groups"); word == "groups" && groups != nullptr)
            return sizeAt(*first, 0) * sizeHint(*groups).value_or(0) * each;
        if (const Argument* const shape = call.argument("normalized_shape"); word == "rows" && shape != nullptr)
            return elementsBefore(*first, first->shape.size() - std::min(shape->items().size(), first->shape.size())) * each;
        return 0;
    }

    /// Batches of matrices are merged into one dimension. An operand whose batch dimensions cannot be merged is copied.
    void addProduct(const NamedCall& call)
    {
        const Argument* const operands[] = {call.argument("self"), call.argument("other")};
        const TensorMeta* const metas[] = {call.tensor("self"), call.tensor("other")};
        const bool areKnown = metas[0] != nullptr && metas[1] != nullptr;
        const std::size_t dimensions[] = {areKnown ? metas[0]->shape.size() : 0, areKnown ? metas[1]->shape.size() : 0};
        std::uint64_t batch = 1; // broadcast
        for (std::size_t back = 3; back <= std::max(dimensions[0], dimensions[1]); ++back) {
            std::uint64_t size = 1;
            for (std::size_t i = 0; i < 2; ++i)
                if (back <= dimensions[i] && size == 1)
                    size = sizeAt(*metas[i], dimensions[i] - back);
            batch *= size;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            if (!needs(operands[1 - i]))
                continue;
            const bool areBatches = dimensions[0] > 2 && dimensions[1] > 2;
            if (areBatches) {
                const std::size_t last = dimensions[i] - 2;
                addFolded(operands[i], metas[i], last, batch * sizeAt(*metas[i], last) * sizeAt(*metas[i], last + 1));
            } else if (i == 0 && dimensions[0] > 2) {
                addFolded(operands[i], metas[i], dimensions[i] - 1, elementsOf(metas[i]));
            } else {
                addArgument(operands[i]);
            }
        }
    }

    /// The kernel for the CPU keeps its operands, result, and a number per query; without it, attention is two matrix products.
    void addAttention(const NamedCall& call, std::uint32_t number)
    {
        const TensorMeta* const query = call.tensor("query");
        const TensorMeta* const key = call.tensor("key");
        const TensorMeta* const value = call.tensor("value");
        if (query == nullptr || key == nullptr || value == nullptr || query->shape.size() < 2 || key->shape.size() < 2) {
            addAll(m_graph.nodes[number]);
            return;
        }
        const std::uint64_t each = elementSize(query->dtype.view()).value_or(0);
        const std::size_t dimensions = query->shape.size();
        const std::uint64_t queries = elementsBefore(*query, dimensions - 1);
        const bool isRandom = call.isOn("dropout_p");
        if (dimensions == 4 && !isRandom && sizeAt(*value, 3) == sizeAt(*query, 3)) {
            for (const char* name : {"query", "key", "value"})
                addArgument(call.argument(name));
            addValue(m_graph.nodes[number]);
            m_bytes += queries * std::max<std::uint64_t>(each, 4);
            if (const TensorMeta* const mask = call.tensor("attn_mask"); mask != nullptr && mask->dtype.view() == "bool")
                m_bytes += elementsOf(mask) * each;
            else
                addArgument(call.argument("attn_mask"));
            return;
        }
        const bool needsQuery = needs(call.argument("query"));
        const bool needsKey = needs(call.argument("key"));
        const std::uint64_t scores = queries * sizeAt(*key, key->shape.size() - 2) * each;
        m_bytes += (needsKey ? elementsOf(query) : 0) * each + (needsQuery ? elementsOf(key) : 0) * each;
        m_bytes += scores * (isRandom ? 3 : 1);
        if (needsQuery || needsKey)
            addFolded(call.argument("value"), value, value->shape.size() - 2, elementsOf(value));
    }

    BackwardMemory& m_memory;
    const Program& m_program;
    const Graph& m_nodes;
    const CutGraph& m_graph;
    const std::vector<std::int32_t>& m_partOf;
    std::int32_t m_part;
    std::set<std::pair<Kind, std::uint32_t>> m_saved;
    std::set<std::uint32_t> m_trained; ///< memories
    std::uint64_t m_bytes = 0;
    TrainingSizes m_sizes;
};

BackwardMemory::BackwardMemory(const Program& program, const CutGraph& graph, std::span<const InternedString> recompute)
    : m_program(program), m_graph(graph), m_recompute(recompute), m_tensors(tensorsOfNodes(program)),
      m_table(memoryTable(program.tensors)), m_operators(program)
{
    m_statesGradients = std::ranges::any_of(program.tensors.entries(), [](const TensorEntry& entry) {
        return entry.role == TensorRole::parameter && entry.meta.requiresGrad;
    });
    findGradients();
}

void BackwardMemory::findGradients()
{
    const Graph& graph = m_program.rootGraph();
    m_needs.assign(graph.idBound(), 0);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (const TensorId tensor = m_tensors[id.index()]) {
            const TensorEntry& entry = m_program.tensors[m_program.tensors.object(tensor)];
            m_needs[id.index()] = entry.role == TensorRole::parameter && isDifferentiable(entry.meta.dtype.view())
                && (entry.meta.requiresGrad || !m_statesGradients);
        } else if (node.op == Op::placeholder) {
            const TensorMeta* const given = tensorOf(node.meta.val);
            m_needs[id.index()] = given != nullptr && given->requiresGrad;
        } else if (node.isCall() && holdsDifferentiable(node.meta.val) && passesGradient(node)) {
            const auto inputs = graph.inputs(id);
            m_needs[id.index()] = std::any_of(inputs.begin(), inputs.end(),
                                              [this](NodeId input) { return needsGradient(input); });
        }
    }
}

bool BackwardMemory::passesGradient(const Node& node)
{
    const OperatorFacts& facts = m_operators.of(node);
    if (facts.role == CallRole::gradRegion && !node.args.empty() && NodeArguments::truthOf(node.args[0]) == Truth::off)
        return false;
    const std::vector<SavedWord>* const words = savedForBackward(node.target.view());
    return words == nullptr || words->front().what != "detached";
}

std::size_t BackwardMemory::recomputedModuleOf(const Node& node) const
{
    const std::string_view path = m_recompute.empty() ? std::string_view() : modulePathOf(m_program, node);
    for (std::size_t i = 0; i < m_recompute.size(); ++i)
        if (isWithin(path, m_recompute[i].view()))
            return i;
    return m_recompute.size();
}

TrainingSizes BackwardMemory::measure(const std::vector<std::int32_t>& partOf, std::int32_t part,
                                      std::span<const std::uint32_t> calls)
{
    PartSum sum(*this, partOf, part);
    for (const std::uint32_t call : calls) {
        sum.addCall(call);
        sum.addGradients(call);
    }
    return sum.sizes();
}

} // namespace sunder
