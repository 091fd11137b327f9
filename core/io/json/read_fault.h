#pragma once

#include "support/result.h"

#include <optional>
#include <string>

namespace sunder {

/// The first error found while reading a file. Value readers report errors here and continue with a dummy. The code that reads
/// lines or records checks for an error after each one, so that value readers need no error handling.
class ReadFault {
public:
    void report(std::string message, ErrorCode code = ErrorCode::malformed)
    {
        if (!m_error)
            m_error = Error{code, std::move(message), {}};
    }
    [[nodiscard]] bool isReported() const { return m_error.has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace sunder
