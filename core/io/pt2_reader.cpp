#include "io/pt2_reader.h"

namespace sunder {

Result<Program> readPt2(const std::string& path, const Pt2ReadOptions&, ProgressMonitor&)
{
    return fail(ErrorCode::unsupported, "reading .pt2 is not there yet", {.file = path});
}

Result<Program> readExportedProgramJson(const std::string& path, ProgressMonitor&)
{
    return fail(ErrorCode::unsupported, "reading a program's JSON is not there yet", {.file = path});
}

Result<std::vector<std::string>> modelNamesOfPt2(const std::string& path)
{
    return fail(ErrorCode::unsupported, "reading .pt2 is not there yet", {.file = path});
}

} // namespace sunder
