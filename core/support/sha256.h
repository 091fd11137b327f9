#pragma once

#include "support/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 final {
public:
    void add(std::string_view bytes);
    /// 64 hexadecimal digits. Call it once, last.
    std::string finish();

private:
    static constexpr std::size_t kBlock = 64;
    void mixBlock();

    std::array<std::uint32_t, 8> m_state = {0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                            0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
    std::array<char, kBlock> m_block{};
    std::size_t m_filled = 0;
    std::uint64_t m_length = 0;
};

/// SHA-256 of some bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same of a file, read piece by piece. Fails with ErrorCode::io.
Result<std::string> sha256OfFile(const std::string& path);

} // namespace sunder
