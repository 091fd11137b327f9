#pragma once

#include "io/torch_save/storage_archives.h"
#include "parts/strided_window.h"
#include "support/progress_monitor.h"

#include <functional>
#include <string>

namespace sunder {

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
