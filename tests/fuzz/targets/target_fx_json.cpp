#include "target.h"

#include "io/fx_json/fx_json_reader.h"
#include "io/fx_json/fx_json_writer.h"
#include "ir/lint.h"
#include "ir/printer.h"

#include <cstdlib>
#include <sstream>

/// fx-json: programs that can be read can be linted, printed, written, and read again.
SUNDER_TARGET(text)
{
    using namespace sunder;
    const Result<Program> program = parseFxJson(text, "in.fxj");
    if (!program)
        return;
    (void)lint(*program);
    for (const Graph& graph : program->graphs)
        (void)printGraph(graph);
    std::ostringstream written;
    writeFxJson(*program, written);
    if (!parseFxJson(written.str(), "again.fxj"))
        std::abort();
}
