#include "parts/training_roles.h"

#include "analysis/training/backward_tags.h"

#include <unordered_map>

namespace sunder {
namespace {

struct TrainingRole {
    std::string_view kind;
    std::string of;
};

} // namespace

void noteTrainingRoles(const ExportSignature& signature, const SplitResult& split, PartManifest& manifest)
{
    std::unordered_map<std::string, TrainingRole> roles;
    std::size_t output = 0;
    for (const OutputSpec& spec : signature.outputs) {
        const bool isRole = spec.kind == OutputKind::loss || spec.kind == OutputKind::gradient;
        if ((!isRole && spec.kind != OutputKind::user) || output == manifest.outputs.size())
            continue;
        ManifestOutput& given = manifest.outputs[output++];
        if (!isRole || given.literal)
            continue;
        given.value.kind = spec.kind == OutputKind::loss ? "loss" : "gradient";
        given.value.of = spec.target.str();
        roles.emplace(given.value.name, TrainingRole{given.value.kind == "loss" ? "loss" : "gradient", given.value.of});
    }
    if (roles.empty())
        return;
    // The original output spec of such a program counts only the loss.
    manifest.outSpec = StoredTreeSpec(TreeSpec::tupleOf(manifest.outputs.size()));
    const std::vector<std::int32_t> forward = forwardTags(split.partNames);
    std::unordered_map<std::string_view, std::string> forwardOf;
    for (std::size_t part = 0; part < forward.size(); ++part)
        if (forward[part] >= 0)
            forwardOf[split.partNames[part].view()] = split.partNames[static_cast<std::size_t>(forward[part])].str();
    for (ManifestPart& part : manifest.parts) {
        if (const auto found = forwardOf.find(part.name); found != forwardOf.end())
            part.backwardOf = found->second;
        for (ManifestValue& value : part.outputs)
            if (const auto role = roles.find(value.name); role != roles.end()) {
                value.kind = role->second.kind;
                value.of = role->second.of;
            }
    }
}

} // namespace sunder
