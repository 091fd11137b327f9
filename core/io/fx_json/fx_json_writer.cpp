#include "io/fx_json/fx_json_writer.h"

#include "io/archives/gzip.h"
#include "io/fx_json/fx_json_line_writer.h"
#include "support/file.h"

namespace sunder {

void writeFxJson(const Program& program, std::ostream& out)
{
    FxJsonLineWriter(program, out).write();
}

Result<void> writeFxJson(const Program& program, const std::string& path)
{
    return writeFxJson(program, path, std::filesystem::path(path).parent_path().string());
}

Result<void> writeFxJson(const Program& program, const std::string& path, const std::string& laterFolder)
{
    return writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        if (!path.ends_with(".gz")) {
            FxJsonLineWriter(program, out, laterFolder).write();
            return {};
        }
        GzipStreambuf gzip(out);
        std::ostream packed(&gzip);
        FxJsonLineWriter(program, packed, laterFolder).write();
        gzip.finish();
        return {};
    });
}

} // namespace sunder
