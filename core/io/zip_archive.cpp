#include "io/zip_archive.h"

#include "io/zip_archive_end.h"
#include "io/zip_file_source.h"
#include "support/format.h"

#include <zip.h>

#include <algorithm>

namespace sunder {
namespace {

/// Repetitive JSON of exported programs packs to about a fiftieth; more than this is an attack on memory.
constexpr std::uint64_t kPlausibleRatio = 250;
constexpr std::uint64_t kAlwaysPlausible = 4U << 20U;
constexpr std::size_t kMostMembers = 4'000'000;
constexpr std::size_t kPiece = 1U << 18U;

std::string textOf(zip_error_t* error)
{
    return zip_error_code_zip(error) == ZIP_ER_CRC ? std::string("its bytes do not match their CRC")
                                                   : std::string(zip_error_strerror(error));
}

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

struct ZipArchive::Close {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

struct ZipMemberStream::Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

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
    if (const Result<void> unchanged = archive.m_file->checkUnchanged(); !unchanged)
        return forward(unchanged);
    if (const Result<void> sound = checkZipEnd(*archive.m_file); !sound)
        return forward(sound);
    std::string why;
    zip_t* opened = openZip(archive.m_file, why);
    if (opened == nullptr)
        return archive.damaged("cannot be read as a zip archive: " + why);
    archive.m_zip = std::shared_ptr<zip_t>(opened, Close());
    if (const Result<void> read = archive.readDirectory(); !read)
        return forward(read);
    if (const Result<void> same = archive.checkSameMembers(); !same)
        return forward(same);
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

Result<void> ZipArchive::readDirectory()
{
    const auto count = static_cast<std::uint64_t>(zip_get_num_entries(m_zip.get(), 0));
    if (count > kMostMembers)
        return damaged("claims to hold " + formatCount(count) + " members");
    m_members.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(m_zip.get(), i, ZIP_FL_ENC_RAW, &stat) != 0 || stat.name == nullptr)
            return damaged("its directory is damaged: " + textOf(zip_get_error(m_zip.get())));
        if (stat.encryption_method != ZIP_EM_NONE)
            return damaged("has an encrypted member, which cannot be read", stat.name);
        m_members.push_back({.name = stat.name,
                             .size = stat.size,
                             .packedSize = stat.comp_size,
                             .crc = stat.crc,
                             .stored = stat.comp_method == ZIP_CM_STORE,
                             .readable = stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE});
    }
    return checkNames();
}

Result<void> ZipArchive::checkNames()
{
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const std::string& name = m_members[i].name;
        if (name.empty())
            return damaged("has a member without a name");
        if (leavesFolder(name))
            return damaged("has a member whose name leads out of the archive: \"" + name + "\"");
        if (!m_byName.emplace(name, i).second)
            return damaged("holds the same member twice", name);
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
        return damaged("lacks a member that it refers to", std::string(name));
    const ZipMember& member = m_members[found->second];
    if (!member.readable)
        return damaged("has a member packed by a method that is neither stored nor deflated", member.name);
    if (member.stored && member.size != member.packedSize)
        return damaged("has a member whose two sizes differ though it is not compressed", member.name);
    if (member.size > kAlwaysPlausible && member.size / kPlausibleRatio > member.packedSize)
        return damaged("has a member that claims to unpack from " + formatBytes(member.packedSize) + " to " +
                           formatBytes(member.size) + ", which is not plausible",
                       member.name);
    ZipMemberStream stream;
    stream.m_zip = m_zip;
    stream.m_member = member;
    stream.m_path = path();
    zip_file_t* file = zip_fopen_index(m_zip.get(), found->second, 0);
    if (file == nullptr)
        return damaged("has a member that cannot be read: " + textOf(zip_get_error(m_zip.get())), member.name);
    stream.m_file = std::shared_ptr<zip_file_t>(file, ZipMemberStream::Close());
    return stream;
}

Result<void> ZipArchive::copyMember(std::string_view name,
                                    const std::function<bool(std::span<const char>)>& sink) const
{
    Result<ZipMemberStream> stream = openMember(name);
    if (!stream)
        return forward(stream);
    std::vector<char> piece(std::min<std::uint64_t>(kPiece, stream->member().size + 1));
    for (;;) {
        const Result<std::size_t> count = stream->read(piece);
        if (!count)
            return forward(count);
        if (*count == 0 || !sink(std::span<const char>(piece).first(*count)))
            return {};
    }
}

Result<std::string> ZipArchive::readMember(std::string_view name, std::uint64_t limit) const
{
    if (const ZipMember* member = find(name); member != nullptr && member->size > limit)
        return damaged("has a member that is too large: " + formatBytes(member->size) + ", the limit is " +
                           formatBytes(limit),
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

tl::unexpected<Error> ZipMemberStream::damaged(const std::string& message) const
{
    return fail(ErrorCode::malformed, message, {.file = m_path, .member = m_member.name});
}

Result<std::size_t> ZipMemberStream::read(std::span<char> buffer)
{
    const zip_int64_t count = zip_fread(m_file.get(), buffer.data(), buffer.size());
    if (count < 0)
        return damaged("has a damaged member: " + textOf(zip_file_get_error(m_file.get())));
    m_position += static_cast<std::uint64_t>(count);
    if (m_position > m_member.size)
        return damaged("has a member that is longer than the directory says (" + formatBytes(m_member.size) + ")");
    if (count == 0 && !buffer.empty() && m_position < m_member.size)
        return damaged("has a member that ends after " + formatBytes(m_position) + ", the directory says " +
                       formatBytes(m_member.size));
    return static_cast<std::size_t>(count);
}

} // namespace sunder
