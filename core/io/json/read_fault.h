#pragma once

#include "support/result.h"

#include <optional>
#include <string>

namespace sunder {

/// The first thing found wrong while a file is read. Readers of values report and go on with a dummy; whoever reads
/// lines or hands out records looks here after each, so that the code that reads values stays free of error handling.
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
