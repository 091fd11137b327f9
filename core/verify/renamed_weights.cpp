#include "verify/renamed_weights.h"

#include "ir/value_kind.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {
namespace {

constexpr std::size_t kMaxWeights = 64;       ///< maximum number of weights considered in each program
constexpr std::size_t kMaxComparisons = 1024; ///< maximum number of comparisons of weights

using NewNames = std::unordered_map<InternedString, InternedString>;

std::string_view parentPath(std::string_view fqn)
{
    const std::size_t dot = fqn.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : fqn.substr(0, dot);
}

/// Whether only attribute reads and the signature refer to a tensor, and no leaf module.
bool isReadByName(const Program& program, InternedString fqn)
{
    const ModuleId module = program.modules.find(intern(parentPath(fqn.view())));
    return !module.isValid() || program.modules[module].graph.isValid() || program.signature.has_value();
}

/// Returns the names of tensors that graphs and the signature read.
std::unordered_set<InternedString> namesRead(const Program& program)
{
    std::unordered_set<InternedString> names;
    for (std::size_t g = 0; g < program.graphs.size(); ++g) {
        const ModuleId owner = program.owners[g];
        const std::string_view path = owner.isValid() ? program.modules[owner].path.view() : std::string_view();
        for (const NodeId id : program.graphs[g].nodes())
            if (const Node& node = program.graphs[g].node(id); node.op == Op::getAttr)
                names.insert(intern(joinPath(path, node.target.view())));
    }
    if (program.signature)
        for (const InputSpec& spec : program.signature->inputs)
            names.insert(spec.target);
    return names;
}

/// Returns the tensors with a single name that the other program neither has nor reads.
std::vector<TensorId> onlyIn(const Program& program, const Program& other)
{
    const std::unordered_set<InternedString> readElsewhere = namesRead(other);
    const TensorTable& tensors = program.tensors;
    std::vector<bool> hasOtherName(tensors.size(), false);
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (const TensorId object = tensors.object(TensorId(i)); object != TensorId(i))
            hasOtherName[object.index()] = true;
    std::vector<TensorId> found;
    for (std::size_t i = 0; i < tensors.size() && found.size() < kMaxWeights; ++i) {
        const TensorEntry& entry = tensors[TensorId(i)];
        if (!entry.same.isValid() && !hasOtherName[i] && !other.tensors.find(entry.fqn).isValid()
            && !readElsewhere.contains(entry.fqn) && isReadByName(program, entry.fqn))
            found.push_back(TensorId(i));
    }
    return found;
}

/// Whether two weights have the same description.
bool areAlike(const TensorEntry& a, const TensorEntry& b)
{
    return a.role == b.role && a.persistent == b.persistent && a.extra == b.extra && a.meta.dtype == b.meta.dtype
        && a.meta.shape == b.meta.shape && a.meta.stride == b.meta.stride && a.meta.requiresGrad == b.meta.requiresGrad
        && a.meta.device == b.meta.device && a.meta.layout == b.meta.layout;
}

/// Whether the bytes of two weights are known and equal.
Result<bool> holdSame(const Program& a, const Program& b, const TensorPair& pair, const TensorContents& contents,
                      ProgressMonitor& monitor)
{
    SUNDER_TRY(const ContentsReport report, contents.compare(a, b, std::array{pair}, ComparedBytes::elements, monitor));
    return report.tensors == 1 && !report.difference && report.taken.empty() && report.doubts.empty();
}

/// Returns the names in `a` of the weights of `b`.
Result<NewNames> newNames(const Program& a, const Program& b, const TensorContents& contents, ProgressMonitor& monitor)
{
    NewNames names;
    std::vector<TensorId> free = onlyIn(a, b);
    std::size_t comparisons = 0;
    for (const TensorId weight : onlyIn(b, a)) {
        for (auto other = free.begin(); other != free.end() && comparisons < kMaxComparisons; ++other) {
            const TensorEntry& mine = a.tensors[*other];
            const TensorEntry& theirs = b.tensors[weight];
            const bool canRename = b.signature || parentPath(mine.fqn.view()) == parentPath(theirs.fqn.view());
            if (!canRename || !areAlike(mine, theirs))
                continue;
            ++comparisons;
            SUNDER_TRY(const bool same, holdSame(a, b, {*other, weight}, contents, monitor));
            if (!same)
                continue;
            names.emplace(b.tensors[weight].fqn, a.tensors[*other].fqn);
            free.erase(other);
            break;
        }
    }
    return names;
}

TensorTable renamed(const TensorTable& tensors, const NewNames& names)
{
    TensorTable made;
    made.reserve(tensors.size(), tensors.storageCount());
    for (const Storage& storage : tensors.storages())
        made.addStorage(storage);
    for (TensorEntry entry : tensors.entries()) {
        if (const auto found = names.find(entry.fqn); found != names.end())
            entry.fqn = found->second;
        made.add(std::move(entry));
    }
    return made;
}

/// Renames attribute reads, whose targets are relative to the module of their graph.
void renameTargets(Program& program, const NewNames& names)
{
    for (std::size_t g = 0; g < program.graphs.size(); ++g) {
        const ModuleId owner = program.owners[g];
        const std::string_view path = owner.isValid() ? program.modules[owner].path.view() : std::string_view();
        Graph& graph = program.graphs[g];
        for (const NodeId id : graph.order()) {
            const Node& node = graph.node(id);
            if (node.op != Op::getAttr)
                continue;
            const auto found = names.find(intern(joinPath(path, node.target.view())));
            if (found == names.end())
                continue;
            const std::string_view name = found->second.view();
            const bool isInside = path.empty() || name.starts_with(std::string(path) + ".");
            if (isInside)
                graph.setTarget(id, intern(path.empty() ? name : name.substr(path.size() + 1)), node.fn);
        }
    }
}

void renameSpecs(Program& program, const NewNames& names)
{
    const auto rename = [&](InternedString& target) {
        if (const auto found = names.find(target); found != names.end())
            target = found->second;
    };
    if (!program.signature)
        return;
    for (InputSpec& spec : program.signature->inputs)
        if (spec.kind != InputKind::user)
            rename(spec.target);
    for (OutputSpec& spec : program.signature->outputs)
        rename(spec.target);
}

} // namespace

Result<std::optional<Program>> withNamesOf(const Program& a, const Program& b, const TensorContents& contents,
                                           ProgressMonitor& monitor)
{
    SUNDER_TRY(const NewNames names, newNames(a, b, contents, monitor));
    if (names.empty())
        return std::nullopt;
    Program made = b;
    made.tensors = renamed(b.tensors, names);
    renameTargets(made, names);
    renameSpecs(made, names);
    return made;
}

} // namespace sunder
