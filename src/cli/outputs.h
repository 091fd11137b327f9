#pragma once

#include "parts/export_parts.h"
#include "support/result.h"
#include "support/staged_file.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sunder::cli {

/// The files that a command makes: all of them appear, or none. They are written beside their places and wait there until
/// the command has done everything else.
class Outputs final {
public:
    /// Lets `write` make a file for `path`; it is given where to write it for the time being. Errors name the path.
    Result<void> write(const std::string& path, const std::function<Result<void>(const std::string& at)>& write);
    /// Parts that are written and wait as well.
    void add(StagedParts parts) { m_parts.emplace(std::move(parts)); }

    /// Puts all of them in their places. When one cannot be put, none is.
    Result<void> commit();
    /// One of the outputs is standard output: nothing else may be said there.
    [[nodiscard]] bool fillStandardOutput() const { return m_fillStandardOutput; }

private:
    Result<void> place();

    std::vector<StagedFile> m_files;
    std::optional<StagedParts> m_parts;
    bool m_fillStandardOutput = false;
};

} // namespace sunder::cli
