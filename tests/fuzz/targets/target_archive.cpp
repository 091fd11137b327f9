#include "memory_file.h"
#include "target.h"

#include "io/archives/zip_archive.h"

/// Zip archives; reads every member.
SUNDER_TARGET(text)
{
    using namespace sunder;
    const fuzz::MemoryFile file(text);
    const Result<ZipArchive> archive = ZipArchive::open(file.path());
    if (!archive)
        return;
    for (const ZipMember& member : archive->members())
        (void)archive->readMember(member.name, 1U << 20U);
}
