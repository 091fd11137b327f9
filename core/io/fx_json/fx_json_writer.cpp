#include "io/fx_json/fx_json_writer.h"

#include "io/archives/gzip.h"
#include "io/fx_json/fx_json_line_writer.h"
#include "support/file.h"

namespace sunder {

void writeFxJson(const Program& program, std::ostream& out)
{
    static_cast<void>(FxJsonLineWriter(program, out, ProgressMonitor::none()).write());
}

Result<void> writeFxJson(const Program& program, const std::string& path, ProgressMonitor& monitor)
{
    return writeFxJson(program, path, std::filesystem::path(path).parent_path().string(), monitor);
}

Result<void> writeFxJson(const Program& program, const std::string& path, const std::string& laterFolder,
                         ProgressMonitor& monitor, const Program* source)
{
    return writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        if (!path.ends_with(".gz"))
            return FxJsonLineWriter(program, out, monitor, laterFolder, source).write();
        GzipStreambuf gzip(out);
        std::ostream packed(&gzip);
        SUNDER_PROPAGATE(FxJsonLineWriter(program, packed, monitor, laterFolder, source).write());
        gzip.finish();
        return {};
    });
}

} // namespace sunder
