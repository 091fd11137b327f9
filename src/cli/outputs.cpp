#include "cli/outputs.h"

#include <unistd.h>

namespace sunder::cli {

Result<void> Outputs::write(const std::string& path, const std::function<Result<void>(const std::string& at)>& write)
{
    SUNDER_TRY(StagedFile staged, StagedFile::create(path));
    if (Result<void> written = write(staged.path()); !written) {
        if (written.error().where.file == staged.path())
            written.error().where.file = path;
        return written;
    }
    m_fillStandardOutput = m_fillStandardOutput || openFileOf(behindLinks(path)) == STDOUT_FILENO;
    m_files.push_back(std::move(staged));
    return {};
}

Result<void> Outputs::commit()
{
    // Do slow or fallible work first: flushing to disk, and writing to pipes.
    for (StagedFile& file : m_files)
        if (const Result<void> sealed = file.seal(); !sealed)
            return sealed;
    SUNDER_PROPAGATE(place());
    for (const StagedFile& file : m_files)
        file.settle();
    return {};
}

Result<void> Outputs::place()
{
    const CommitGuard guard;
    Result<void> done = {};
    std::size_t placed = 0;
    while (done && placed < m_files.size())
        if (done = m_files[placed].commit(); done)
            ++placed;
    if (done && m_parts)
        done = m_parts->commit();
    while (!done && placed > 0)
        m_files[--placed].undo();
    return done;
}

} // namespace sunder::cli
