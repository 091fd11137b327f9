#include "cli/standard_output.h"

#include "support/text.h"

#include <QString>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace sunder::cli {
namespace {

Result<void> writeTo(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return fail(ErrorCode::io, std::string("cannot write: ") + std::strerror(errno), {.file = "standard output"});
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

void appendEscape(std::string& out, char16_t unit)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(unit));
    out += text.data();
}

/// Escapes characters that JSON permits but a terminal interprets, as \\u sequences. They occur only in strings.
std::string jsonForTerminals(const std::string& json)
{
    if (isVisible(json))
        return json;
    std::string out;
    const QString text = QString::fromStdString(json);
    for (const uint code : text.toUcs4()) {
        const char32_t character = code;
        const QString one = QString::fromUcs4(&character, 1);
        if (const std::string utf8 = one.toStdString(); isVisible(utf8))
            out += utf8;
        else
            for (const QChar unit : one)
                appendEscape(out, unit.unicode());
    }
    return out;
}

} // namespace

Result<void> printText(const std::string& text)
{
    return writeTo(STDOUT_FILENO, text);
}

Result<void> printLines(const std::vector<std::string>& lines, bool isTaken)
{
    std::string text;
    for (const std::string& line : lines)
        text += visibleText(line) + "\n";
    return writeTo(isTaken ? STDERR_FILENO : STDOUT_FILENO, text);
}

Result<void> printJson(const std::string& json)
{
    return printText(jsonForTerminals(json) + "\n");
}

void complain(const std::string& line)
{
    (void)writeTo(STDERR_FILENO, "sunder-cli: " + visibleText(line) + "\n");
}

} // namespace sunder::cli
