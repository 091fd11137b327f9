#include "analysis/module_summary.h"

#include "analysis/outline_tree.h"
#include "analysis/sizes.h"

#include <ranges>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

/// Returns the number of elements in a tensor, using hints for symbolic sizes; 0 if a size is unknown.
std::uint64_t elementsOf(const TensorMeta& meta)
{
    std::uint64_t count = 1;
    for (const Argument& size : meta.shape)
        if (__builtin_mul_overflow(count, sizeHint(size).value_or(0), &count))
            return 0;
    return count;
}

class ModuleSumming {
public:
    explicit ModuleSumming(const Program& program) : m_program(program) {}

    std::vector<ModuleSummary> run()
    {
        listModules();
        addTensors();
        return std::move(m_summaries);
    }

private:
    void listModules()
    {
        const OutlineTree tree = outlineTree(m_program, {});
        std::vector<std::pair<std::int32_t, std::uint32_t>> todo = {{0, 0}}; // entry, depth
        while (!todo.empty()) {
            const auto [at, depth] = todo.back();
            todo.pop_back();
            const OutlineTree::Entry& entry = tree.entries[static_cast<std::size_t>(at)];
            if (entry.kind != OutlineTree::Kind::module)
                continue;
            m_places.emplace(entry.path.view(), m_summaries.size());
            m_summaries.push_back({.path = entry.path, .cls = entry.cls, .depth = depth, .ops = entry.calls});
            for (const std::int32_t child : std::views::reverse(entry.children))
                todo.emplace_back(child, depth + 1);
        }
    }

    /// A tensor counts for each module that encloses it.
    void addTensors()
    {
        const TensorTable& tensors = m_program.tensors;
        const MemoryTable memory = memoryTable(tensors);
        std::unordered_map<std::uint64_t, char> seen; // (module, object or memory) pairs that are counted already
        const auto isNew = [&](std::size_t module, std::size_t what) {
            return seen.emplace((static_cast<std::uint64_t>(module) << 32U) | what, char{0}).second;
        };
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const TensorId object = tensors.object(TensorId(i));
            const std::size_t memoryKey = tensors.size() + memory.memoryOf[i];
            const TensorEntry& entry = tensors[object];
            forEachModuleAround(tensors[TensorId(i)].fqn.view(), [&](std::size_t module) {
                ModuleSummary& summary = m_summaries[module];
                if (isNew(module, object.index())) {
                    ++summary.tensors;
                    summary.parameters += entry.role == TensorRole::parameter ? elementsOf(entry.meta) : 0;
                }
                if (isNew(module, memoryKey))
                    summary.bytes += memory.bytes[memory.memoryOf[i]];
            });
        }
    }

    template <typename Visit>
    void forEachModuleAround(std::string_view path, const Visit& visit) const
    {
        while (!path.empty()) {
            const std::size_t dot = path.rfind('.');
            path = path.substr(0, dot == std::string_view::npos ? 0 : dot);
            if (const auto place = m_places.find(path); place != m_places.end())
                visit(place->second);
        }
    }

    const Program& m_program;
    std::vector<ModuleSummary> m_summaries;
    std::unordered_map<std::string_view, std::size_t> m_places; ///< by path; the keys point into interned strings
};

} // namespace

std::vector<ModuleSummary> moduleSummaries(const Program& program)
{
    return ModuleSumming(program).run();
}

} // namespace sunder
