#pragma once

#include "support/result.h"

#include <optional>
#include <string>

namespace sunder {

/// The first thing found wrong with a line. Readers report and go on with a dummy; whoever reads lines looks here
/// after each, so that the code that reads values stays free of error handling.
class FxJsonFault {
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

/// `text` in double quotes, cut when it is long: how messages name what a file says.
std::string quoted(std::string_view text);

} // namespace sunder
