#include "support/result.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// Returns whether a message lacks a subject, which is then the file: "is empty".
bool isPredicate(std::string_view message)
{
    static constexpr std::array<std::string_view, 12> kVerbs{"contains", "does", "ends",  "has",   "holds",  "is",
                                                             "lacks",    "must", "names", "needs", "refers", "was"};
    return std::ranges::find(kVerbs, message.substr(0, message.find(' '))) != kVerbs.end();
}

} // namespace

int exitStatus(ErrorCode code)
{
    switch (code) {
    case ErrorCode::refused: return 1;
    case ErrorCode::usage: return 2;
    case ErrorCode::io:
    case ErrorCode::malformed:
    case ErrorCode::unsupported: return 3;
    case ErrorCode::cancelled: return 4;
    }
    return 3;
}

std::string_view name(ErrorCode code)
{
    switch (code) {
    case ErrorCode::refused: return "refused";
    case ErrorCode::usage: return "usage";
    case ErrorCode::io: return "io";
    case ErrorCode::malformed: return "malformed";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::cancelled: return "cancelled";
    }
    return "error";
}

std::string describe(const Error& error)
{
    std::string text;
    if (!error.where.file.empty())
        text += error.where.file + (isPredicate(error.message) ? ": the file " : ": ");
    text += error.message;
    if (!error.where.member.empty())
        text += ", in " + error.where.member;
    if (error.where.line != 0)
        text += ", line " + std::to_string(error.where.line);
    for (char& c : text)
        if (c == '\n' || c == '\r')
            c = ' ';
    return text;
}

} // namespace sunder
