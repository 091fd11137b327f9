#include "parts/npy_file.h"

#include "parts/stored_elements.h"
#include "support/file.h"

#include <array>
#include <string_view>
#include <utility>

namespace sunder {
namespace {

constexpr std::size_t kMaxDimensions = 64; ///< limit of NumPy
constexpr std::size_t kHeaderAlignment = 64;
constexpr std::size_t kPreamble = 10; ///< magic, version, length of the header

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kNumpyTypes = {{
    {"float16", "<f2"},
    {"float32", "<f4"},
    {"float64", "<f8"},
    {"int8", "|i1"},
    {"int16", "<i2"},
    {"int32", "<i4"},
    {"int64", "<i8"},
    {"uint8", "|u1"},
    {"uint16", "<u2"},
    {"uint32", "<u4"},
    {"uint64", "<u8"},
    {"bool", "|b1"},
    {"complex64", "<c8"},
    {"complex128", "<c16"},
}};

std::string_view ownTypeOf(std::string_view dtype)
{
    for (const auto& [name, type] : kNumpyTypes)
        if (name == dtype)
            return type;
    return {};
}

std::string_view npyType(std::string_view dtype)
{
    if (const std::string_view own = ownTypeOf(dtype); !own.empty())
        return own;
    switch (elementSize(dtype).value_or(0)) {
    case 1: return "|u1";
    case 2: return "<u2";
    case 4: return "<u4";
    case 8: return "<u8";
    default: return {};
    }
}

/// Returns the file content before the first element.
std::string headerOf(std::string_view type, const Arguments& shape)
{
    std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
    for (const Argument& size : shape)
        header += std::to_string(size.asInteger()) + (shape.size() == 1 ? "," : ", ");
    if (shape.size() > 1)
        header.resize(header.size() - 2);
    header += "), }";
    const std::size_t length = kPreamble + header.size() + 1;
    header.append((kHeaderAlignment - length % kHeaderAlignment) % kHeaderAlignment, ' ');
    header += '\n';
    std::string start = "\x93NUMPY";
    start += '\1';
    start += '\0';
    start += static_cast<char>(header.size() & 255U);
    start += static_cast<char>(header.size() >> 8U);
    return start + header;
}

} // namespace

Result<NpyFile> writeNpy(const Program& program, TensorId id, const std::string& path, ProgressMonitor& monitor)
{
    StorageArchives archives(program, monitor);
    SUNDER_TRY(const StoredTensor stored, findStoredTensor(program, archives, id));
    const TensorMeta& meta = program.tensors[stored.object].meta;
    const std::string name = program.tensors[id].fqn.str();
    const std::string_view dtype = meta.dtype.view();
    const std::string_view type = npyType(dtype);
    std::uint64_t bytes = 0;
    if (type.empty() || meta.shape.size() > kMaxDimensions
        || __builtin_mul_overflow(stored.window.elementCount(), stored.window.elementSize(), &bytes) || bytes >> 62U != 0)
        return fail(ErrorCode::unsupported, "NumPy cannot store " + name + ": " + describe(meta));
    const std::string header = headerOf(type, meta.shape);
    NpyFile file{.type = std::string(type), .bytes = header.size() + bytes, .note = stored.note};
    SUNDER_PROPAGATE(checkFreeSpace(path, file.bytes, "the elements of " + name));
    if (ownTypeOf(dtype).empty())
        file.note += std::string(file.note.empty() ? "" : "; ") + "NumPy has no " + std::string(dtype)
            + "; the file stores the bits of each element as " + std::string(type)
            + "; read them with torch.from_numpy(numpy.load(FILE)).view(torch." + std::string(dtype) + ")";
    ByteProgress progress(monitor, bytes, "Writing " + name);
    SUNDER_PROPAGATE(writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        out.write(header.data(), static_cast<std::streamsize>(header.size()));
        return readElements(stored, stored.window, progress, [&](std::span<const char> elements) -> Result<void> {
            out.write(elements.data(), static_cast<std::streamsize>(elements.size()));
            return out ? Result<void>() : fail(ErrorCode::io, "cannot write: the disk may be full", {.file = path});
        });
    }));
    return file;
}

} // namespace sunder
