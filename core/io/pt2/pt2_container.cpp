#include "io/pt2/pt2_container.h"

#include "io/pt2/pt2_reader_layout.h"

namespace sunder {

Pt2Members pt2MembersOf(Pt2Container container, const std::string& root, const std::string& model)
{
    if (container == Pt2Container::flat)
        return {.root = {},
                .program = std::string(kFlatProgram),
                .weights = "serialized_state_dict.pt",
                .constants = "serialized_constants.pt",
                .samples = "serialized_example_inputs.pt",
                .extras = "extra_files/"};
    const bool isSaved = container == Pt2Container::saved;
    return {.root = root,
            .program = root + "models/" + model + ".json",
            .weights = isSaved ? root + "data/weights/" + model + ".pt" : std::string(),
            .constants = isSaved ? root + "data/constants/" + model + ".pt" : std::string(),
            .samples = root + "data/sample_inputs/" + model + ".pt",
            .extras = root + "extra/"};
}

Pt2Container pt2ContainerOf(const ZipArchive& archive, const std::string& model)
{
    const std::string root = archive.commonRoot();
    if (archive.find(root + std::string(kFlatProgram)) != nullptr)
        return Pt2Container::flat;
    const Pt2Members saved = pt2MembersOf(Pt2Container::saved, root, model);
    return archive.find(saved.weights) != nullptr || archive.find(saved.constants) != nullptr ? Pt2Container::saved
                                                                                              : Pt2Container::raw;
}

std::string pt2ModelName(const Program& program)
{
    return program.origin.model.empty() ? "model" : program.origin.model;
}

} // namespace sunder
