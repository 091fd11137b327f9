#include "io/torch_save/torch_save_writer.h"

#include "io/torch_save/torch_save_file.h"

#include <algorithm>
#include <bit>
#include <ostream>
#include <streambuf>
#include <zlib.h>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxZeros = 64U << 20U;
constexpr std::int64_t kUnknownSize = 2;
constexpr std::size_t kSavePiece = 1U << 16U;

/// A stream buffer that writes sequentially into the open member of an archive.
class MemberBuffer final : public std::streambuf {
public:
    explicit MemberBuffer(ZipWriter& zip) : m_zip(zip) {}

protected:
    std::streamsize xsputn(const char* bytes, std::streamsize count) override
    {
        m_zip.append(std::span(bytes, static_cast<std::size_t>(count)));
        return m_zip.isGood() ? count : 0;
    }

    int_type overflow(int_type character) override
    {
        const char byte = traits_type::to_char_type(character);
        return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
    }

private:
    ZipWriter& m_zip;
};

std::uint32_t crcOfZeros(std::uint64_t count)
{
    static const std::string kZeros(kSavePiece, '\0');
    uLong crc = 0;
    for (; count > 0; count -= std::min<std::uint64_t>(count, kSavePiece))
        crc = crc32(crc, reinterpret_cast<const Bytef*>(kZeros.data()),
                    static_cast<uInt>(std::min<std::uint64_t>(count, kSavePiece)));
    return static_cast<std::uint32_t>(crc);
}

std::int64_t hintOf(const Argument& size)
{
    if (size.is(ArgumentKind::integer))
        return size.asInteger();
    const bool isSymbol = size.is(ArgumentKind::symbolic);
    return isSymbol ? size.asSymbolic().integerHint().value_or(kUnknownSize) : kUnknownSize;
}

std::vector<std::int64_t> hintsOf(const Arguments& sizes)
{
    std::vector<std::int64_t> hints;
    for (const Argument& size : sizes)
        hints.push_back(hintOf(size));
    return hints;
}

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        if (__builtin_mul_overflow(strides[i], std::max<std::int64_t>(sizes[i], 1), &strides[i - 1]))
            strides[i - 1] = 0;
    return strides;
}

/// Number of elements from the first to the last of a view; nothing on overflow.
std::optional<std::uint64_t> elementsOf(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides)
{
    std::int64_t last = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::int64_t reach = 0;
        if (sizes[i] == 0)
            return 0;
        if (strides[i] < 0 || __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach)
            || __builtin_add_overflow(last, reach, &last))
            return std::nullopt;
    }
    return static_cast<std::uint64_t>(last) + 1;
}

} // namespace

void TorchSaveWriter::integer(std::int64_t value)
{
    m_pickle += "\x8a\x08"; // LONG1 with eight bytes
    for (unsigned shift = 0; shift < 64; shift += 8)
        m_pickle += static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xffU);
}

void TorchSaveWriter::floating(double value)
{
    m_pickle += 'G';
    for (unsigned shift = 64; shift > 0; shift -= 8)
        m_pickle += static_cast<char>(std::bit_cast<std::uint64_t>(value) >> (shift - 8) & 0xffU);
}

void TorchSaveWriter::text(std::string_view value)
{
    m_pickle += 'X';
    for (unsigned shift = 0; shift < 32; shift += 8)
        m_pickle += static_cast<char>(value.size() >> shift & 0xffU);
    m_pickle += value;
}

void TorchSaveWriter::global(std::string_view module, std::string_view name)
{
    m_pickle += 'c' + std::string(module) + '\n' + std::string(name) + '\n';
}

void TorchSaveWriter::integers(const std::vector<std::int64_t>& values)
{
    beginTuple();
    for (const std::int64_t value : values)
        integer(value);
    endTuple();
}

