#include "verify/verdict_text.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kNamesShown = 4;

std::string list(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamesShown)
        text += " and " + formatCount(names.size() - kNamesShown) + " more";
    return text;
}

} // namespace

std::string_view name(Verdict verdict)
{
    switch (verdict) {
    case Verdict::same: return "same";
    case Verdict::different: return "different";
    case Verdict::sameUpToRounding: return "same_up_to_rounding";
    case Verdict::undecided: break;
    }
    return "undecided";
}

std::string roundingText(const RoundedCalls& calls)
{
    const std::size_t shown = std::min(calls.names.size(), kNamesShown);
    std::string text = "the results of ";
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : ", ") + calls.names[i];
    if (calls.count > shown)
        text += " and " + formatCount(calls.count - shown) + " more";
    return text + " may differ by rounding";
}

std::string_view name(VerdictBasis basis)
{
    switch (basis) {
    case VerdictBasis::ownMemory: return "own memory";
    case VerdictBasis::contents: return "contents";
    case VerdictBasis::names: return "names";
    case VerdictBasis::none: break;
    }
    return "none";
}

std::string basisText(const VerifyReport& report)
{
    const ContentsReport& contents = report.contents;
    const std::string compared = "the contents of " + formatCount(contents.tensors, "tensor") + " (" + formatBytes(contents.bytes)
        + ") are equal bit for bit";
    switch (report.basis) {
    case VerdictBasis::none: return {};
    case VerdictBasis::ownMemory: return "The same model: it uses the parameters, buffers, and constants of the source.";
    case VerdictBasis::contents:
        return contents.tensors == 0 ? "The same model: it reads no parameters, buffers, or constants."
                                     : "The same model: " + compared + '.';
    case VerdictBasis::names: break;
    }
    std::string text = "The same graph";
    std::string separator = ": ";
    if (contents.tensors != 0) {
        text += separator + compared;
        separator = "; ";
    }
    for (const TakenNames& taken : contents.taken) {
        text += separator + "assumed equal by name: " + list(taken.names) + ", because " + taken.why;
        separator = "; ";
    }
    return text + '.';
}

} // namespace sunder
