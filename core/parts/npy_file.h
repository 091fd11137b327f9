#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Properties of a written file.
struct NpyFile {
    std::string type;        ///< of the elements, in NumPy's notation: "<f4"
    std::uint64_t bytes = 0; ///< size of the file
    std::string note; ///< how to read a dtype that NumPy lacks, and the notes of findStoredTensor(); may be empty
};

/// Writes a tensor as a .npy file, format 1.0, in C order regardless of its strides. Writes a temporary file in the folder of
/// `path`, then renames it. Preserves every bit: a dtype that NumPy lacks is written as unsigned integers of the same width,
/// bfloat16 as "<u2", 8-bit floats as "|u1", complex32 as "<u4". Memory as for readElements().
///
/// Errors: unsupported for tensors that NumPy cannot represent (more than 64 dimensions, an unknown dtype), io if disk space is
/// insufficient or writing fails, cancelled, and those of findStoredTensor(). No file is left behind on error.
Result<NpyFile> writeNpy(const Program& program, TensorId id, const std::string& path,
                         ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
