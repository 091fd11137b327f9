#pragma once

#include "io/archives/source_file.h"
#include "io/archives/zip_archive.h"
#include "support/result.h"

#include <cstdint>
#include <istream>
#include <span>

namespace sunder {

/// A sequential source of the bytes of a document.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Fills `buffer` from its start and returns the number of bytes; 0 at the end.
    virtual Result<std::size_t> read(std::span<char> buffer) = 0;
    /// Size of the whole document in bytes, for progress.
    [[nodiscard]] virtual std::uint64_t size() const = 0;
};

/// A member of an archive.
class ZipMemberSource final : public ByteSource {
public:
    explicit ZipMemberSource(ZipMemberStream stream) : m_stream(std::move(stream)) {}
    Result<std::size_t> read(std::span<char> buffer) override { return m_stream.read(buffer); }
    [[nodiscard]] std::uint64_t size() const override { return m_stream.member().size; }

private:
    ZipMemberStream m_stream;
};

/// A file in the state in which it was opened.
class FileSource final : public ByteSource {
public:
    explicit FileSource(const SourceFile& file) : m_file(file) {}
    Result<std::size_t> read(std::span<char> buffer) override
    {
        const Result<std::size_t> count = m_file.read(m_position, buffer);
        m_position += count.value_or(0);
        return count;
    }
    [[nodiscard]] std::uint64_t size() const override { return m_file.size(); }

private:
    const SourceFile& m_file;
    std::uint64_t m_position = 0;
};

/// An open stream.
class StreamSource final : public ByteSource {
public:
    StreamSource(std::istream& in, std::uint64_t size) : m_in(in), m_size(size) {}
    Result<std::size_t> read(std::span<char> buffer) override
    {
        m_in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        if (m_in.bad())
            return fail(ErrorCode::io, "cannot be read completely");
        return static_cast<std::size_t>(m_in.gcount());
    }
    [[nodiscard]] std::uint64_t size() const override { return m_size; }

private:
    std::istream& m_in;
    std::uint64_t m_size;
};

} // namespace sunder
