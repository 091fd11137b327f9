#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // of OpenSSL

namespace sunder {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece, computed by OpenSSL.
class Sha256 final {
public:
    Sha256();
    void add(std::string_view bytes);
    /// 64 hexadecimal digits. Call it once, last.
    std::string finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

/// SHA-256 of some bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same of a file, read piece by piece; its length says how far it is. Fails with ErrorCode::io or cancelled.
Result<std::string> sha256OfFile(const std::string& path, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