void TorchSaveWriter::rebuild(const TensorMeta& meta, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& strides, std::int64_t offset, std::size_t storage)
{
    const std::string_view typed = storageClassOfDtype(meta.dtype.view());
    global("torch._utils", typed.empty() ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    beginTuple();
    beginTuple(); // persistent id of the storage
    text("storage");
    global(typed.empty() ? "torch.storage" : "torch", typed.empty() ? "UntypedStorage" : typed);
    text(std::to_string(storage));
    text("cpu"); // the device that torch.export saves
    const std::uint64_t bytes = m_storages[storage].bytes;
    integer(static_cast<std::int64_t>(typed.empty() ? bytes : bytes / elementSize(meta.dtype.view()).value_or(1)));
    endTuple();
    m_pickle += 'Q';
    integer(offset);
    integers(sizes);
    integers(strides);
    boolean(meta.requiresGrad);
    global("collections", "OrderedDict");
    m_pickle += ")R";
    if (typed.empty())
        global("torch", meta.dtype.view());
    endTuple();
    m_pickle += 'R';
}

void TorchSaveWriter::tensor(const TensorMeta& meta, const ZipArchive& archive, const ZipMember& record, bool isParameter)
{
    const auto [number, isNew] = m_numbers.try_emplace({&archive, record.name}, m_storages.size());
    if (isNew)
        m_storages.push_back({&archive, record.name, record.size, record.crc});
    const std::vector<std::int64_t> sizes = hintsOf(meta.shape);
    if (isParameter) {
        global("torch._utils", "_rebuild_parameter");
        beginTuple();
    }
    rebuild(meta, sizes, meta.stride ? hintsOf(*meta.stride) : contiguousStrides(sizes), meta.offset ? hintOf(*meta.offset) : 0,
            number->second);
    if (!isParameter)
        return;
    boolean(meta.requiresGrad);
    global("collections", "OrderedDict");
    m_pickle += ")R";
    endTuple();
    m_pickle += 'R';
}

void TorchSaveWriter::zeros(const TensorMeta& meta)
{
    const std::vector<std::int64_t> sizes = hintsOf(meta.shape);
    std::vector<std::int64_t> strides = meta.stride && meta.stride->size() == sizes.size() ? hintsOf(*meta.stride)
                                                                                           : contiguousStrides(sizes);
    std::optional<std::uint64_t> elements = elementsOf(sizes, strides);
    const std::uint64_t each = elementSize(meta.dtype.view()).value_or(1);
    if (!elements || *elements > kMaxZeros / each) {
        std::fill(strides.begin(), strides.end(), 0);
        elements = 1;
    }
    m_storages.push_back({.bytes = *elements * each, .crc = crcOfZeros(*elements * each)});
    rebuild(meta, sizes, strides, 0, m_storages.size() - 1);
}

Result<void> TorchSaveWriter::copyStorage(const Stored& stored, ZipWriter& inner, ProgressMonitor& monitor) const
{
    if (stored.archive == nullptr) {
        static const std::string kZeros(kSavePiece, '\0');
        for (std::uint64_t left = stored.bytes; left > 0; left -= std::min<std::uint64_t>(left, kSavePiece))
            inner.append(std::span(kZeros.data(), static_cast<std::size_t>(std::min<std::uint64_t>(left, kSavePiece))));
        return {};
    }
    const Result<void> copied = stored.archive->copyMember(stored.record, [&](std::span<const char> bytes) {
        inner.append(bytes);
        return inner.isGood() && !monitor.isCancelled();
    });
    SUNDER_PROPAGATE(monitor.check());
    return inner.isGood() ? copied : Result<void>();
}

Result<void> TorchSaveWriter::write(ZipWriter& zip, const std::string& member, ProgressMonitor& monitor) const
{
    zip.begin(member);
    MemberBuffer buffer(zip);
    std::ostream out(&buffer);
    ZipWriter inner(out);
    inner.add("archive/data.pkl", "\x80\x02" + m_pickle + ".");
    inner.add("archive/byteorder", "little");
    for (std::size_t i = 0; i < m_storages.size(); ++i) {
        inner.begin("archive/data/" + std::to_string(i), {.size = m_storages[i].bytes, .crc = m_storages[i].crc});
        SUNDER_PROPAGATE(copyStorage(m_storages[i], inner, monitor));
    }
    inner.add("archive/version", "3\n");
    inner.finish();
    return {};
}

} // namespace sunder
