#include "panes/compare/comparison_looks.h"

#include "document/text.h"
#include "models/tag_style_of.h"

namespace sunder {
namespace {

std::vector<TagLook> plainLooks(const Document& document, const TagAssignment& homes)
{
    std::vector<TagLook> looks;
    for (const InternedString name : homes.order) // the root has an empty path
        looks.push_back({name.empty() ? document.displayName() : text(name), {}, tagStyle(currentTheme(), looks.size())});
    return looks;
}

} // namespace

ComparisonLooks comparisonLooks(const Document& document, const RunComparison& comparison, const RunResult& before,
                                const RunResult& after)
{
    if (const auto first = as<SplitOutcomePtr>(before), second = as<SplitOutcomePtr>(after); first && second)
        return {cutLooksOf(document, *first, currentTheme()), cutLooksOf(document, *second, currentTheme())};
    ComparisonLooks looks{plainLooks(document, comparison.before()), plainLooks(document, comparison.after())};
    if (comparison.kind() == ComparisonKind::regions) {
        std::size_t next = looks.before.size();
        for (const PartPair& pair : comparison.calls().parts)
            if (pair.after >= 0)
                looks.after[static_cast<std::size_t>(pair.after)].style = pair.before >= 0
                    ? looks.before[static_cast<std::size_t>(pair.before)].style
                    : tagStyle(currentTheme(), next++);
        for (std::vector<TagLook>* side : {&looks.before, &looks.after})
            for (TagLook& look : *side)
                look.code = look.name.size() <= 3 ? look.name : QString();
    }
    return looks;
}

} // namespace sunder
