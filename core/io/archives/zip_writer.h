#pragma once

#include "support/result.h"

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// Writes a zip file of stored members sequentially into a seekable stream. Contents are aligned to 64 bytes, as in PyTorch's
/// files, so that they can be mapped. Members or archives over 4 GB get zip64 records. The stream's state tells whether all
/// writes succeeded.
class ZipWriter final {
public:
    explicit ZipWriter(std::ostream& out) : m_out(out) {}

    /// Begins a member. Its contents are the bytes passed to append() until the next begin() or finish().
    void begin(const std::string& name);
    /// Size and checksum of a member, if known in advance. Then the stream need not be seekable.
    struct Known {
        std::uint64_t size = 0;
        std::uint32_t crc = 0;
    };
    void begin(const std::string& name, const Known& known);
    void append(std::span<const char> bytes);
    void add(const std::string& name, std::string_view content);
    /// Writes the central directory. Call once, at the end.
    void finish();
    [[nodiscard]] bool isGood() const { return static_cast<bool>(m_out); }

private:
    struct Member {
        std::string name;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        std::uint32_t crc = 0;
        bool isKnown = false; ///< the header already has size and crc
    };

    void endMember();
    void writeLocalHeader(const Member& member);
    void writeCentralHeader(const Member& member);
    void writeEnd(std::uint64_t start, std::uint64_t size);
    void write(const std::string& bytes);

    std::ostream& m_out;
    std::vector<Member> m_members;
    std::uint64_t m_position = 0;
    bool m_isOpen = false;
    Known m_given; ///< of the bytes passed to append() for the open member
};

} // namespace sunder
