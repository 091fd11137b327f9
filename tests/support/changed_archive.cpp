#include "changed_archive.h"

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"

#include <fstream>
#include <iterator>

namespace sunder::test {

bool copyArchive(const std::string& from, const std::string& to,
                 const std::function<void(const std::string& member, std::string& bytes)>& change)
{
    const Result<ZipArchive> archive = ZipArchive::open(from);
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    if (!archive || !out)
        return false;
    ZipWriter zip(out);
    for (const ZipMember& member : archive->members()) {
        Result<std::string> bytes = archive->readMember(member.name, 1ULL << 32U);
        if (!bytes)
            return false;
        change(member.name, *bytes);
        zip.add(member.name, *bytes);
    }
    zip.finish();
    return zip.isGood();
}

bool copyWithOtherWeights(const std::string& from, const std::string& to)
{
    return copyArchive(from, to, [](const std::string& member, std::string& bytes) {
        if (member.find("/weight_") != std::string::npos && !bytes.empty())
            bytes.front() = static_cast<char>(bytes.front() ^ 1);
    });
}

bool overwriteInPlace(const std::string& file, const std::string& with)
{
    std::ifstream in(with, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return in && out;
}

} // namespace sunder::test
