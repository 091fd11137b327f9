#include "export/program_file.h"

#include "document/text.h"
#include "export/checked_file.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "parts/stored_contents.h"
#include "text/amounts.h"
#include "verify/verdict_text.h"

#include <filesystem>

namespace sunder {

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
