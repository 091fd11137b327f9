#include "verify/input_signatures.h"

namespace sunder {
namespace {

std::vector<NodeId> userInputs(const Program& program, Side side, const Correspondence& correspondence)
{
    std::vector<NodeId> found;
    std::size_t position = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (program.rootGraph().node(id).op != Op::placeholder)
            continue;
        if (correspondence.inputs(side)[position++].kind == InputSlot::Kind::user)
            found.push_back(id);
    }
    return found;
}

std::string_view stars(const Node& input)
{
    const std::string_view target = input.target.view();
    return target.substr(0, target.starts_with("**") ? 2 : target.starts_with('*') ? 1 : 0);
}

/// "*rest, which collects arguments" or "rest, a plain input".
std::string shown(const Node& input)
{
    const std::size_t count = stars(input).size();
    if (count == 0)
        return input.name.str() + ", a plain input,";
    return input.target.str() + ", which collects " + (count == 2 ? "keywords," : "arguments,");
}

/// What became of two inputs that collect differently, and what to do about it.
std::string lostStars(const Node& one, const Node& other, std::size_t position)
{
    std::string why = "input " + std::to_string(position) + " is " + shown(one) + " in the first program, " + shown(other)
        + " in the second";
    if (stars(other).empty())
        why += ": it takes them as one argument. Where a split lost the " + std::string(stars(one))
            + ", as PyTorch's do, split with the signature kept (--keep-signature)";
    return why;
}

} // namespace

std::optional<VerifyReport> differentInputs(const Program& a, const Program& b, const Correspondence& correspondence,
                                            std::vector<std::string>& notes)
{
    VerifyReport report{.verdict = Verdict::different, .output = "inputs"};
    const std::vector<NodeId> first = userInputs(a, Side::a, correspondence);
    const std::vector<NodeId> second = userInputs(b, Side::b, correspondence);
    if (first.size() != second.size()) {
        report.why = "the first program has " + std::to_string(first.size()) + " inputs, the second "
            + std::to_string(second.size());
        return report;
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Node& one = a.rootGraph().node(first[i]);
        const Node& other = b.rootGraph().node(second[i]);
        const bool collects = stars(one) != stars(other);
        if (one.args.empty() != other.args.empty())
            notes.push_back("input " + std::to_string(i) + ", " + one.name.str() + ", has a default value in the "
                            + (one.args.empty() ? "second" : "first") + " program only");
        if (!collects && (one.args.empty() || other.args.empty() || one.args.front() == other.args.front()))
            continue;
        report.nodeA = {a.root, first[i]};
        report.nodeB = {b.root, second[i]};
        report.nameA = one.name.str();
        report.nameB = other.name.str();
        report.why = collects ? lostStars(one, other, i)
                              : "input " + std::to_string(i) + ", " + one.name.str() + " in the first program, "
                + other.name.str() + " in the second, has another default value";
        return report;
    }
    return std::nullopt;
}

} // namespace sunder
