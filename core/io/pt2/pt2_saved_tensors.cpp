#include "io/pt2/pt2_saved_tensors.h"

#include "io/exported_program/exported_program_values.h"
#include "io/torch_save/storage_archives.h"
#include "io/torch_save/torch_save_file.h"

#include <unordered_map>

namespace sunder {
namespace {

class SavedTensors {
public:
    SavedTensors(const ZipArchive& archive, const std::string& member, Program& program)
        : m_archive(archive), m_member(member), m_program(program)
    {
        for (const InputSpec& input : program.signature->inputs)
            if (!input.target.empty())
                m_inputs.emplace(input.target, &input);
    }

    void add(bool isConstants)
    {
        const Result<TorchSaveFile> file = TorchSaveFile::open(m_archive, m_member);
        if (!file)
            return;
        const auto entries = file->entries(file->tree().root);
        if (!entries)
            return;
        for (const auto& [name, value] : *entries) {
            if (m_program.tensors.find(intern(name)))
                continue;
            std::optional<SavedTensor> tensor = file->tensor(value);
            const ZipMember* record = tensor ? file->storage(tensor->storage) : nullptr;
            if (!tensor)
                tensor = fakeTensor(*file, value);
            if (tensor)
                addTensor(intern(name), value, *tensor, record, isConstants);
        }
    }

private:
    /// Reads a tensor of a program that was exported without weights.
    static std::optional<SavedTensor> fakeTensor(const TorchSaveFile& file, std::uint32_t value)
    {
        SavedTensor tensor;
        JsonTape tape;
        const std::optional<std::string> json = file.fakeTensor(value, tensor.isParameter);
        if (!json || !tape.parse(*json, 64))
            return std::nullopt;
        ProgramRecord scratch;
        ReadFault fault;
        const std::shared_ptr<TensorMeta> meta = ExportedProgramValues(scratch, fault).tensor(tape.root(), "a tensor");
        if (!meta || fault.isReported())
            return std::nullopt;
        tensor.meta = *meta;
        return tensor;
    }

    /// `record` contains its data; null if it has none.
    void addTensor(InternedString name, std::uint32_t value, const SavedTensor& tensor, const ZipMember* record, bool isConstants)
    {
        TensorEntry entry{.fqn = name, .role = TensorRole::constant, .persistent = true};
        const auto input = m_inputs.find(name);
        const bool isKnown = input != m_inputs.end();
        if (isKnown ? input->second->kind == InputKind::parameter : tensor.isParameter && !isConstants)
            entry.role = TensorRole::parameter;
        else if (isKnown ? input->second->kind == InputKind::buffer : !isConstants)
            entry.role = TensorRole::buffer;
        if (isConstants && entry.role == TensorRole::buffer) // constants contain the buffers that are not in state_dict()
            entry.persistent = false;
        const auto [object, isNew] = m_objects.try_emplace(value);
        if (!isNew) {
            entry.same = object->second;
            m_program.tensors.add(std::move(entry));
            return;
        }
        entry.meta = tensor.meta;
        entry.storage = record != nullptr ? storageOf(*record) : addStorage({.byteCount = byteSize(tensor.meta)});
        entry.meta.storage = m_program.tensors[entry.storage].id;
        object->second = m_program.tensors.add(std::move(entry));
    }

    StorageId storageOf(const ZipMember& record)
    {
        const auto [at, isNew] = m_storages.try_emplace(record.name);
        if (isNew)
            at->second = addStorage({.byteCount = record.size,
                                     .file = intern(m_archive.path()),
                                     .record = intern(m_member + "/" + record.name),
                                     .placeExtra = storagePlaceExtra(record)});
        return at->second;
    }

    StorageId addStorage(Storage storage)
    {
        storage.id = intern("s" + std::to_string(m_program.tensors.storageCount()));
        return m_program.tensors.addStorage(std::move(storage));
    }

    const ZipArchive& m_archive;
    const std::string& m_member;
    Program& m_program;
    std::unordered_map<InternedString, const InputSpec*> m_inputs; ///< by target
    std::unordered_map<std::uint32_t, TensorId> m_objects;         ///< by value of the pickle
    std::unordered_map<std::string, StorageId> m_storages;         ///< by record
};

} // namespace

std::vector<std::string> savedTensorMembers(const ZipArchive& archive, const std::string& root, const std::string& model)
{
    std::vector<std::string> found;
    for (const std::string& name : {root + "data/weights/" + model + ".pt", root + "data/constants/" + model + ".pt"})
        if (archive.find(name) != nullptr)
            found.push_back(name);
    for (const char* name : {"serialized_state_dict", "serialized_constants"})
        for (const char* suffix : {".pt", ".json"}) // early versions used .json
            if (archive.find(root + name + suffix) != nullptr) {
                found.push_back(root + name + suffix);
                break;
            }
    return found;
}

void addSavedTensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program)
{
    for (const std::string& member : savedTensorMembers(archive, layout.root, model))
        SavedTensors(archive, member, program).add(member.find("constants") != std::string::npos);
}

} // namespace sunder
