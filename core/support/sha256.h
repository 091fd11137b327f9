#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // of OpenSSL

namespace sunder {

/// Incremental SHA-256 (FIPS 180-4), computed by OpenSSL.
class Sha256 final {
public:
    Sha256();
    void add(std::string_view bytes);
    /// Returns 64 hexadecimal digits. Call it once, after all data.
    std::string finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

/// Returns the SHA-256 of bytes as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// As above, for a file, read in chunks; progress follows its length. Fails with ErrorCode::io or ErrorCode::cancelled.
Result<std::string> sha256OfFile(const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
