#include "export/checked_file.h"

#include "support/staged_file.h"

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

} // namespace sunder
