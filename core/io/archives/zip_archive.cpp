#include "io/archives/zip_archive.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

/// Repetitive JSON of exported programs compresses to about a fiftieth. Higher ratios are treated as an attack on memory.
constexpr std::uint64_t kPlausibleRatio = 250;
constexpr std::uint64_t kAlwaysPlausible = 4U << 20U;
constexpr std::size_t kMaxMembers = 4'000'000;
constexpr std::size_t kPiece = 1U << 18U;

bool leavesFolder(std::string_view name)
{
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("/\\", start), name.size());
        if (name.substr(start, end - start) == "..")
            return true;
        start = end + 1;
    }
    const bool drive = name.size() > 1 && name[1] == ':';
    return drive || name.starts_with('/') || name.starts_with('\\') || name.find('\\') != std::string_view::npos;
}

} // namespace

tl::unexpected<Error> ZipArchive::damaged(std::string message, std::string member) const
{
    return fail(ErrorCode::malformed, std::move(message), {.file = path(), .member = std::move(member)});
}

Result<ZipArchive> ZipArchive::open(const std::string& path)
{
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    return file ? open(std::move(*file)) : Result<ZipArchive>(forward(file));
}

Result<ZipArchive> ZipArchive::open(std::shared_ptr<const SourceFile> file)
{
    ZipArchive archive;
    archive.m_file = std::move(file);
    SUNDER_PROPAGATE(archive.m_file->checkUnchanged());
    SUNDER_TRY(std::vector<ZipMember> members, readZipDirectory(*archive.m_file));
    archive.m_members = std::move(members);
    SUNDER_PROPAGATE(archive.checkNames());
    SUNDER_PROPAGATE(archive.checkSameMembers());
    return archive;
}

Result<void> ZipArchive::checkSameMembers() const
{
    std::vector<MemberMark> marks;
    marks.reserve(m_members.size());
    for (const ZipMember& member : m_members)
        marks.push_back({.name = member.name, .size = member.size, .crc = member.crc});
    return m_file->checkMembers(std::move(marks));
}

Result<void> ZipArchive::checkNames()
{
    if (m_members.size() > kMaxMembers)
        return damaged("holds " + formatCount(m_members.size(), "member") + ", more than " + formatCount(kMaxMembers));
    m_byName.reserve(m_members.size());
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const std::string& name = m_members[i].name;
        if (name.empty())
            return damaged("has a member without a name");
        if (leavesFolder(name))
            return damaged("has a member whose path leaves the archive: \"" + name + "\"");
        if (!m_byName.emplace(name, i).second)
            return damaged("has a duplicate member", name);
    }
    return {};
}

const ZipMember* ZipArchive::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_members[found->second];
}

std::string ZipArchive::commonRoot() const
{
    if (m_members.empty())
        return {};
    const std::string& first = m_members.front().name;
    const std::size_t slash = first.find('/');
    if (slash == std::string::npos)
        return {};
    const std::string root = first.substr(0, slash + 1);
    const bool shared = std::all_of(m_members.begin(), m_members.end(),
                                    [&](const ZipMember& member) { return member.name.starts_with(root); });
    return shared ? root : std::string();
}

Result<ZipMemberStream> ZipArchive::openMember(std::string_view name) const
{
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return damaged("lacks a referenced member", std::string(name));
    const ZipMember& member = m_members[found->second];
    if (!member.readable)
        return damaged("has a member with an unsupported compression method (neither stored nor deflated)", member.name);
    if (member.stored && member.size != member.packedSize)
        return damaged("has an uncompressed member whose two sizes differ", member.name);
    if (member.size > kAlwaysPlausible && member.size / kPlausibleRatio > member.packedSize)
        return damaged("has a member that would unpack from " + formatBytes(member.packedSize) + " to " + formatBytes(member.size)
                           + ", which is not plausible",
                       member.name);
    return ZipMemberStream::open(m_file, member);
}

Result<ZipArchive> ZipArchive::openArchive(std::string_view name) const
{
    SUNDER_TRY(const ZipMemberStream stream, openMember(name));
    if (!stream.member().stored)
        return fail(ErrorCode::unsupported, "contains a compressed archive, which cannot be read",
                    {.file = path(), .member = std::string(name)});
    Result<ZipArchive> inner = open(SourceFile::stretch(m_file, stream.dataOffset(), stream.member().size));
    if (inner)
        return inner;
    Error error = inner.error();
    error.where.member = std::string(name) + (error.where.member.empty() ? "" : "/" + error.where.member);
    return tl::unexpected<Error>(std::move(error));
}

Result<void> ZipArchive::copyMember(std::string_view name, const std::function<bool(std::span<const char>)>& sink) const
{
    SUNDER_TRY(ZipMemberStream stream, openMember(name));
    std::vector<char> piece(std::min<std::uint64_t>(kPiece, stream.member().size + 1));
    for (;;) {
        SUNDER_TRY(const std::size_t count, stream.read(piece));
        if (count == 0 || !sink(std::span<const char>(piece).first(count)))
            return {};
    }
}

Result<std::string> ZipArchive::readMember(std::string_view name, std::uint64_t limit) const
{
    if (const ZipMember* member = find(name); member != nullptr && member->size > limit)
        return damaged("has a member that is too large: " + formatBytes(member->size) + "; the limit is " + formatBytes(limit),
                       member->name);
    std::string bytes;
    const Result<void> copied = copyMember(name, [&bytes](std::span<const char> piece) {
        bytes.append(piece.data(), piece.size());
        return true;
    });
    if (!copied)
        return forward(copied);
    return bytes;
}

} // namespace sunder
