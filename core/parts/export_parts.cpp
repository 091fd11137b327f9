#include "parts/export_parts.h"

#include "io/fx_json/fx_json_writer.h"
#include "io/pt2/pt2_writer.h"
#include "io/side_files/manifest_files.h"
#include "io/side_files/manifest_writer.h"
#include "io/sympy/size_assumptions.h"
#include "io/torch_save/storage_archives.h"
#include "parts/part_checks.h"
#include "parts/part_manifest.h"
#include "parts/part_programs.h"
#include "parts/part_runner.h"
#include "parts/part_weights.h"
#include "parts/read_back.h"
#include "parts/separate_cut.h"
#include "passes/to_exported/exported_form.h"
#include "support/file.h"
#include "support/progress_monitor.h"
#include "support/sha256.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

const char* word(PartSample sample)
{
    switch (sample) {
    case PartSample::source: return "source";
    case PartSample::literal: return "literal";
    case PartSample::filler: break;
    }
    return "filler";
}

/// Returns example inputs of a part. The inputs are nodes of the exported `source`; the manifest's descriptions of them state
/// their origin. O(inputs × inputs of the source).
PartSamples samplesOfPart(const Program& source, const std::vector<NodeId>& inputs, const SampleInputs& samples,
                          std::vector<ManifestValue>& described)
{
    const std::vector<std::int32_t> entries = signatureInputs(source);
    const std::vector<InputSpec>& specs = source.signature->inputs;
    const auto isUser = [](const InputSpec& spec) { return spec.kind == InputKind::user; };
    PartSamples found{.source = &samples, .inputs = {}};
    for (const NodeId input : inputs) {
        const std::int32_t entry = entries[input.index()];
        const bool isOfWhole = entry >= 0;
        found.inputs.push_back(isOfWhole ? static_cast<std::size_t>(std::count_if(specs.begin(), specs.begin() + entry, isUser))
                                         : std::numeric_limits<std::size_t>::max());
        const std::size_t number = found.inputs.size() - 1;
        const InputSpec spec = isOfWhole ? specs[static_cast<std::size_t>(entry)]
                                         : InputSpec{.kind = InputKind::user, .value = Argument::node(input)};
        described[number].example = word(partSampleOf(found, spec, number));
    }
    return found;
}

constexpr const char* kManifest = "manifest.json";

/// A program and its split.
struct Cut {
    const Program& source;
    const SplitResult& split;
};

/// Whether the parts are .pt2 files.
bool isArchive(const Program& source, PartFormat format)
{
    return (format == PartFormat::asSource ? usualPartFormat(source) : format) == PartFormat::pt2;
}

class PartsExporter {
    static constexpr double kSourceShare = 0.2; ///< fraction of the progress for hashing the source

public:
    /// `written`: the parts to write. `figures`: the same cut at assumed sizes, for the figures in the manifest.
    PartsExporter(Cut written, Cut figures, const SeparateCut& separate, const ExportPartsOptions& options,
                  ProgressMonitor& monitor)
        : m_source(written.source), m_split(written.split), m_figures(figures), m_separate(separate), m_options(options),
          m_monitor(monitor), m_isArchive(isArchive(m_source, options.format)), m_weights(m_source)
    {
    }

