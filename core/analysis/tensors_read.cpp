#include "analysis/tensors_read.h"

#include "analysis/sizes.h"

#include <optional>
#include <utility>

namespace sunder {
namespace {

const Storage* storageOf(const TensorTable& table, TensorId id)
{
    const StorageId storage = table[table.object(id)].storage;
    return storage.isValid() ? &table[storage] : nullptr;
}

} // namespace

WeightChanges weightChanges(const TensorTable& before, const TensorTable& after)
{
    WeightChanges changes;
    for (const TensorEntry& entry : before.entries()) {
        const TensorId other = after.find(entry.fqn);
        if (!other.isValid()) {
            ++changes.onlyBefore;
            continue;
        }
        const Storage* first = storageOf(before, before.find(entry.fqn));
        const Storage* second = storageOf(after, other);
        if (first == nullptr || second == nullptr || first->placeExtra.empty() || second->placeExtra.empty())
            ++changes.unknown;
        else if (first->placeExtra == second->placeExtra && first->byteCount == second->byteCount)
            ++changes.equal;
        else
            changes.others.push_back(entry.fqn);
    }
    for (const TensorEntry& entry : after.entries())
        changes.onlyAfter += before.find(entry.fqn).isValid() ? 0 : 1;
    return changes;
}

namespace {

/// A list of distinct tensors.
class ReadTensors {
public:
    explicit ReadTensors(const Program& program) : m_program(program), m_isRead(program.tensors.size(), false) {}

    void addValue(const Node& value)
    {
        if (value.op == Op::placeholder)
            add(liftedBy(value.name));
        if (value.op != Op::getAttr)
            return;
        if (const TensorId tensor = m_program.tensorAt(value.target))
            add(tensor);
        else
            addModule(value.target);
    }

    /// Adds a module with all its submodules.
    void addModule(InternedString target)
    {
        const ModuleId module = m_program.modules.resolve(target.view());
        if (!module)
            return;
        const InternedString path = m_program.modules[m_program.modules.object(module)].path;
        if (path.empty())
            m_hasRoot = true;
        else
            m_modules.emplace(path, true);
    }

    std::vector<TensorId> take()
    {
        for (std::size_t i = 0; i < m_program.tensors.size() && (m_hasRoot || m_modules.size() != 0); ++i)
            if (m_hasRoot || isStoredInModule(m_program.tensors[TensorId(i)].fqn.view()))
                add(TensorId(i));
        return std::move(m_read);
    }

private:
    void add(TensorId tensor)
    {
        if (!tensor || m_isRead[tensor.index()])
            return;
        m_isRead[tensor.index()] = true;
        m_read.push_back(tensor);
    }

    [[nodiscard]] bool isStoredInModule(std::string_view fqn) const
    {
        for (std::size_t dot = fqn.rfind('.'); dot != std::string_view::npos && dot != 0; dot = fqn.rfind('.', dot - 1))
            if (m_modules.contains(intern(fqn.substr(0, dot))))
                return true;
        return false;
    }

    /// Returns the tensor of a lifted input of an exported program; invalid for a user input.
    TensorId liftedBy(InternedString name)
    {
        if (!m_lifted)
            m_lifted = liftedTensors(m_program);
        const TensorId* found = name.empty() ? nullptr : m_lifted->find(name);
        return found == nullptr ? TensorId() : *found;
    }

    const Program& m_program;
    std::vector<bool> m_isRead; ///< per TensorId
    std::vector<TensorId> m_read;
    std::optional<FlatMap<TensorId>> m_lifted; ///< by input name; created on first use
    FlatMap<bool> m_modules;                   ///< paths of the added modules
    bool m_hasRoot = false;                    ///< the root is among them
};

} // namespace

std::vector<TensorId> tensorsReadBy(const Program& program, NodeId id)
{
    const Graph& graph = program.rootGraph();
    const Node& node = graph.node(id);
    ReadTensors read(program);
    read.addValue(node);
    if (node.isCall())
        for (const NodeId input : graph.inputs(id))
            read.addValue(graph.node(input));
    if (node.op == Op::callModule)
        read.addModule(node.target);
    return read.take();
}

} // namespace sunder
