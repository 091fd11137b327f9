#include "io/torch_save/storage_archives.h"

#include "io/json/json_members.h"
#include "support/format.h"
#include "support/json_tape.h"
#include "support/progress_monitor.h"
#include "support/sha256.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

namespace sunder {
namespace {

/// Returns the texts of these keys in a raw JSON object; empty if absent.
template <std::size_t Count>
std::array<std::string, Count> textsOf(InternedString object, const std::array<std::string_view, Count>& names)
{
    std::array<std::string, Count> texts;
    JsonTape tape;
    if (object.empty() || !tape.parse(object.view(), 64) || !tape.root().is(JsonType::object))
        return texts;
    const JsonMembers members(tape.root(), names);
    for (std::size_t i = 0; i < Count; ++i)
        if (members[i] && members[i].is(JsonType::string))
            texts[i] = members[i].text();
    return texts;
}

std::string hexadecimal(std::uint32_t number)
{
    std::string digits;
    for (unsigned shift = 32; shift > 0; shift -= 4)
        digits += "0123456789abcdef"[number >> (shift - 4) & 15U];
    return digits;
}

/// Resolves a file name relative to the program's folder if it exists there, else to the current folder.
std::string placeOf(const Program& program, const std::string& file)
{
    const std::filesystem::path path = file;
    if (path.is_absolute())
        return file;
    const std::filesystem::path beside = program.origin.folder / path;
    std::error_code error;
    return std::filesystem::exists(beside, error) ? beside.string() : file;
}

/// Adds the root folder of an archive to a record unless it is already there.
std::string memberName(const ZipArchive& archive, const std::string& record)
{
    const std::string root = archive.commonRoot();
    return record.starts_with(root) ? record : root + record;
}

} // namespace

InternedString storagePlaceExtra(const ZipMember& member)
{
    return intern(R"({"crc32":")" + hexadecimal(member.crc) + "\"}");
}

Result<std::string> sha256OfSource(const Program& program, ProgressMonitor& monitor)
{
    if (program.origin.opened && program.origin.format == "pt2")
        SUNDER_PROPAGATE(ZipArchive::open(program.origin.opened));
    if (program.origin.opened)
        return program.origin.opened->sha256(monitor);
    std::error_code error;
    const std::string& file = program.origin.file;
    if (file.empty() || !std::filesystem::is_regular_file(file, error))
        return std::string();
    return sha256OfFile(file, monitor);
}

Result<const ZipArchive*> StorageArchives::source()
{
    SUNDER_TRY(const Opened* const opened, archiveAt(m_program.origin.file));
    return opened->archive.get();
}

Result<const StorageArchives::Opened*> StorageArchives::archiveAt(const std::string& file)
{
    auto known = m_archives.find(file);
    if (known == m_archives.end())
        known = m_archives.emplace(file, open(file)).first;
    if (!known->second)
        return tl::unexpected<Error>(known->second.error());
    return &*known->second;
}

Result<StorageArchives::Opened> StorageArchives::open(const std::string& file)
{
    const ProgramOrigin& origin = m_program.origin;
    const bool isSource = file == origin.file && origin.opened != nullptr && origin.format == "pt2";
    SUNDER_TRY(ZipArchive archive, isSource ? ZipArchive::open(origin.opened) : ZipArchive::open(placeOf(m_program, file)));
    bool isIdentified = isSource;
    const auto [name, wanted] = textsOf<2>(origin.source, {"file", "sha256"});
    if (!isSource && !wanted.empty() && name == file) {
        SubProgress start(m_monitor, 0.0, 0.0); // zero share: hashing precedes the reported work
        SUNDER_TRY(const std::string found, archive.file()->sha256(start));
        if (found != wanted)
            return fail(ErrorCode::io, "is not the source of " + origin.file + ": its SHA-256 is " + found + ", not " + wanted,
                        {.file = archive.path()});
        isIdentified = true;
    }
    return Opened{.archive = std::make_unique<ZipArchive>(std::move(archive)), .isIdentified = isIdentified};
}

/// Finds the nested archive whose member name is a prefix of the record, and the name of the record in it.
std::pair<const ZipArchive*, std::string> StorageArchives::innermost(const ZipArchive& archive, const std::string& record)
{
    if (archive.find(record) != nullptr)
        return {&archive, record};
    for (std::size_t slash = record.find('/'); slash != std::string::npos; slash = record.find('/', slash + 1)) {
        const std::string member = record.substr(0, slash);
        if (archive.find(member) == nullptr)
            continue;
        std::unique_ptr<ZipArchive>& inner = m_inner[archive.path() + '\n' + member];
        if (!inner)
            if (Result<ZipArchive> opened = archive.openArchive(member))
                inner = std::make_unique<ZipArchive>(std::move(*opened));
        if (inner)
            return {inner.get(), record.substr(slash + 1)};
    }
    return {&archive, record};
}

Result<StorageRecord> StorageArchives::find(const Storage& storage)
{
    const CopiedPiece place = storage.copyOf.value_or(CopiedPiece{storage.file, storage.record, 0, storage.placeExtra});
    if (place.record.empty())
        return fail(ErrorCode::refused, "the location of the bytes of " + storage.id.str() + " is unknown");
    SUNDER_TRY(const Opened* const opened, archiveAt(place.file.empty() ? m_program.origin.file : place.file.str()));
    const std::string whole = memberName(*opened->archive, place.record.str());
    const auto [within, record] = innermost(*opened->archive, whole);
    const ZipArchive& archive = *within;
    const ZipMember* member = archive.find(record);
    if (member == nullptr)
        return fail(ErrorCode::malformed, "lacks the weights " + record, {.file = archive.path(), .member = record});
    const auto [crc] = textsOf<1>(place.extra, {"crc32"});
    const std::uint64_t size = storage.byteCount.value_or(member->size - std::min(place.begin, member->size));
    const bool fits = place.begin <= member->size && size <= member->size - place.begin;
    if (!fits || (!storage.copyOf && size != member->size) || (!crc.empty() && crc != hexadecimal(member->crc)))
        return fail(ErrorCode::io, "has other weights than those that " + m_program.origin.file + " was made from",
                    {.file = archive.path(), .member = record});
    return StorageRecord{.archive = &archive,
                         .member = member,
                         .begin = place.begin,
                         .size = size,
                         .isIdentified = opened->isIdentified || !crc.empty()};
}

} // namespace sunder