    Result<StagedParts> run(const std::string& folder)
    {
        SUNDER_PROPAGATE(plan());
        SUNDER_PROPAGATE(describeSource());
        SUNDER_TRY(m_size, sizeOfParts(m_source, m_split, m_plan, m_monitor));
        SUNDER_PROPAGATE(checkFreeSpace(folder, m_size.weights, "the parts"));
        SUNDER_TRY(StagedFolder stage, StagedFolder::create(folder));
        std::vector<std::string> earlier = filesOfManifest(stage.placeOf(kManifest).string());
        if (m_isArchive && isOurs(stage.placeOf(kPartRunner), earlier))
            m_manifest.runner = kPartRunner;
        std::vector<std::string> names = m_files;
        names.emplace_back(kManifest);
        if (!m_manifest.runner.empty())
            names.push_back(m_manifest.runner);
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            if (hasWeightsBeside(i))
                names.push_back(weightsBeside(m_files[i]));
        for (const std::vector<std::string>& list : {names, earlier})
            SUNDER_PROPAGATE(checkSourceStays(stage, list));
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            SUNDER_PROPAGATE(writePart(i, stage, folder));
        SUNDER_PROPAGATE(writeTexts(stage, folder));
        if (m_source.origin.opened)
            SUNDER_PROPAGATE(m_source.origin.opened->checkUnchanged());
        ExportedParts written = result(folder);
        for (const std::string& name : earlier)
            if (std::error_code error;
                std::ranges::find(names, name) == names.end() && std::filesystem::exists(stage.placeOf(name), error))
                written.removed.push_back(name);
        return StagedParts(std::move(stage), std::move(written), std::move(names), std::move(earlier));
    }

private:
    Result<void> plan()
    {
        m_parts = distinctParts(m_split);
        if (m_source.signature) {
            SUNDER_TRY(PartPlan planned, planParts(m_source, m_split));
            m_plan = std::move(planned);
            SUNDER_PROPAGATE(m_monitor.check());
            if (const Result<void> described = describeParts(); !described)
                return described;
        } else {
            m_manifest = manifestOfModules(m_figures.source, m_figures.split);
        }
        m_manifest.assumed = assumedSizes(sizeAssumptions(m_figures.source));
        nameFiles();
        SUNDER_PROPAGATE(m_monitor.check());
        if (m_isArchive && m_source.signature)
            m_samples = SampleInputs::read(m_source);
        for (std::size_t i = 0; m_isArchive && !m_source.signature && i < m_parts.size(); ++i)
            SUNDER_PROPAGATE(programOf(i)); // fail before gigabytes of earlier parts are written
        return {};
    }

    /// Builds the manifest, with figures for the assumed sizes.
    Result<void> describeParts()
    {
        if (&m_figures.source == &m_source) {
            m_manifest = manifestOf(m_source, m_split, m_plan);
            return {};
        }
        SUNDER_TRY(const PartPlan assumed, planParts(m_figures.source, m_figures.split));
        m_manifest = manifestOf(m_figures.source, m_figures.split, assumed);
        return {};
    }

    void nameFiles()
    {
        std::vector<std::string> names;
        for (const std::size_t part : m_parts)
            names.push_back(m_split.partNames[part].str());
        m_files = partFileNames(names, m_isArchive ? ".pt2" : std::string(kPlainPartSuffix));
        std::unordered_map<std::string, std::string> fileOf;
        for (std::size_t i = 0; i < names.size(); ++i)
            fileOf.emplace(names[i], m_files[i]);
        for (ManifestPart& part : m_manifest.parts) {
            part.file = fileOf[part.name];
            for (const auto& [name, input] : m_separate.writes)
                if (name.view() == part.name)
                    part.writes.push_back(input.str());
            for (const auto& [name, note] : m_separate.notes)
                if (name.view() == part.name)
                    part.notes.push_back(note);
            for (const PartitionDagNode& node : m_options.dag)
                if (node.submodule.view() == part.name)
                    part.devices = node.devices;
        }
    }

    Result<void> describeSource()
    {
        const std::filesystem::path file = m_source.origin.file;
        m_manifest.sourceFile = file.filename().string();
        m_manifest.model = m_source.origin.model;
        SubProgress monitor(m_monitor, 0.0, kSourceShare);
        SUNDER_TRY(std::string hash, sha256OfSource(m_source, monitor));
        m_manifest.sha256 = std::move(hash);
        return {};
    }

    /// Checks that no file that is written or removed is the source of the parts.
    Result<void> checkSourceStays(const StagedFolder& stage, const std::vector<std::string>& names) const
    {
        std::error_code error;
        for (const std::string& name : names)
            if (std::filesystem::equivalent(stage.placeOf(name), m_source.origin.file, error))
                return fail(ErrorCode::usage, "the parts would overwrite the model that they are cut from",
                            {.file = stage.placeOf(name).string()});
        return {};
    }

    [[nodiscard]] bool hasWeightsBeside(std::size_t index) const { return !m_isArchive && m_size.weightsOf[m_parts[index]] != 0; }

    /// Returns the part as a program whose storages refer to the source file.
    Result<Program> programOf(std::size_t index)
    {
        const std::size_t part = m_parts[index];
        if (m_source.signature)
            return exportedPart(m_source, m_plan, part, m_monitor);
        Program plain = partModule(m_source, m_split, part);
        plain.origin = m_source.origin;
        if (!m_isArchive)
            return plain;
        Result<ExportedForm> form = exportedForm(plain, m_monitor);
        if (!form)
            return tl::unexpected<Error>(partFormError(m_split.partNames[part].str(), form.error()));
        for (ManifestPart& described : m_manifest.parts)
            if (described.file == m_files[index])
                described.notes.insert(described.notes.end(), form->notes.begin(), form->notes.end());
        return std::move(form->program);
    }

