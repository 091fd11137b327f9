#include "export/checked_file.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <filesystem>

namespace sunder {

namespace {

tl::unexpected<Error> failAt(const QString& path, const std::string& why)
{
    return fail(ErrorCode::io, "cannot write: " + why, {.file = path.toStdString()});
}

} // namespace

Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check)
{
    const QFileInfo place(path);
    const QTemporaryDir stage(place.absolutePath() + QStringLiteral("/.sunder-XXXXXX"));
    if (!stage.isValid())
        return failAt(path, stage.errorString().toStdString());
    const QString staged = stage.filePath(place.fileName());
    Result<void> done = write(staged);
    if (done)
        done = check(staged);
    if (!done) {
        Error error = done.error();
        error.where.file = path.toStdString();
        return tl::unexpected<Error>(std::move(error));
    }
    std::error_code error;
    std::filesystem::rename(staged.toStdString(), path.toStdString(), error);
    return error ? Result<void>(failAt(path, error.message())) : Result<void>();
}

} // namespace sunder
