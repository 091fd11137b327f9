#pragma once

#include "parts/export_parts.h"
#include "support/result.h"
#include "support/staged_file.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sunder::cli {

/// Output files of a command: all of them appear, or none. They are staged next to their final paths until the rest of the
/// command has succeeded.
class Outputs final {
public:
    /// Calls `write` with a temporary path for the file `path`. Errors name the final path.
    Result<void> write(const std::string& path, const std::function<Result<void>(const std::string& at)>& write);
    /// Adds staged parts.
    void add(StagedParts parts) { m_parts.emplace(std::move(parts)); }

    /// Moves all files to their final paths. If one cannot be moved, none is.
    Result<void> commit();
    /// Returns whether an output is standard output, so that nothing else may be printed there.
    [[nodiscard]] bool fillStandardOutput() const { return m_fillStandardOutput; }

private:
    Result<void> place();

    std::vector<StagedFile> m_files;
    std::optional<StagedParts> m_parts;
    bool m_fillStandardOutput = false;
};

} // namespace sunder::cli
