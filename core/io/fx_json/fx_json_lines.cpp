#include "io/fx_json/fx_json_lines.h"

#include "support/format.h"

namespace sunder {
namespace {

constexpr std::size_t kLinesPiece = 1U << 18U;
constexpr std::size_t kPackedLines = 1U << 13U; ///< decompresses to at most a thousand times its size

} // namespace

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

} // namespace sunder
