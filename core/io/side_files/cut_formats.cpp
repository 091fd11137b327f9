#include "io/side_files/cut_formats.h"

#include "analysis/sequence/cut_sequence.h"
#include "analysis/sequence/module_stages.h"
#include "support/format.h"
#include "support/json_writer.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 5> kCutFormats = {"module-fqns", "split-points", "megatron", "vllm", "device-map"};

/// The calls of a module and the stages that they are in.
struct ModuleCalls {
    std::uint32_t begin = 0; ///< first call
    std::uint32_t end = 0;
    std::uint32_t inFirstStage = 0; ///< a call in the first of its stages
    std::uint32_t inLastStage = 0;
};

/// Writes one cut.
class CutWriter {
public:
    CutWriter(const Program& program, const TagAssignment& tags)
        : m_program(program), m_graph(program.rootGraph()), m_tags(tags),
          m_cut(std::make_shared<const CutGraph>(cutGraph(program))), m_sequence(modelSequence(program, m_cut)),
          m_partOf(partsOfCalls(*m_cut, tags))
    {
    }

    Result<CutText> write(CutFormat format)
    {
        SUNDER_PROPAGATE(checkTagged());
        findModules();
        switch (format) {
        case CutFormat::moduleFqns: return moduleFqns();
        case CutFormat::splitPoints: return splitPoints();
        case CutFormat::megatron: return megatron();
        case CutFormat::vllm: return vllm();
        case CutFormat::deviceMap: break;
        }
        return deviceMap();
    }

private:
    [[nodiscard]] Result<void> checkTagged() const
    {
        std::vector<char> isUsed(m_tags.order.size(), 0);
        for (std::uint32_t call = 0; call < m_cut->callCount; ++call) {
            if (m_partOf[call] < 0)
                return fail(ErrorCode::refused, "op '" + nameOf(call) + "' has no tag; tag all ops", {.node = nameOf(call)});
            isUsed[static_cast<std::size_t>(m_partOf[call])] = 1;
        }
        for (std::size_t stage = 0; stage < isUsed.size(); ++stage)
            if (isUsed[stage] == 0)
                return fail(ErrorCode::refused, "stage " + m_tags.order[stage].str() + " has no ops; remove the tag");
        return {};
    }

    [[nodiscard]] std::string nameOf(std::uint32_t call) const { return m_graph[m_cut->nodes[call]].name.str(); }
    [[nodiscard]] std::int32_t stageOf(std::uint32_t call) const { return m_partOf[call]; }
    [[nodiscard]] std::string stageName(std::uint32_t call) const
    {
        return m_tags.order[static_cast<std::size_t>(m_partOf[call])].str();
    }
    [[nodiscard]] bool readsWeights(std::uint32_t call) const { return !m_cut->memories[call].empty(); }

    /// Adds each call to its modules, and to the lists that contain them.
    void findModules()
    {
        for (std::uint32_t call = 0; call < m_cut->callCount; ++call) {
            std::set<std::string_view> seen;
            add("", call);
            for (std::int32_t visit = m_sequence.visitOf[call]; visit >= 0;
                 visit = m_sequence.visits[static_cast<std::size_t>(visit)].parent)
                forEachEnclosing(m_sequence.visits[static_cast<std::size_t>(visit)].path.view(), [&](std::string_view path) {
                    if (seen.insert(path).second)
                        add(path, call);
                });
        }
    }

    void add(std::string_view path, std::uint32_t call)
    {
        const auto [at, isNew] = m_modules.try_emplace(std::string(path), ModuleCalls{call, call + 1, call, call});
        ModuleCalls& module = at->second;
        module.end = call + 1;
        if (stageOf(call) < stageOf(module.inFirstStage))
            module.inFirstStage = call;
        if (stageOf(call) > stageOf(module.inLastStage))
            module.inLastStage = call;
    }

    [[nodiscard]] bool isInOneStage(const ModuleCalls& module) const
    {
        return stageOf(module.inFirstStage) == stageOf(module.inLastStage);
    }

    [[nodiscard]] tl::unexpected<Error> insideOf(const std::string& path, const ModuleCalls& module) const
    {
        return fail(ErrorCode::refused,
                    "the cut is inside " + path + ": '" + nameOf(module.inFirstStage) + "' is in "
                        + stageName(module.inFirstStage) + " and '" + nameOf(module.inLastStage) + "' in "
                        + stageName(module.inLastStage) + "; cut between modules, e.g. with balance --at-modules",
                    {.node = nameOf(module.inLastStage)});
    }

    /// Returns the path of the outermost module around a call; empty if it is outside of modules.
    [[nodiscard]] std::string outermostOf(std::uint32_t call) const
    {
        std::string path;
        for (std::int32_t visit = m_sequence.visitOf[call]; visit >= 0;
             visit = m_sequence.visits[static_cast<std::size_t>(visit)].parent)
            path = m_sequence.visits[static_cast<std::size_t>(visit)].path.str();
        return path;
    }

