#pragma once

#include "io/archives/zip_writer.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Returns the tensors of the program that are in a torch.save file of its source. Nothing if its contents are not completely
/// known.
std::optional<std::vector<TensorId>> tensorsWithin(const Program& program, const std::string& member);

/// Writes tensors by name as the torch.save file `member`, copying their storages piece by piece. Tensors without data (from
/// exports with fake tensors) become zeros. Errors: refused for custom tensor classes and unknown locations of data; errors of
/// the storages' archives; cancelled.
Result<void> writeSavedTensors(const Program& program, std::span<const TensorId> tensors, const std::string& member,
                               ZipWriter& zip, ProgressMonitor& monitor);

/// Writes all tensors of a program into two torch.save files, as in PyTorch 2.8 and earlier: `weights` with the contents of
/// state_dict(), and `constants` with the rest. Errors: as above, and refused for custom objects, whose pickles cannot be merged.
Result<void> writeSavedContents(const Program& program, const std::string& weights, const std::string& constants, ZipWriter& zip,
                                ProgressMonitor& monitor);

} // namespace sunder
