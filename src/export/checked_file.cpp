#include "export/checked_file.h"

#include "document/text.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "parts/stored_contents.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/staged_file.h"
#include "text/amounts.h"
#include "verify/verdict_text.h"

#include <filesystem>

namespace sunder {
namespace {

Result<StagedFile> stage(const CheckedFile& file)
{
    Result<StagedFile> staged = StagedFile::create(file.path.toStdString());
    if (!staged)
        return staged;
    const QString at = QString::fromStdString(staged->path());
    Result<void> done = file.write(at);
    if (done)
        done = file.check(at);
    if (!done) {
        Error error = done.error();
        error.where.file = file.path.toStdString();
        return tl::unexpected<Error>(std::move(error));
    }
    SUNDER_PROPAGATE(staged->seal());
    return staged;
}

} // namespace

Result<void> writeChecked(const std::vector<CheckedFile>& files)
{
    std::vector<StagedFile> staged;
    for (const CheckedFile& file : files) {
        SUNDER_TRY(StagedFile next, stage(file));
        staged.push_back(std::move(next));
    }
    {
        const CommitGuard guard;
        for (std::size_t placed = 0; placed < staged.size(); ++placed) {
            Result<void> done = staged[placed].commit();
            if (done)
                continue;
            while (placed > 0)
                staged[--placed].undo();
            return done;
        }
    }
    for (const StagedFile& file : staged)
        file.settle();
    return {};
}

Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check)
{
    return writeChecked({CheckedFile{path, write, check}});
}

namespace {

constexpr unsigned kMaxDepth = 256;

Result<void> checkText(const QString& path, std::string_view text)
{
    SUNDER_TRY(const std::string back, readFile(path.toStdString(), text.size() + 1));
    return back == text ? Result<void>() : Result<void>(fail(ErrorCode::io, "the file differs from the text that was written"));
}

} // namespace

Result<void> writeTextChecked(const QString& path, std::string_view text)
{
    return writeChecked(
        path, [&](const QString& at) { return writeFileAtomically(at.toStdString(), text); },
        [&](const QString& at) { return checkText(at, text); });
}

Result<void> writeJsonChecked(const QString& path, std::string_view json)
{
    JsonTape tape;
    SUNDER_PROPAGATE(tape.parse(json, kMaxDepth));
    return writeTextChecked(path, json);
}

Result<ReadBack> readBack(const Program& program, const QString& path, const std::string& laterFolder, ProgressMonitor& monitor)
{
    SUNDER_TRY(Program back, readModel(path.toStdString(), {}, monitor));
    if (back.origin.format == "fx-json")
        back.origin.folder = laterFolder;
    const StoredContents contents;
    SUNDER_TRY(const VerifyReport report, verify(program, back, {.contents = &contents}, monitor));
    const QString nodes = countText(back.nodeCount(), "node");
    switch (report.verdict) {
    case Verdict::different:
        return fail(ErrorCode::refused, "the written program is not equivalent to the original: " + report.why);
    case Verdict::sameUpToRounding:
        return ReadBack{std::move(back),
                        QObject::tr("File read back: %1, equivalent only up to rounding. %2").arg(nodes, sentence(report.why))};
    case Verdict::undecided:
        return ReadBack{std::move(back),
                        QObject::tr("File read back: %1, not proven equivalent. %2").arg(nodes, sentence(report.why))};
    case Verdict::same: break;
    }
    return ReadBack{std::move(back), QObject::tr("File read back: %1, equivalent. %2").arg(nodes, text(basisText(report)))};
}

Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor)
{
    monitor.report(0.1, "writing");
    QString note;
    const std::string folder = std::filesystem::path(path.toStdString()).parent_path().string();
    const auto write = [&](const QString& at) { return writeFxJson(program, at.toStdString(), folder); };
    const auto check = [&](const QString& at) -> Result<void> {
        monitor.report(0.5, "checking the file");
        SUNDER_TRY(const ReadBack back, readBack(program, at, folder, monitor));
        note = back.note;
        return {};
    };
    SUNDER_PROPAGATE(writeChecked(path, write, check));
    return note;
}

} // namespace sunder