    Result<void> writeFiles(std::size_t index, const Program& program, const StagedFolder& stage, ProgressMonitor& monitor)
    {
        const std::string path = stage.pathOf(m_files[index]);
        if (m_isArchive)
            return writePt2(program, path, archiveOptions(index), monitor);
        if (!hasWeightsBeside(index))
            return writeFxJson(program, path, weightsFrom(index, stage), monitor);
        const std::string beside = weightsBeside(m_files[index]);
        SUNDER_TRY(Program placed, writePartWeights(m_source, program, stage.pathOf(beside), beside, monitor));
        placed.origin.folder = weightsFrom(index, stage);
        return writeFxJson(placed, path, placed.origin.folder, monitor);
    }

    /// Returns the folder that the weight paths of an fx-json part are relative to: its own, before or after the files are moved
    /// there.
    [[nodiscard]] std::string weightsFrom(std::size_t index, const StagedFolder& stage) const
    {
        const std::string& file = m_files[index];
        return std::filesystem::path(hasWeightsBeside(index) ? stage.pathOf(file) : stage.placeOf(file).string())
            .parent_path()
            .string();
    }

    /// Whether run.py may be written: it does not exist, or is from an earlier export. A user's own file is kept.
    static bool isOurs(const std::filesystem::path& runner, const std::vector<std::string>& earlier)
    {
        std::error_code error;
        return std::ranges::find(earlier, kPartRunner) != earlier.end()
            || !std::filesystem::exists(std::filesystem::symlink_status(runner, error));
    }

    /// Writes the manifest and the script that runs the parts.
    Result<void> writeTexts(const StagedFolder& stage, const std::string& folder)
    {
        m_manifest.tied = m_weights.ties();
        if (const Result<void> written = writeFileAtomically(stage.pathOf(kManifest), manifestJson(m_manifest)); !written)
            return inFolder(written.error(), folder, kManifest);
        if (m_manifest.runner.empty())
            return {};
        if (const Result<void> written = writeFileAtomically(stage.pathOf(kPartRunner), part_data::runner); !written)
            return inFolder(written.error(), folder, kPartRunner);
        return {};
    }

    /// Writes a part. Writing counts as the first half of its progress, reading back and hashing as the second.
    Result<void> writePart(std::size_t index, const StagedFolder& stage, const std::string& folder)
    {
        SUNDER_PROPAGATE(m_monitor.check());
        const double begin = doneBefore(index);
        const double length = doneBefore(index + 1) - begin;
        m_monitor.report(begin, m_files[index]);
        SUNDER_TRY(const Program program, programOf(index));
        m_weights.add(m_split.partNames[m_parts[index]].str(), program);
        SUNDER_PROPAGATE(m_monitor.check());
        SubProgress writing(m_monitor, begin, begin + 0.5 * length);
        if (const Result<void> written = writeFiles(index, program, stage, writing); !written)
            return inFolder(written.error(), folder, m_files[index]);
        const std::string path = stage.pathOf(m_files[index]);
        SubProgress reading(m_monitor, begin + 0.5 * length, begin + 0.8 * length);
        Result<ContentsReport> checked = checkReadBack(
            program, path, {.target = m_options.target, .weightsFrom = weightsFrom(index, stage)}, reading);
        if (!checked)
            return inFolder(checked.error(), folder, m_files[index]);
        m_contents.tensors += checked->tensors;
        m_contents.bytes += checked->bytes;
        std::ranges::move(checked->taken, std::back_inserter(m_contents.taken));
        SubProgress hashing(m_monitor, begin + 0.8 * length, begin + length);
        for (ManifestPart& described : m_manifest.parts)
            if (described.file == m_files[index])
                described.operators = operatorsToRegister(program);
        return describeFiles(index, stage, folder, hashing);
    }

    /// Records the files of a part in the manifest.
    Result<void> describeFiles(std::size_t index, const StagedFolder& stage, const std::string& folder, ProgressMonitor& monitor)
    {
        const std::string beside = hasWeightsBeside(index) ? weightsBeside(m_files[index]) : std::string();
        const Result<std::string> hash = sha256OfFile(stage.pathOf(m_files[index]), monitor);
        const Result<std::string> weights = beside.empty() ? Result<std::string>(std::string())
                                                           : sha256OfFile(stage.pathOf(beside), monitor);
        if (!hash || !weights)
            return inFolder(!hash ? hash.error() : weights.error(), folder, m_files[index]);
        for (ManifestPart& described : m_manifest.parts)
            if (described.file == m_files[index]) {
                described.sha256 = *hash;
                described.weights = beside;
                described.weightsSha256 = *weights;
            }
        return {};
    }

