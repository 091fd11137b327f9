#include "cli/command.h"

#include <QFile>

#include <sys/resource.h>
#include <unistd.h>

namespace sunder::cli {

std::uint64_t peakResidentBytes()
{
    // VmHWM starts at zero in a new program; ru_maxrss includes the process that started it.
    if (QFile status(QStringLiteral("/proc/self/status")); status.open(QIODevice::ReadOnly)) {
        const QByteArray text = status.readAll();
        constexpr QByteArrayView kKey("VmHWM:");
        if (const qsizetype at = text.indexOf(kKey); at >= 0) {
            const QByteArray line = text.mid(at + kKey.size(), text.indexOf('\n', at) - at - kKey.size());
            return line.simplified().split(' ').first().toULongLong() * 1024U;
        }
    }
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U; // kilobytes on Linux
}

void Outcome::note(const std::vector<std::string>& more)
{
    for (const std::string& one : more) {
        notes = notes.value_or(std::vector<std::string>());
        notes->push_back(one);
        warnings.push_back("note: " + one);
    }
}

JsonWriter Outcome::startedObject()
{
    JsonWriter json(0);
    json.beginObject();
    return json;
}

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
