// DOT's own quoting knows one escape only, \" for a quote; every other backslash stays, also the first of two.
#include "io/dot_text.h"

namespace sunder {
namespace {

void appendPlain(std::string& out, char c)
{
    const bool isControl = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    out += isControl ? ' ' : c;
}

} // namespace

std::string dotQuoted(std::string_view text)
{
    std::string out = "\"";
    std::size_t backslashes = 0; // directly before this place
    for (const char c : text) {
        if (c == '"') {
            out += backslashes % 2 == 1 ? "\\\\\"" : "\\\"";
        } else {
            appendPlain(out, c);
        }
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return out + (backslashes % 2 == 1 ? "\\\"" : "\"");
}

std::string dotQuotedJson(std::string_view json)
{
    std::string out = "\"";
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '\\' && i + 1 < json.size()) {
            ++i;
            if (json[i] == '"')
                out += "\\u0022";
            else if (json[i] == '\\')
                out += "\\u005c";
            else
                (out += '\\') += json[i];
        } else if (json[i] == '"') {
            out += "\\\"";
        } else {
            appendPlain(out, json[i]);
        }
    }
    return out + '"';
}

std::string dotLabel(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += "\\\"";
        else if (c == '\\')
            out += "\\\\";
        else if (c == '\n')
            out += "\\n";
        else
            appendPlain(out, c);
    }
    return out + '"';
}

} // namespace sunder
