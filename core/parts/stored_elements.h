#pragma once

#include "io/torch_save/storage_archives.h"
#include "ir/tensor_meta.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Opens the bytes of a record, starting at offset `begin`. Errors as for ZipArchive::openMember().
Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin);

/// Reads until `buffer` is full or the stream ends. Returns the number of bytes. Errors as for ZipMemberStream::read().
Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer);

/// Checks the CRC of a member that was read to its end. Does nothing otherwise.
Result<void> checkEnd(ZipMemberStream& stream);

/// The positions of a tensor's elements in its storage, relative to its first element.
class StridedWindow final {
public:
    /// Returns nothing if sizes, strides, or offset are symbolic, negative, or too large, if the layout has no strides, or if the
    /// element size is unknown.
    static std::optional<StridedWindow> of(const TensorMeta& meta);

    [[nodiscard]] std::uint64_t elementSize() const { return m_elementSize; }
    /// Returns the offset of the first element in bytes.
    [[nodiscard]] std::uint64_t begin() const { return m_begin; }
    /// Returns the bytes from the first element to the end of the last.
    [[nodiscard]] std::uint64_t length() const { return m_length; }
    [[nodiscard]] std::uint64_t elementCount() const { return m_count; }

    /// Whether the elements are contiguous in index order.
    [[nodiscard]] bool isContiguous() const;
    /// Returns the same elements in memory order, if no two of them overlap: dimensions sorted by descending stride. Omits
    /// dimensions of stride 0, which repeat the other elements, so it may have fewer elements.
    [[nodiscard]] StridedWindow inMemoryOrder() const;
    /// Whether elements with equal indices have equal positions in both windows.
    [[nodiscard]] bool hasLayoutOf(const StridedWindow& other) const;
    /// Returns the index, one number per dimension, of the first element at this position (in elements); nothing if there is
    /// none.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> indexAt(std::uint64_t place) const;
    /// Calls `visit` with the position in the window, in elements, of every element in index order, until it returns false.
    template <typename Visit>
    void forEach(const Visit& visit) const
    {
        std::vector<std::uint64_t> index(m_sizes.size(), 0);
        std::uint64_t place = 0;
        for (std::uint64_t i = 0; i < m_count; ++i) {
            if (!visit(place))
                return;
            for (std::size_t d = m_sizes.size(); d-- > 0;) {
                place += m_strides[d];
                if (++index[d] < m_sizes[d])
                    break;
                place -= m_strides[d] * m_sizes[d];
                index[d] = 0;
            }
        }
    }
    /// Returns the multidimensional index of the element with this number in index order.
    [[nodiscard]] std::vector<std::uint64_t> indexOf(std::uint64_t number) const;

private:
    std::vector<std::uint64_t> m_sizes;
    std::vector<std::uint64_t> m_strides; ///< in elements; 0 for dimensions of size one
    std::uint64_t m_elementSize = 0;
    std::uint64_t m_begin = 0;
    std::uint64_t m_length = 0;
    std::uint64_t m_count = 1;
};

/// A parameter, buffer, or constant with the location of its bytes in a file.
struct StoredTensor {
    TensorId object; ///< the entry with the facts
    StridedWindow window; ///< within the record
    StorageRecord record; ///< valid for the lifetime of the archives that it was found in
    std::string note; ///< reason why the bytes may not be those that the model was created with; empty if there is none
};

/// Finds the bytes of a tensor. Errors: refused if the file does not state their location; unsupported if they are a pickle, or
/// if shape, strides, or layout do not determine the positions of elements; malformed if the tensor extends beyond its record;
/// and those of StorageArchives::find().
Result<StoredTensor> findStoredTensor(const Program& program, StorageArchives& archives, TensorId id);

/// Receives packed, complete elements. An error ends the reading.
using ElementSink = std::function<Result<void>(std::span<const char> elements)>;

/// Passes the elements of a window of `tensor` to `sink` in index order: its own window, or that in memory order. Uses at most
/// 200 MB of memory, or 256 kB if the elements are stored in that order. Reads forward once if positions ascend, otherwise once
/// per 4 million elements. `progress` counts the bytes passed. Errors: cancelled, and read errors.
Result<void> readElements(const StoredTensor& tensor, const StridedWindow& window, ByteProgress& progress,
                          const ElementSink& sink);

} // namespace sunder
