#include "passes/unflatten/tensor_writer.h"

#include "ir/interned_path.h"
#include "passes/unflatten/overlapping_inputs.h"
#include "verify/symbol_mapping.h"

#include <limits>

namespace sunder {

namespace {

/// Describes the bytes of the memory `from` that a tensor in it occupies, if known.
void copyPiece(const Storage& from, const TensorMeta& tensor, Storage& own)
{
    const auto [first, end] = extentOf(tensor);
    const std::optional<std::uint64_t> size = elementSize(tensor.dtype.view());
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
    if (from.record.empty() || !size || first < 0 || end < first || end == std::numeric_limits<std::int64_t>::max()
        || __builtin_mul_overflow(static_cast<std::uint64_t>(first), *size, &begin)
        || __builtin_mul_overflow(static_cast<std::uint64_t>(end - first), *size, &length))
        return;
    if (own.byteCount != 0U)
        own.byteCount = length;
    own.copyOf = CopiedPiece{from.file, from.record, begin, from.placeExtra};
}

} // namespace

TensorWriter::TensorWriter(const Program& flat, const TensorGroups& tensors, Program& target)
    : m_flat(flat), m_tensors(tensors), m_target(target), m_written(tensors.groups.size()),
      m_storageOf(flat.tensors.storageCount()), m_isOwned(flat.tensors.storageCount()), m_isShared(flat.tensors.storageCount())
{
    m_firstGroup.reserve(flat.tensors.size());
    for (const TensorGroups::Group& group : tensors.groups)
        if (group.shares)
            m_isShared[flat.tensors[flat.tensors.object(group.source)].storage.index()] = 1;
}

void TensorWriter::write(const std::vector<AssignedTensor>& tensors, std::string_view path)
{
    for (const TensorRole role : {TensorRole::parameter, TensorRole::buffer, TensorRole::constant})
        for (const AssignedTensor& tensor : tensors)
            if (tensor.role == role)
                write(tensor, path);
}

void TensorWriter::write(const AssignedTensor& tensor, std::string_view path)
{
    const InternedString fqn = fqnOf(tensor, path);
    const auto [first, isNew] = m_firstGroup.emplace(fqn, tensor.group);
    if (!isNew && (first == tensor.group || !m_again.insert(static_cast<std::uint64_t>(tensor.group.index()) << 32U | fqn.id())))
        return;
    std::optional<Written>& written = m_written[tensor.group.index()];
    if (written) {
        TensorEntry entry{.fqn = fqn, .role = tensor.role, .same = written->entry, .persistent = {}};
        if (tensor.persistent != written->persistent)
            entry.persistent = tensor.persistent;
        m_target.tensors.add(std::move(entry));
        return;
    }
    TensorEntry entry = described(m_tensors.groups[tensor.group.index()], fqn);
    entry.role = tensor.role;
    entry.persistent = tensor.persistent;
    written = Written{m_target.tensors.add(std::move(entry)), tensor.persistent};
}

/// Fast path: most tensors keep their name, which avoids interning it again.
InternedString TensorWriter::fqnOf(const AssignedTensor& tensor, std::string_view path) const
{
    const std::string_view name = tensor.name.view();
    if (const TensorId source = m_tensors.groups[tensor.group.index()].source; source && !path.empty()) {
        const InternedString known = m_flat.tensors[source].fqn;
        const std::string_view text = known.view();
        if (text.size() == path.size() + 1 + name.size() && text[path.size()] == '.' && text.starts_with(path)
            && text.ends_with(name))
            return known;
    }
    return internPath(path, name);
}

TensorEntry TensorWriter::described(const TensorGroups::Group& group, InternedString fqn)
{
    TensorEntry entry{.fqn = fqn, .persistent = {}};
    if (!group.source) {
        entry.meta = m_flat.rootGraph().node(group.value).meta.val->asTensor();
        entry.meta.storage = {};
        entry.meta.requiresGrad = false;
        if (!knowsMemory(m_flat.tensors))
            return entry;
        entry.storage = m_target.tensors.addStorage({.id = intern("made:" + fqn.str()), .byteCount = byteSize(entry.meta)});
        entry.meta.storage = m_target.tensors[entry.storage].id;
        entry.meta.offset = Argument::integer(0);
        return entry;
    }
    const TensorEntry& source = m_flat.tensors[m_flat.tensors.object(group.source)];
    entry.meta = source.meta;
    entry.extra = source.extra;
    // torch.export.load() lets a buffer require gradients if it shares memory with a parameter. A buffer that occupies exactly
    // the memory of a parameter is loaded as that parameter.
    if (source.role == TensorRole::buffer && group.isParameter)
        entry.meta.requiresGrad = false;
    if (source.storage) {
        entry.storage = storageFor(source.storage, group, entry.meta, fqn);
        entry.meta.storage = m_target.tensors[entry.storage].id;
    }
    return entry;
}

StorageId TensorWriter::copied(StorageId source)
{
    StorageId& target = m_storageOf[source.index()];
    if (!target)
        target = m_target.tensors.addStorage(m_flat.tensors[source]);
    return target;
}

/// The first copy that starts at the start of a memory keeps the memory's id, and thereby the location of its data. So do tensors
/// that torch does not copy.
StorageId TensorWriter::storageFor(StorageId source, const TensorGroups::Group& group, TensorMeta& meta, InternedString fqn)
{
    const Argument zero = Argument::integer(0);
    if (group.shares || (!group.copied && !m_isOwned[source.index()]))
        return copied(source);
    if (group.copied && !m_isShared[source.index()] && meta.offset.value_or(zero) == zero && !m_storageOf[source.index()]) {
        m_isOwned[source.index()] = 1;
        return copied(source);
    }
    // New memory, filled from its source.
    if (Storage own = m_flat.tensors[source]; !own.record.empty() && (!group.copied || meta.offset.value_or(zero) == zero)) {
        own.id = intern(own.id.str() + ":" + fqn.str());
        return m_target.tensors.addStorage(std::move(own));
    }
    Storage own{.id = intern(m_flat.tensors[source].id.str() + ":" + fqn.str()), .byteCount = byteSize(meta)};
    if (group.copied) {
        copyPiece(m_flat.tensors[source], meta, own);
        meta.offset = zero;
    }
    return m_target.tensors.addStorage(std::move(own));
}

} // namespace sunder