    /// Counts a call that no module contains; refuses one that reads weights.
    [[nodiscard]] Result<void> leaveOut(std::uint32_t call)
    {
        if (readsWeights(call))
            return fail(ErrorCode::refused,
                        "op '" + nameOf(call) + "' reads weights outside of the modules that this format places",
                        {.node = nameOf(call)});
        ++m_leftOut;
        return {};
    }

    [[nodiscard]] CutText finished(std::string text) const
    {
        CutText made{.text = std::move(text)};
        if (m_leftOut > 0)
            made.notes.push_back(formatCount(m_leftOut, "op")
                                 + " outside of modules are left out; the tool runs them where needed");
        return made;
    }

    Result<CutText> moduleFqns()
    {
        std::vector<std::vector<std::string>> parts(m_tags.order.size());
        std::set<std::string> seen;
        for (std::uint32_t call = 0; call < m_cut->callCount; ++call) {
            const std::string path = outermostOf(call);
            if (path.empty()) {
                SUNDER_PROPAGATE(leaveOut(call));
                continue;
            }
            if (!seen.insert(path).second)
                continue;
            if (const ModuleCalls& module = m_modules.at(path); !isInOneStage(module))
                return insideOf(path, module);
            if (std::ranges::count(path, '.') > 1)
                return fail(ErrorCode::refused, path + " is neither a module of the model nor in one of its lists");
            parts[static_cast<std::size_t>(stageOf(call))].push_back(path);
        }
        JsonWriter json(2);
        json.list(parts, [&](const std::vector<std::string>& part) { json.value(part); });
        return finished(json.take());
    }

    Result<CutText> splitPoints()
    {
        const CutSequence cut = cutSequence(m_sequence, m_partOf, m_tags.order.size());
        if (!cut.isStraight())
            return fail(ErrorCode::refused,
                        formatCount(cut.strays, "op") + " are not in the order of execution; 'tags straighten' moves them");
        std::string text = "from torch.distributed.pipelining import SplitPoint\n\nsplit_spec = {\n";
        for (const CutBoundary& border : cut.borders) {
            const std::optional<std::string> point = pointAt(border.place);
            if (!point)
                return fail(ErrorCode::refused,
                            "the boundary between " + m_tags.order[static_cast<std::size_t>(border.before)].str() + " and "
                                + m_tags.order[static_cast<std::size_t>(border.after)].str()
                                + " is not where a module that runs once begins or ends: "
                                + describePlace(m_sequence, m_graph, border.place));
            text += "    " + *point + ",\n";
        }
        return finished(text + "}\n");
    }

    /// Returns an entry of the dictionary for a place: the outermost module that begins there, or else ends there.
    [[nodiscard]] std::optional<std::string> pointAt(std::uint32_t place) const
    {
        std::optional<std::string> found;
        for (const bool isBegin : {true, false})
            for (const ModuleVisit& visit : m_sequence.visits) { // outer visits first
                if (found || (isBegin ? visit.begin : visit.end) != place)
                    continue;
                const auto runs = std::ranges::count(m_sequence.visits, visit.path, &ModuleVisit::path);
                if (runs == 1)
                    found = '"' + visit.path.str() + "\": SplitPoint." + (isBegin ? "BEGINNING" : "END");
            }
        return found;
    }

    /// Returns the number of layers in each stage. The other modules must be before the layers in the first stage, or after them in the
    /// last one.
    Result<std::vector<std::uint32_t>> layersOfStages()
    {
        const std::string pattern = patternOfModuleList(m_program);
        if (pattern.empty())
            return fail(ErrorCode::refused, "the model has no list of layers");
        const std::string list = pattern.substr(0, pattern.size() - 2);
        std::map<std::uint32_t, const ModuleCalls*> layers; // by number
        std::vector<char> isInLayer(m_cut->callCount, 0);
        for (const auto& [path, module] : m_modules) {
            constexpr std::size_t kMostDigits = 6;
            const std::string number = path.starts_with(list + ".") ? path.substr(list.size() + 1) : "";
            if (!isAsciiNumber(number) || number.size() > kMostDigits)
                continue;
            if (!isInOneStage(module))
                return insideOf(path, module);
            layers[static_cast<std::uint32_t>(std::stoul(number))] = &module;
            for (std::uint32_t call = module.begin; call < module.end; ++call)
                isInLayer[call] = isInLayer[call] != 0 || isWithinLayer(call, path) ? 1 : 0;
        }
        std::vector<std::uint32_t> counts(m_tags.order.size(), 0);
        std::int32_t before = 0;
        for (const auto& [number, module] : layers) {
            const std::int32_t stage = stageOf(module->begin);
            if (stage < before)
                return fail(ErrorCode::refused,
                            list + "." + std::to_string(number) + " is in an earlier stage than the layer before it");
            before = stage;
            ++counts[static_cast<std::size_t>(stage)];
        }
        const std::uint32_t first = layers.begin()->second->begin;
        const std::uint32_t last = layers.rbegin()->second->end;
        for (std::uint32_t call = 0; call < m_cut->callCount; ++call) {
            if (isInLayer[call] != 0)
                continue;
            const std::int32_t visit = m_sequence.visitOf[call];
            const bool isAroundLayers = visit < 0
                || isWithin(list, m_sequence.visits[static_cast<std::size_t>(visit)].path.view());
            if (!readsWeights(call) && isAroundLayers) {
                ++m_leftOut;
                continue;
            }
            const auto wanted = call < first ? std::optional(0)
                : call >= last               ? std::optional(static_cast<std::int32_t>(m_tags.order.size()) - 1)
                                             : std::nullopt;
            if (wanted != stageOf(call))
                return fail(ErrorCode::refused,
                            "'" + nameOf(call) + "' is in " + stageName(call)
                                + "; modules before the layers belong in the first stage, and those after them in the last one",
                            {.node = nameOf(call)});
        }
        return counts;
    }

