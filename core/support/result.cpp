#include "support/result.h"

namespace sunder {

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
        text += error.where.file + ": ";
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
