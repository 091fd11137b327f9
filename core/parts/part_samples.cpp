#include "parts/part_samples.h"

#include "parts/part_programs.h"

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

const char* word(PartSample sample)
{
    switch (sample) {
    case PartSample::source: return "source";
    case PartSample::literal: return "literal";
    case PartSample::filler: break;
    }
    return "filler";
}

} // namespace

PartSamples samplesOfPart(const Program& source, const std::vector<NodeId>& inputs, const SampleInputs& samples,
                          std::vector<ManifestValue>& described)
{
    const std::vector<std::int32_t> entries = signatureInputs(source);
    const std::vector<InputSpec>& specs = source.signature->inputs;
    const auto isUser = [](const InputSpec& spec) { return spec.kind == InputKind::user; };
    PartSamples found{.source = &samples, .inputs = {}};
    for (const NodeId input : inputs) {
        const std::int32_t entry = entries[input.index()];
        const bool isOfWhole = entry >= 0;
        found.inputs.push_back(isOfWhole ? static_cast<std::size_t>(std::count_if(specs.begin(), specs.begin() + entry, isUser))
                                         : std::numeric_limits<std::size_t>::max());
        const std::size_t number = found.inputs.size() - 1;
        const InputSpec spec = isOfWhole ? specs[static_cast<std::size_t>(entry)]
                                         : InputSpec{.kind = InputKind::user, .value = Argument::node(input)};
        described[number].example = word(partSampleOf(found, spec, number));
    }
    return found;
}

} // namespace sunder
