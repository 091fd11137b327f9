#include "support/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <new>
#include <vector>

namespace sunder {
namespace {

/// OpenSSL fails here only if memory is exhausted.
void must(bool done)
{
    if (!done)
        throw std::bad_alloc();
}

} // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const
{
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : m_context(EVP_MD_CTX_new())
{
    must(m_context != nullptr && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes)
{
    must(EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, 32> digest{};
    must(EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr) == 1);
    std::string text;
    for (const unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xfU];
    }
    return text;
}

std::string sha256(std::string_view bytes)
{
    Sha256 hasher;
    hasher.add(bytes);
    return hasher.finish();
}

Result<std::string> sha256OfFile(const std::string& path, ProgressMonitor& monitor)
{
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    const std::uintmax_t all = unknown ? 0 : std::max<std::uintmax_t>(size, 1);
    std::ifstream file(path, std::ios::binary);
    Sha256 hasher;
    std::vector<char> piece(1U << 20U);
    for (std::uintmax_t read = 0; file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0;) {
        SUNDER_PROPAGATE(monitor.check());
        hasher.add({piece.data(), static_cast<std::size_t>(file.gcount())});
        read += static_cast<std::uintmax_t>(file.gcount());
        if (all != 0)
            monitor.report(std::min(1.0, static_cast<double>(read) / static_cast<double>(all)), "SHA-256 of " + path);
    }
    if (!file.eof())
        return fail(ErrorCode::io, "cannot be read", {.file = path});
    return hasher.finish();
}

} // namespace sunder
