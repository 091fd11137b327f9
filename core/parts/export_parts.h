#pragma once

#include "analysis/partition_dag.h"
#include "io/pt2/pt2_schema.h"
#include "parts/staged_folder.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/tensor_contents.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sunder {

/// The result of verifying a split. Export refuses everything but `proven` by default.
enum class Proof : std::uint8_t { proven, different, undecided, notTried };

/// The file format of parts.
enum class PartFormat : std::uint8_t {
    asSource, ///< .pt2 if the source is one, otherwise fx-json
    pt2,      ///< .pt2, also for a plain torch.fx program (passes/to_exported)
    fxJson,   ///< fx-json, each with an archive of its weights
};

/// Returns the default format for parts of a program.
PartFormat usualPartFormat(const Program& source);

struct ExportPartsOptions {
    Proof proof = Proof::notTried; ///< notTried: exportParts verifies the split itself
    std::string why = {};          ///< the reason if verification was not successful
    bool unproven = false;         ///< write parts even if they are not proven equivalent
    /// The PyTorch release that must be able to read `.pt2` parts; by default that of the source.
    std::optional<Pt2Schema> target = {};
    PartFormat format = PartFormat::asSource;
    std::span<const PartitionDagNode> dag = {}; ///< for a split by devices: the devices of each part
};

/// The files of an export.
struct ExportedParts {
    std::string manifest;           ///< path of manifest.json
    std::vector<std::string> files; ///< paths, one per part, in call order
    std::string runner = {};        ///< path of run.py, which runs the parts as the whole model; empty if it was not written
    std::vector<std::string> removed = {}; ///< names of files of an earlier export that this one does not contain
    ContentsReport contents = {};   ///< result of comparing the written weights with those of the source
};

/// Parts that were written to a scratch folder and read back, ready for commit(). Discarded with this object otherwise.
class StagedParts final {
public:
    StagedParts(StagedFolder stage, ExportedParts parts, std::vector<std::string> names, std::vector<std::string> earlier)
        : m_stage(std::move(stage)), m_parts(std::move(parts)), m_names(std::move(names)), m_earlier(std::move(earlier))
    {
    }
    /// Moves parts and manifest to their destination together. Removes files that the manifest of an earlier export lists and
    /// this one does not. On failure, the folder is unchanged.
    Result<void> commit();
    [[nodiscard]] const ExportedParts& parts() const { return m_parts; }

private:
    StagedFolder m_stage;
    ExportedParts m_parts;
    std::vector<std::string> m_names; ///< of all files, including the manifest
    std::vector<std::string> m_earlier; ///< of the files of an earlier export
};

/// Writes every part as a separate model for `folder`, with its weights copied unchanged (for a .fxj into an archive in the same
/// folder), and manifest.json with files, inputs, outputs, and the order of calls. For .pt2 parts, also writes run.py, unless a
/// file of that name exists that is not from an earlier export. Reads every part back.
///
/// Errors: ErrorCode::usage if the source itself would be replaced; before anything is written, ErrorCode::io if there is not
/// enough disk space, and ErrorCode::refused, with part and node, if a part cannot be represented as `.pt2`.
Result<StagedParts> stageParts(const Program& source, const SplitResult& split, const std::string& folder,
                               const ExportPartsOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

/// stageParts() and commit(): writes all files or none.
Result<ExportedParts> exportParts(const Program& source, const SplitResult& split, const std::string& folder,
                                  const ExportPartsOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
