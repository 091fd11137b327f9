#include "io/fx_json/fx_json_reader.h"

#include "io/archives/gzip.h"
#include "io/archives/source_file.h"
#include "io/fx_json/fx_json_program_builder.h"
#include "support/format.h"
#include "support/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {
namespace {

/// Reads a text file, gzipped or not, line by line. Keeps only one line and a small window in memory.
class FxJsonLines final {
public:
    /// Maximum length of a line. Longer lines are rejected before they fill the memory.
    static constexpr std::size_t kMaxBytes = 32U << 20U;

    /// Reads an open file.
    static FxJsonLines of(std::shared_ptr<const SourceFile> file);
    /// Reads a text in memory, which must outlive the result.
    static FxJsonLines of(std::string_view text);

    /// Returns the next line without its line end; nothing at the end of the file. Valid until the next call.
    Result<std::optional<std::string_view>> next();
    /// 1-based number of the last line returned by next().
    [[nodiscard]] std::uint64_t number() const { return m_number; }
    /// Fraction of the file that was read, 0 … 1.
    [[nodiscard]] double fraction() const;

private:
    FxJsonLines() = default;
    Result<bool> fill();

    std::shared_ptr<const SourceFile> m_file; ///< null for a text in memory
    std::unique_ptr<GunzipStream> m_gunzip;
    std::string m_packed;
    std::string m_buffer;
    std::string_view m_rest; ///< rest of the buffer or text
    std::uint64_t m_number = 0;
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_bytes = 0;
    bool m_atEnd = false;
};

constexpr std::size_t kLinesPiece = 1U << 18U;
constexpr std::size_t kPackedLines = 1U << 13U; ///< decompresses to at most a thousand times its size

FxJsonLines FxJsonLines::of(std::shared_ptr<const SourceFile> file)
{
    FxJsonLines lines;
    lines.m_bytes = file->size();
    std::string head(2, '\0');
    head.resize(file->read(0, head).value_or(0));
    if (isGzip(head))
        lines.m_gunzip = std::make_unique<GunzipStream>();
    lines.m_file = std::move(file);
    return lines;
}

FxJsonLines FxJsonLines::of(std::string_view text)
{
    FxJsonLines lines;
    lines.m_rest = text;
    lines.m_atEnd = true;
    lines.m_bytes = text.size();
    return lines;
}

double FxJsonLines::fraction() const
{
    if (!m_file)
        return m_bytes != 0 ? 1.0 - static_cast<double>(m_rest.size()) / static_cast<double>(m_bytes) : 1.0;
    return m_bytes != 0 ? static_cast<double>(m_bytesRead) / static_cast<double>(m_bytes) : 1.0;
}

/// Reads another piece after the rest of the buffer; false at the end of the file.
Result<bool> FxJsonLines::fill()
{
    if (m_atEnd)
        return false;
    m_buffer.erase(0, m_buffer.size() - m_rest.size());
    const std::size_t kept = m_buffer.size();
    const std::size_t most = m_gunzip ? kPackedLines : kLinesPiece;
    std::string& piece = m_gunzip ? m_packed : m_buffer;
    const std::size_t before = m_gunzip ? 0 : kept;
    piece.resize(before + most);
    SUNDER_TRY(const std::size_t read, m_file->read(m_bytesRead, std::span(piece).subspan(before)));
    const std::size_t count = read;
    piece.resize(before + count);
    m_bytesRead += count;
    if (count == 0) {
        m_atEnd = true;
        if (m_gunzip && !m_gunzip->isComplete())
            return fail(ErrorCode::malformed, "is truncated: the gzip data is incomplete");
    } else if (m_gunzip) {
        SUNDER_PROPAGATE(m_gunzip->unpack(m_packed, m_buffer));
    }
    m_rest = m_buffer;
    return count != 0;
}

Result<std::optional<std::string_view>> FxJsonLines::next()
{
    std::size_t searched = 0;
    for (;;) {
        const std::size_t end = m_rest.find('\n', searched);
        if (std::min(end, m_rest.size()) > kMaxBytes)
            return fail(ErrorCode::malformed, "has a line longer than " + formatBytes(kMaxBytes));
        if (end != std::string_view::npos) {
            const std::string_view line = m_rest.substr(0, end);
            m_rest.remove_prefix(end + 1);
            ++m_number;
            return line;
        }
        searched = m_rest.size();
        SUNDER_TRY(const bool more, fill());
        if (!more)
            break;
    }
    if (m_rest.empty())
        return std::nullopt;
    const std::string_view last = std::exchange(m_rest, {});
    ++m_number;
    return last;
}

tl::unexpected<Error> inFile(Error error, const std::string& file, std::uint64_t line)
{
    error.where.file = file;
    if (error.where.line == 0)
        error.where.line = line;
    return tl::unexpected<Error>(std::move(error));
}

Result<Program> readLines(FxJsonLines& lines, const std::string& name, ProgressMonitor& monitor)
{
    constexpr std::uint64_t kLinesAReport = 4096;
    FxJsonProgramBuilder builder;
    for (;;) {
        const Result<std::optional<std::string_view>> line = lines.next();
        if (!line)
            return inFile(line.error(), name, lines.number() + 1);
        if (!*line)
            break;
        if (const Result<void> taken = builder.takeLine(**line, lines.number()); !taken)
            return inFile(taken.error(), name, 0);
        if (lines.number() % kLinesAReport != 0)
            continue;
        monitor.report(lines.fraction(), "Reading " + name);
        SUNDER_PROPAGATE(monitor.check());
    }
    Result<Program> program = builder.finish();
    if (!program)
        return inFile(program.error(), name, 0);
    program->origin.file = name;
    program->origin.folder = std::filesystem::path(name).parent_path().string();
    return program;
}

} // namespace

Result<Program> readFxJson(const std::string& path, ProgressMonitor& monitor)
{
    SUNDER_TRY(std::shared_ptr<const SourceFile> file, SourceFile::open(path, monitor));
    return readFxJson(std::move(file), monitor);
}

Result<Program> readFxJson(std::shared_ptr<const SourceFile> file, ProgressMonitor& monitor)
{
    FxJsonLines lines = FxJsonLines::of(file);
    Result<Program> program = readLines(lines, file->path(), monitor);
    SUNDER_PROPAGATE(file->checkUnchanged());
    if (program)
        program->origin.opened = std::move(file);
    return program;
}

Result<Program> parseFxJson(std::string_view text, const std::string& nameForMessages)
{
    FxJsonLines lines = FxJsonLines::of(text);
    return readLines(lines, nameForMessages, ProgressMonitor::none());
}

} // namespace sunder
