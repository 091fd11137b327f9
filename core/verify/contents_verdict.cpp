#include "verify/contents_verdict.h"

#include "verify/verdict_text.h"

#include <algorithm>
#include <iterator>

namespace sunder {
namespace {

std::string nameOf(const Program& program, TensorId id)
{
    return program.tensors[id].fqn.str();
}

/// Returns the node of the root graph that reads a tensor; invalid if only other graphs read it.
NodeRef readerOf(const Program& program, TensorId tensor)
{
    const InternedString fqn = program.tensors[tensor].fqn;
    std::size_t at = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        const std::size_t input = node.op == Op::placeholder ? at++ : 0;
        const bool isInput = node.op == Op::placeholder && program.signature && input < program.signature->inputs.size()
            && program.signature->inputs[input].target == fqn;
        if (isInput || (node.op == Op::getAttr && node.target == fqn))
            return {program.root, id};
    }
    return {};
}

std::string position(const std::vector<std::uint64_t>& indices)
{
    std::string text;
    for (const std::uint64_t index : indices)
        text += (text.empty() ? "" : ", ") + std::to_string(index);
    return text;
}

void putDifference(const Program& a, const Program& b, const ContentsDifference& found, bool isReached, VerifyReport& report)
{
    const std::string first = nameOf(a, found.pair.a);
    const std::string second = nameOf(b, found.pair.b);
    const std::string what = std::string(name(a.tensors[found.pair.a].role)) + ' ' + first
        + (first == second ? "" : " (" + second + " in the second program)");
    const std::string how = what
        + " has different values: " + (found.position.empty() ? "" : "element [" + position(found.position) + "] is ")
        + found.valueA + " in the first program, " + found.valueB + " in the second";
    report.nodeA = readerOf(a, found.pair.a);
    report.nodeB = readerOf(b, found.pair.b);
    report.nameA = report.nodeA.node.isValid() ? a.node(report.nodeA).name.str() : first;
    report.nameB = report.nodeB.node.isValid() ? b.node(report.nodeB).name.str() : second;
    report.basis = VerdictBasis::none;
    report.verdict = isReached ? Verdict::different : Verdict::undecided;
    report.why = isReached ? how
                           : "the results are equal, but " + how + ", and a call with an unused result reads it and may fail";
}

std::string doubtText(const TakenNames& doubt)
{
    return "the contents of " + doubt.names.front() + (doubt.names.size() > 1 ? " and others" : "") + " may differ: " + doubt.why;
}

void take(ContentsReport& report, std::vector<std::string> names, const std::string& why)
{
    if (names.empty())
        return;
    const auto known = std::ranges::find(report.taken, why, &TakenNames::why);
    if (known == report.taken.end())
        report.taken.push_back({.why = why, .names = std::move(names)});
    else
        std::ranges::move(names, std::back_inserter(known->names));
}

} // namespace

Result<void> settleContents(const Program& a, const Program& b, const TensorDependencies& dependencies,
                            const VerifyOptions& options, VerifyReport& report, ProgressMonitor& monitor)
{
    if (!isProof(report.verdict))
        return {};
    if (options.sharedStorages) {
        report.basis = VerdictBasis::ownMemory;
        return {};
    }
    std::vector<TensorPair> pairs = dependencies.reached;
    std::ranges::copy(dependencies.called, std::back_inserter(pairs));
    report.basis = VerdictBasis::contents;
    const auto isOther = [&](const TensorPair& pair) {
        return a.tensors[a.tensors.object(pair.a)].extra != b.tensors[b.tensors.object(pair.b)].extra;
    };
    if (const auto other = std::ranges::find_if(pairs, isOther); other != pairs.end()) {
        report.basis = VerdictBasis::none;
        report.verdict = Verdict::undecided;
        report.why = "the graphs are equivalent, but the files state different properties of " + nameOf(a, other->a);
        return {};
    }
    if (options.contents != nullptr) {
        SUNDER_TRY(ContentsReport compared, options.contents->compare(a, b, pairs, dependencies.bytes, monitor));
        report.contents = std::move(compared);
    } else {
        std::vector<std::string> names;
        for (const TensorPair& pair : pairs)
            names.push_back(nameOf(a, pair.a));
        take(report.contents, std::move(names), options.whyNames);
    }
    if (report.contents.difference) {
        const TensorPair pair = report.contents.difference->pair;
        const bool isReached = std::ranges::any_of(
            dependencies.reached, [&](const TensorPair& known) { return known.a == pair.a && known.b == pair.b; });
        putDifference(a, b, *report.contents.difference, isReached, report);
        return {};
    }
    std::string doubt = dependencies.doubt;
    for (std::size_t i = 0; i < report.contents.doubts.size() && doubt.empty(); ++i)
        doubt = doubtText(report.contents.doubts[i]);
    if (!doubt.empty()) {
        report.basis = VerdictBasis::none;
        report.verdict = Verdict::undecided;
        report.why = "the graphs are equivalent, but " + doubt;
        return {};
    }
    take(report.contents, dependencies.objects, "the files do not record the fields of these modules");
    if (!report.contents.taken.empty()) {
        report.basis = VerdictBasis::names;
        report.notes.push_back(basisText(report));
    }
    return {};
}

} // namespace sunder
