#include "io/pt2/pt2_writer_saved.h"

#include "io/pt2/pt2_writer_weights.h"
#include "io/torch_save/storage_archives.h"
#include "io/torch_save/torch_save_writer.h"

#include <algorithm>

namespace sunder {
namespace {

const InputSpec* firstObject(const Program& program)
{
    const auto found = std::ranges::find(program.signature->inputs, InputKind::object, &InputSpec::kind);
    return found == program.signature->inputs.end() ? nullptr : &*found;
}

Result<void> addTensor(const Program& program, TensorId id, StorageArchives& archives, TorchSaveWriter& writer)
{
    const TensorEntry& facts = program.tensors[program.tensors.object(id)];
    const std::string name = program.tensors[id].fqn.str();
    if (isPickledTensor(facts))
        return fail(ErrorCode::refused,
                    name
                        + " is a tensor of a custom class, which can only be copied, unread, to a file for PyTorch 2.9 or later");
    if (!facts.storage)
        return fail(ErrorCode::refused, "the location of the bytes of " + name + " is unknown");
    writer.text(name);
    const Storage& storage = program.tensors[facts.storage];
    if (storage.record.empty() && program.origin.format == "pt2") {
        writer.zeros(facts.meta);
        return {};
    }
    SUNDER_TRY(const StorageRecord record, archives.find(storage));
    writer.tensor(facts.meta, *record.archive, *record.member, program.tensors[id].role == TensorRole::parameter);
    return {};
}

} // namespace

std::optional<std::vector<TensorId>> tensorsWithin(const Program& program, const std::string& member)
{
    std::vector<TensorId> found;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorEntry& facts = program.tensors[program.tensors.object(TensorId(i))];
        if (!facts.storage || program.tensors[facts.storage].record.empty())
            return std::nullopt;
        if (program.tensors[facts.storage].record.view().starts_with(member + "/"))
            found.push_back(TensorId(i));
    }
    return firstObject(program) != nullptr ? std::nullopt : std::optional(std::move(found));
}

Result<void> writeSavedTensors(const Program& program, std::span<const TensorId> tensors, const std::string& member,
                               ZipWriter& zip, ProgressMonitor& monitor)
{
    TorchSaveWriter writer;
    StorageArchives archives(program, monitor);
    writer.beginDict();
    for (const TensorId id : tensors)
        if (const Result<void> added = addTensor(program, id, archives, writer); !added)
            return added;
    writer.endDict();
    return writer.write(zip, member, monitor);
}

Result<void> writeSavedContents(const Program& program, const std::string& weights, const std::string& constants, ZipWriter& zip,
                                ProgressMonitor& monitor)
{
    if (const InputSpec* object = firstObject(program))
        return fail(ErrorCode::refused,
                    "the custom object " + object->target.str() + " can only be written for PyTorch 2.9 or later");
    std::vector<TensorId> ofState;
    std::vector<TensorId> others;
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
        (isOfStateDict(program, TensorId(i)) ? ofState : others).push_back(TensorId(i));
    SUNDER_PROPAGATE(writeSavedTensors(program, ofState, weights, zip, monitor));
    return writeSavedTensors(program, others, constants, zip, monitor);
}

} // namespace sunder
