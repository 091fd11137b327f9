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

/// What the verification of a split said; export refuses anything but `proven` unless told otherwise.
enum class Proof : std::uint8_t { proven, different, undecided, notTried };

/// What files parts become.
enum class PartFormat : std::uint8_t {
    asSource, ///< .pt2 where the source was one, else fx-json
    pt2,      ///< .pt2, also of a plain torch.fx program (passes/to_exported)
    fxJson,   ///< fx-json, with the weights in an archive beside each
};

/// What parts of that program are where nothing else is asked for.
PartFormat usualPartFormat(const Program& source);

struct ExportPartsOptions {
    Proof proof = Proof::notTried; ///< notTried: exportParts verifies on its own
    std::string why = {};          ///< what the verification said when it was not proven
    bool unproven = false;         ///< write parts even so
    /// The release of PyTorch that is to read parts that are `.pt2`; none: that of the source.
    std::optional<Pt2Schema> target = {};
    PartFormat format = PartFormat::asSource;
    std::span<const PartitionDagNode> dag = {}; ///< of a cut over devices: which part is for which
};

/// What was written.
struct ExportedParts {
    std::string manifest;           ///< path of manifest.json
    std::vector<std::string> files; ///< paths, one a part, in call order
    std::string runner = {};        ///< path of run.py, which calls them as the whole; empty where none was written
    std::vector<std::string> removed = {}; ///< names of files of an earlier export in that folder that this one does not have
    ContentsReport contents = {};   ///< what of their weights was compared with the source's, read back
};

/// Parts that are written and read back, in a scratch folder beside their own, and wait for commit(). Otherwise they
/// vanish with this object.
class StagedParts final {
public:
    StagedParts(StagedFolder stage, ExportedParts parts, std::vector<std::string> names, std::vector<std::string> earlier)
        : m_stage(std::move(stage)), m_parts(std::move(parts)), m_names(std::move(names)), m_earlier(std::move(earlier))
    {
    }
    /// Parts and manifest take their places together, and those that the manifest of an earlier export names and this
    /// one does not have go. On failure the folder is as it was.
    Result<void> commit();
    [[nodiscard]] const ExportedParts& parts() const { return m_parts; }

private:
    StagedFolder m_stage;
    ExportedParts m_parts;
    std::vector<std::string> m_names;   ///< of the files, the manifest's too
    std::vector<std::string> m_earlier; ///< of the files of an earlier export
};

/// Writes every part as a model of its own, to be put into `folder`, with weights copied raw (those of a .fxj into an archive
/// beside it), and manifest.json with files, inputs, outputs and the order of calls. Beside parts that are .pt2 run.py is put, which
/// runs them, unless somebody else's file of that name is there. Reads every part back.
/// ErrorCode::usage when the source itself would be replaced; ErrorCode::io, before anything is written, when the disk has
/// not enough room; ErrorCode::refused, before it too, with part and node, when parts are to be `.pt2` and one has what none can hold.
Result<StagedParts> stageParts(const Program& source, const SplitResult& split, const std::string& folder,
                               const ExportPartsOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

/// stageParts() and commit(): all or nothing.
Result<ExportedParts> exportParts(const Program& source, const SplitResult& split, const std::string& folder,
                                  const ExportPartsOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
