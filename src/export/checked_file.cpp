#include "export/checked_file.h"

#include "support/staged_file.h"

namespace sunder {

Result<void> writeChecked(const QString& path, const std::function<Result<void>(const QString&)>& write,
                          const std::function<Result<void>(const QString&)>& check)
{
    Result<StagedFile> staged = StagedFile::create(path.toStdString());
    if (!staged)
        return forward(staged);
    const QString at = QString::fromStdString(staged->path());
    Result<void> done = write(at);
    if (done)
        done = check(at);
    if (!done) {
        Error error = done.error();
        error.where.file = path.toStdString();
        return tl::unexpected<Error>(std::move(error));
    }
    if (done = staged->seal(); !done)
        return done;
    {
        const CommitGuard guard;
        if (done = staged->commit(); !done)
            return done;
    }
    staged->settle();
    return {};
}

} // namespace sunder
