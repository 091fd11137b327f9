#pragma once

#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace sunder::fuzz {

/// Writes bytes to a file in memory.
class MemoryFile final {
public:
    explicit MemoryFile(std::string_view bytes) : m_descriptor(memfd_create("fuzzed", 0))
    {
        if (write(m_descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            _exit(1);
    }
    ~MemoryFile() { close(m_descriptor); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

} // namespace sunder::fuzz