    /// Returns the progress before a part. Parts are weighted by the bytes of their weights.
    [[nodiscard]] double doneBefore(std::size_t index) const
    {
        std::uint64_t before = 0;
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const std::uint64_t bytes = m_size.weightsOf[m_parts[i]] + 1;
            before += i < index ? bytes : 0;
            all += bytes;
        }
        return kSourceShare + (1.0 - kSourceShare) * static_cast<double>(before) / static_cast<double>(all);
    }

    /// Also adds example inputs and remarks to the manifest.
    Pt2WriteOptions archiveOptions(std::size_t index)
    {
        Pt2WriteOptions options{.isPart = true, .target = m_options.target};
        const auto part = std::ranges::find(m_manifest.parts, m_files[index], &ManifestPart::file);
        if (part == m_manifest.parts.end())
            return options;
        options.remark = [part](const std::string& note) { part->notes.push_back(note); };
        if (!m_samples)
            return options;
        options.samples = samplesOfPart(m_source, m_plan.inputs[m_parts[index]], *m_samples, part->inputs);
        return options;
    }

    /// Reports an error with the final path of a written file instead of its temporary path.
    [[nodiscard]] tl::unexpected<Error> inFolder(Error error, const std::string& folder, const std::string& file) const
    {
        if (!m_source.origin.opened || error.where.file != m_source.origin.opened->path())
            error.where.file = (std::filesystem::path(folder) / file).string();
        return tl::unexpected<Error>(std::move(error));
    }

    [[nodiscard]] ExportedParts result(const std::string& folder) const
    {
        const std::filesystem::path at = folder;
        ExportedParts parts{.manifest = (at / kManifest).string(), .files = {}, .removed = {}, .contents = m_contents};
        if (!m_manifest.runner.empty())
            parts.runner = (at / kPartRunner).string();
        for (const std::string& file : m_files)
            parts.files.push_back((at / file).string());
        return parts;
    }

    const Program& m_source;
    const SplitResult& m_split;
    Cut m_figures;
    const SeparateCut& m_separate;
    const ExportPartsOptions& m_options;
    ProgressMonitor& m_monitor;
    bool m_isArchive;
    PartPlan m_plan;
    PartsSize m_size;
    PartManifest m_manifest;
    std::optional<SampleInputs> m_samples; ///< of the source
    std::vector<std::size_t> m_parts; ///< indices into the split's parts
    std::vector<std::string> m_files; ///< one per entry of m_parts
    SharedWeights m_weights;
    ContentsReport m_contents; ///< comparison of the parts that were read back
};

} // namespace

PartFormat usualPartFormat(const Program& source)
{
    return source.origin.format == "pt2" && source.signature ? PartFormat::pt2 : PartFormat::fxJson;
}

Result<void> StagedParts::commit()
{
    const CommitGuard guard;
    return m_stage.commit(m_names, m_earlier);
}

Result<StagedParts> stageParts(const Program& source, const SplitResult& split, const std::string& folder,
                               const ExportPartsOptions& options, ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(checkProof(source, split, options, monitor));
    SUNDER_TRY(const SeparateCut separate, separateCut(source, split, {.unproven = options.unproven}, monitor));
    const Cut figures = separate.changed ? Cut{separate.changed->source, separate.changed->split} : Cut{source, split};
    if (separate.changed)
        SUNDER_PROPAGATE(checkProof(source, figures.split, {.unproven = options.unproven}, monitor));
    if (!source.fileHints || !isArchive(source, options.format))
        return PartsExporter(figures, figures, separate, options, monitor).run(folder);
    Program exported = figures.source; // assumed sizes are used for figures only, not exported
    SplitResult cut = figures.split;
    takeFileSizes(exported);
    takeFileSizes(cut.program);
    return PartsExporter({exported, cut}, figures, separate, options, monitor).run(folder);
}

Result<ExportedParts> exportParts(const Program& source, const SplitResult& split, const std::string& folder,
                                  const ExportPartsOptions& options, ProgressMonitor& monitor)
{
    SUNDER_TRY(StagedParts staged, stageParts(source, split, folder, options, monitor));
    SUNDER_PROPAGATE(staged.commit());
    return staged.parts();
}

} // namespace sunder
