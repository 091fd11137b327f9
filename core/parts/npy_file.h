#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// What was written, beside the elements.
struct NpyFile {
    std::string type;        ///< of the elements, as NumPy writes it: "<f4"
    std::uint64_t bytes = 0; ///< of the file
    std::string note; ///< of a dtype that NumPy lacks how to read it, and what findStoredTensor() notes; empty: nothing
};

/// Writes a tensor as a .npy file, format 1.0, in C order, whatever its strides are: beside `path`, then renamed. Every bit is kept:
/// a dtype that NumPy lacks is written as unsigned integers of its width, bfloat16 as "<u2", floats of 8 bits as "|u1", complex32 as
/// "<u4". Memory as readElements(). Errors: unsupported when NumPy cannot hold it (more than 64 dimensions, an unknown dtype), io where the
/// disk has no room for it or writing fails, cancelled, and those of findStoredTensor(). Nothing is left behind then.
Result<NpyFile> writeNpy(const Program& program, TensorId id, const std::string& path,
                         ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
