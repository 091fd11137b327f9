#include "parts/part_checks.h"

#include "parts/part_manifest.h"
#include "parts/part_programs.h"
#include "parts/separate_cut.h"
#include "passes/to_exported/exported_form.h"
#include "verify/verify.h"

#include <utility>

namespace sunder {
namespace {

RegionsFile::Region namesOf(const Graph& graph, std::span<const NodeId> nodes)
{
    RegionsFile::Region names;
    names.reserve(nodes.size());
    for (const NodeId id : nodes)
        names.push_back(graph.node(id).name);
    return names;
}

} // namespace

RegionsFile regionsByName(const Graph& graph, const RegionResult& result)
{
    RegionsFile file;
    for (const RegionGroup& group : result.groups) {
        file.groups.emplace_back();
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            file.groups.back().push_back(namesOf(graph, group.region(i)));
    }
    for (const RejectedRegion& region : result.rejected)
        file.rejected.push_back({namesOf(graph, region.nodes), region.why});
    return file;
}

MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result)
{
    MovesFile file;
    for (const MovedNonTensor& move : result.moved)
        file.moved.push_back({graph[move.node].name, result.nameOf(move.from), result.nameOf(move.to)});
    for (const StayingNode& stay : result.staying)
        file.staying.push_back({graph[stay.node].name, result.nameOf(stay.subgraph), std::string(name(stay.reason)), stay.why});
    return file;
}

Result<void> checkProof(const Program& source, const SplitResult& split, const ExportPartsOptions& options,
                        ProgressMonitor& monitor)
{
    Proof proof = options.proof;
    std::string why = options.why;
    if (options.unproven || proof == Proof::proven)
        return {};
    if (proof == Proof::notTried) {
        SUNDER_TRY(const VerifyReport report, verifyResult(source, split.program, monitor));
        if (report.verdict == Verdict::same)
            return {};
        proof = report.verdict == Verdict::different ? Proof::different : Proof::undecided;
        why = report.why;
    }
    return fail(ErrorCode::refused,
                std::string(proof == Proof::different ? "the parts are not equivalent to the model: "
                                                      : "the parts are not proven to be equivalent to the model: ")
                    + why);
}

Result<std::optional<PartsProof>> unprovenParts(const Program& source, const SplitResult& split, ProgressMonitor& monitor)
{
    Result<SeparateCut> cut = separateCut(source, split, {}, monitor);
    if (!cut && cut.error().code != ErrorCode::refused)
        SUNDER_PROPAGATE(std::move(cut));
    if (!cut || !cut->changed)
        return std::nullopt;
    SUNDER_TRY(VerifyReport report, verifyResult(source, cut->changed->split.program, monitor));
    if (report.verdict == Verdict::same)
        return std::nullopt;
    return PartsProof{std::move(report), std::move(cut->changed->split.map)};
}

Error partFormError(const std::string& part, const Error& why)
{
    return {.code = why.code, .message = "part " + part + " cannot be written as .pt2: " + why.message, .where = why.where};
}

Result<std::vector<Error>> partFormRefusals(const Program& source, const SplitResult& split, std::size_t limit,
                                            ProgressMonitor& monitor)
{
    std::vector<Error> found;
    if (source.signature)
        return found;
    Result<SeparateCut> separate = separateCut(source, split, {}, monitor);
    if (!separate && separate.error().code != ErrorCode::refused)
        SUNDER_PROPAGATE(std::move(separate));
    if (!separate)
        return found;
    const Program& from = separate->changed ? separate->changed->source : source;
    const SplitResult& cut = separate->changed ? separate->changed->split : split;
    for (const std::size_t part : distinctParts(cut)) {
        SUNDER_PROPAGATE(monitor.check());
        if (found.size() >= limit)
            break;
        SUNDER_TRY(const std::vector<Error> refusals,
                   exportedFormRefusals(partModule(from, cut, part), limit - found.size(), monitor));
        for (const Error& error : refusals)
            found.push_back(partFormError(cut.partNames[part].str(), error));
    }
    return found;
}

} // namespace sunder
