#include "io/exported_program/exported_program_sax.h"

#include "io/exported_program/exported_program_cutter.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace sunder {
namespace {

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

/// Adapts a Window to an input iterator for nlohmann's parser. Default-constructed: the end.
class WindowIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    WindowIterator() = default;
    explicit WindowIterator(Window* window) : m_window(window) { advance(); }
    char operator*() const { return *m_at; }
    WindowIterator& operator++()
    {
        if (++m_at == m_end)
            advance();
        return *this;
    }
    friend bool operator==(const WindowIterator& a, const WindowIterator& b) { return a.isEnd() == b.isEnd(); }
    friend bool operator!=(const WindowIterator& a, const WindowIterator& b) { return !(a == b); }

private:
    [[nodiscard]] bool isEnd() const { return m_at == m_end; }
    void advance()
    {
        const std::string_view piece = m_window->next();
        m_at = piece.data();
        m_end = m_at + piece.size();
    }

    const char* m_at = nullptr;
    const char* m_end = nullptr;
    Window* m_window = nullptr;
};

/// Receives the events of nlohmann's parser.
class Events final : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit Events(ExportedProgramCutter& cutter) : m_cutter(cutter) {}
    [[nodiscard]] const std::string& fault() const { return m_fault; }

    bool null() override { return m_cutter.scalar(JsonType::null, 0); }
    bool boolean(bool value) override { return m_cutter.scalar(JsonType::boolean, value ? 1 : 0); }
    bool number_integer(number_integer_t value) override
    {
        return m_cutter.scalar(JsonType::integer, static_cast<std::uint64_t>(value));
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return m_cutter.text(JsonType::floating, std::to_string(value));
        return m_cutter.scalar(JsonType::integer, value);
    }
    bool number_float(number_float_t, const string_t& digits) override { return m_cutter.text(JsonType::floating, digits); }
    bool string(string_t& text) override { return m_cutter.text(JsonType::string, text); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& text) override { return m_cutter.key(text); }
    bool start_object(std::size_t) override { return m_cutter.begin(JsonType::object); }
    bool start_array(std::size_t) override { return m_cutter.begin(JsonType::array); }
    bool end_object() override { return m_cutter.end(); }
    bool end_array() override { return m_cutter.end(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override
    {
        const std::string_view what = error.what();
        m_fault = "is not JSON";
        if (what.find("UTF-8") != std::string_view::npos)
            m_fault = "is not valid UTF-8";
        else if (error.id == 406)
            m_fault = "holds a number out of range";
        else if (what.find("unexpected end of input") != std::string_view::npos)
            m_fault = position <= 1 ? "is empty instead of JSON" : "is not JSON: it is truncated";
        m_fault += " (byte " + std::to_string(position) + ")";
        return false;
    }

private:
    ExportedProgramCutter& m_cutter;
    std::string m_fault;
};

} // namespace

Result<void> cutExportedProgram(ByteSource& source, ProgramPieces& pieces, ProgressMonitor& monitor)
{
    Window window(source, monitor);
    ExportedProgramCutter cutter(pieces);
    Events events(cutter);
    std::string fault;
    try {
        if (!nlohmann::json::sax_parse(WindowIterator(&window), WindowIterator(), &events))
            fault = events.fault();
    } catch (const nlohmann::json::exception& error) { // out of memory is not an error of the file
        fault = std::string("is not JSON: ") + error.what();
    }
    // Errors of a damaged source take precedence, because they explain all others.
    window.drain();
    if (window.error())
        return tl::unexpected<Error>(*window.error());
    if (cutter.error())
        return tl::unexpected<Error>(*cutter.error());
    if (!fault.empty())
        return fail(ErrorCode::malformed, fault);
    return {};
}

} // namespace sunder
