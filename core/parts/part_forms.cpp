#include "parts/part_forms.h"

#include "parts/part_manifest.h"
#include "parts/part_programs.h"
#include "parts/separate_cut.h"
#include "passes/to_exported/exported_form.h"

namespace sunder {

Error partFormError(const std::string& part, const Error& why)
{
    return {.code = why.code, .message = "part " + part + " cannot be written as .pt2: " + why.message, .where = why.where};
}

std::vector<Error> partFormRefusals(const Program& source, const SplitResult& split, std::size_t limit, ProgressMonitor& monitor)
{
    std::vector<Error> found;
    const Result<SeparateCut> separate = separateCut(source, split, {}, monitor);
    if (!separate || source.signature)
        return found;
    const Program& from = separate->changed ? separate->changed->source : source;
    const SplitResult& cut = separate->changed ? separate->changed->split : split;
    for (const std::size_t part : distinctParts(cut)) {
        if (monitor.isCancelled() || found.size() >= limit)
            break;
        for (const Error& error : exportedFormRefusals(partModule(from, cut, part), limit - found.size(), monitor))
            found.push_back(partFormError(cut.partNames[part].str(), error));
    }
    return found;
}

} // namespace sunder
