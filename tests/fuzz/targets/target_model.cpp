#include "memory_file.h"
#include "target.h"

#include "io/model_file.h"
#include "ir/lint.h"

/// Models in every format, detected by content.
SUNDER_TARGET(text)
{
    using namespace sunder;
    const fuzz::MemoryFile file(text);
    if (const Result<Program> program = readModel(file.path()))
        (void)lint(*program);
}
