#include "io/exported_program/exported_program_sax.h"

#include "io/exported_program/exported_program_cutter.h"
#include "support/json_parser.h"

#include <array>
#include <optional>

namespace sunder {
namespace {

constexpr unsigned kDeepestTree = 512;

/// Reads a source in pieces, which stay valid while they are parsed.
class Window {
public:
    Window(ByteSource& source, ProgressMonitor& monitor) : m_source(source), m_monitor(monitor) {}

    /// Returns the next piece; empty at the end and after an error.
    std::string_view next()
    {
        if (Result<void> going = m_monitor.check(); !m_error && !going)
            m_error = std::move(going).error();
        if (m_error)
            return {};
        const Result<std::size_t> count = m_source.read(m_buffer);
        if (!count) {
            m_error = count.error();
            return {};
        }
        m_read += *count;
        if (m_source.size() > 0)
            m_monitor.report(static_cast<double>(m_read) / static_cast<double>(m_source.size()), "Reading the program");
        return {m_buffer.data(), *count};
    }
    /// Reads to the end so that length and checksum of the source are checked.
    void drain()
    {
        while (!next().empty()) {
        }
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    ByteSource& m_source;
    ProgressMonitor& m_monitor;
    std::array<char, 1U << 16U> m_buffer{};
    std::uint64_t m_read = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<void> cutExportedProgram(ByteSource& source, ProgramPieces& pieces, ProgressMonitor& monitor)
{
    Window window(source, monitor);
    ExportedProgramCutter cutter(pieces);
    const std::optional<JsonFault> fault = readJson([&window] { return window.next(); }, kDeepestTree, cutter);
    // Errors of a damaged source take precedence, because they explain all others.
    window.drain();
    if (window.error())
        return tl::unexpected<Error>(*window.error());
    if (cutter.error())
        return tl::unexpected<Error>(*cutter.error());
    if (fault) {
        const bool isEmpty = fault->kind == JsonFault::Kind::truncated && fault->byte <= 1;
        return fail(ErrorCode::malformed, isEmpty ? "is empty instead of JSON (byte 1)" : describe(*fault));
    }
    return {};
}

} // namespace sunder
