#pragma once

#include "io/torch_save/storage_archives.h"
#include "parts/strided_window.h"
#include "support/byte_progress.h"

#include <functional>
#include <string>

namespace sunder {

/// A parameter, buffer, or constant with the place of its bytes in a file.
struct StoredTensor {
    TensorId object; ///< the entry that has the facts
    StridedWindow window; ///< within the record
    StorageRecord record; ///< valid as long as the archives that it was found in
    std::string note; ///< why the bytes might be others than the model was made with; empty when they are not
};

/// Finds the bytes of a tensor. Errors: refused when the file does not say where they are, unsupported when they are a pickle or its
/// shape, strides, or layout do not place its elements, malformed when it reaches beyond its record, else those of
/// StorageArchives::find().
Result<StoredTensor> findStoredTensor(const Program& program, StorageArchives& archives, TensorId id);

/// Takes packed elements, whole ones. Its error ends the reading.
using ElementSink = std::function<Result<void>(std::span<const char> elements)>;

/// Gives `sink` the elements of a window of `tensor` in order of their indices: its own window, or that in memory order. Memory: 200 MB
/// at most, 256 kB where the elements lie in that order. Reads forward once where their places rise, otherwise once for every 4 million
/// elements. `progress` counts the bytes given. Errors: cancelled, and those of reading.
Result<void> readElements(const StoredTensor& tensor, const StridedWindow& window, ByteProgress& progress,
                          const ElementSink& sink);

} // namespace sunder
