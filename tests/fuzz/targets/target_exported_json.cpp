#include "memory_file.h"
#include "target.h"

#include "io/pt2/pt2_reader.h"
#include "ir/lint.h"

/// The JSON of an exported program.
SUNDER_TARGET(text)
{
    using namespace sunder;
    const fuzz::MemoryFile file(text);
    if (const Result<Program> program = readExportedProgramJson(file.path()))
        (void)lint(*program);
}