    [[nodiscard]] bool isWithinLayer(std::uint32_t call, const std::string& layer) const
    {
        for (std::int32_t visit = m_sequence.visitOf[call]; visit >= 0;
             visit = m_sequence.visits[static_cast<std::size_t>(visit)].parent)
            if (isWithin(m_sequence.visits[static_cast<std::size_t>(visit)].path.view(), layer))
                return true;
        return false;
    }

    Result<CutText> megatron()
    {
        SUNDER_TRY(const std::vector<std::uint32_t> counts, layersOfStages());
        std::string text = "E";
        for (std::size_t stage = 0; stage < counts.size(); ++stage) {
            text += stage > 0 ? "|" : "";
            if (counts[stage] > 0)
                text += counts[stage] == 1 ? "t" : "t*" + std::to_string(counts[stage]);
        }
        return finished(text + (counts.back() > 0 ? ",L\n" : "L\n"));
    }

    Result<CutText> vllm()
    {
        SUNDER_TRY(const std::vector<std::uint32_t> counts, layersOfStages());
        std::string text = "VLLM_PP_LAYER_PARTITION=";
        for (std::size_t stage = 0; stage < counts.size(); ++stage)
            text += (stage > 0 ? "," : "") + std::to_string(counts[stage]);
        return finished(text + '\n');
    }

    Result<CutText> deviceMap()
    {
        std::vector<std::pair<std::string, std::int32_t>> entries;
        SUNDER_PROPAGATE(addEntries("", entries));
        // Weights that no entry covers: those of modules that do not run, and those that a divided module reads itself.
        std::map<std::string, std::int32_t> weights;
        for (std::uint32_t memory = 0; memory < m_cut->memoryBytes.size(); ++memory)
            if (const TensorId id = m_cut->tensorOfMemory[memory]; id)
                weights[m_program.tensors[id].fqn.str()] = m_cut->memoryReaders[memory].empty()
                    ? 0
                    : stageOf(m_cut->memoryReaders[memory].front());
        const std::size_t modules = entries.size();
        for (const auto& [fqn, stage] : weights)
            if (std::none_of(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(modules),
                             [&](const auto& entry) { return entry.first.empty() || isWithin(fqn, entry.first); }))
                entries.emplace_back(fqn, stage);
        JsonWriter json;
        json.object([&] {
            for (const auto& [path, stage] : entries)
                json.member(path, stage);
        });
        return finished(json.take());
    }

    /// Adds a module that is in one stage, or else its children.
    [[nodiscard]] Result<void> addEntries(const std::string& path, std::vector<std::pair<std::string, std::int32_t>>& entries)
    {
        const ModuleCalls& module = m_modules.at(path);
        if (isInOneStage(module)) {
            entries.emplace_back(path, stageOf(module.begin));
            return {};
        }
        std::vector<std::pair<std::uint32_t, std::string>> children; // by first call
        const std::string prefix = path.empty() ? "" : path + ".";
        for (const auto& [other, calls] : m_modules)
            if (!other.empty() && other.size() > prefix.size() && other.starts_with(prefix)
                && other.find('.', prefix.size()) == std::string::npos)
                children.emplace_back(calls.begin, other);
        if (children.empty())
            return insideOf(path.empty() ? "the model" : path, module);
        std::ranges::sort(children);
        for (const auto& [begin, child] : children)
            SUNDER_PROPAGATE(addEntries(child, entries));
        return {};
    }

    const Program& m_program;
    const Graph& m_graph;
    const TagAssignment& m_tags;
    std::shared_ptr<const CutGraph> m_cut;
    ModelSequence m_sequence;
    std::vector<std::int32_t> m_partOf; ///< per call
    std::map<std::string, ModuleCalls> m_modules; ///< by path; the whole model is ""
    std::size_t m_leftOut = 0;
};

} // namespace

std::optional<CutFormat> parseCutFormat(std::string_view name)
{
    const auto at = std::ranges::find(kCutFormats, name);
    return at == kCutFormats.end() ? std::nullopt : std::optional(static_cast<CutFormat>(at - kCutFormats.begin()));
}

Result<CutText> cutText(const Program& program, const TagAssignment& tags, CutFormat format)
{
    return CutWriter(program, tags).write(format);
}

} // namespace sunder
