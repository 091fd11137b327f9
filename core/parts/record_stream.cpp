#include "parts/record_stream.h"

namespace sunder {

Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin)
{
    Result<ZipMemberStream> stream = record.archive->openMember(record.member->name);
    if (stream)
        if (const Result<void> skipped = stream->skip(record.begin + begin); !skipped)
            return forward(skipped);
    return stream;
}

Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer)
{
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const Result<std::size_t> count = stream.read(buffer.subspan(filled));
        if (!count)
            return count;
        if (*count == 0)
            break;
        filled += *count;
    }
    return filled;
}

Result<void> checkEnd(ZipMemberStream& stream)
{
    char more = 0;
    if (stream.position() == stream.member().size)
        if (const Result<std::size_t> end = stream.read({&more, 1}); !end)
            return forward(end);
    return {};
}

} // namespace sunder
