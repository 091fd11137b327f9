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

/// The tensors of the program that lie in a torch.save file of its source; nothing when not all that it may hold of the
/// program's is known.
std::optional<std::vector<TensorId>> tensorsWithin(const Program& program, const std::string& member);

/// Writes tensors by name as the torch.save file `member`, their storages copied piece by piece. Zeros of those that have no
/// bytes, as programs exported with fake tensors do. ErrorCode::refused for a tensor of a class of its own, and where it is not
/// known where the bytes are; further errors: those of the storages' archives, cancelled.
Result<void> writeSavedTensors(const Program& program, std::span<const TensorId> tensors, const std::string& member,
                               ZipWriter& zip, ProgressMonitor& monitor);

/// Writes all tensors of a program into two torch.save files, as PyTorch 2.8 and earlier have them: `weights`, which
/// state_dict() gives, and `constants`, with what it leaves out. Errors: as above; refused for a custom object, whose pickle
/// nobody here can put into another.
Result<void> writeSavedContents(const Program& program, const std::string& weights, const std::string& constants, ZipWriter& zip,
                                ProgressMonitor& monitor);

} // namespace sunder
