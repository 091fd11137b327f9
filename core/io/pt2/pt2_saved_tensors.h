#pragma once

#include "io/pt2/pt2_reader_layout.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

/// Members of an archive of before PyTorch 2.9 that hold its tensors, each one torch.save file: weights first, then
/// constants. Those that are there. Empty for an archive with raw weights.
std::vector<std::string> savedTensorMembers(const ZipArchive& archive, const std::string& root, const std::string& model);

/// Adds the tensors that those members hold, with the memory that they share; their storages lie in records
/// "MEMBER/data/…" of the archive. What cannot be made out (a damaged member, classes of tensors of their own) is left
/// out. Linear in the pickles.
void addSavedTensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program);

} // namespace sunder
