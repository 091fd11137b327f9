#pragma once

#include <atomic>
#include <cstdint>

namespace sunder {

/// Reference count of a memory block; base of all data shared by copies. Counting is thread-safe; the data may be changed only
/// while isOnly().
class SharedCount {
public:
    SharedCount() = default;
    SharedCount(const SharedCount&) = delete;
    SharedCount& operator=(const SharedCount&) = delete;

    void retain() const { m_owners.fetch_add(1, std::memory_order_relaxed); }
    /// Releases one reference. Returns true if it was the last one; the caller must then destroy the block.
    [[nodiscard]] bool release() const
    {
        // A sole owner needs no atomic read-modify-write: no other owner can appear meanwhile.
        return isOnly() || m_owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }
    [[nodiscard]] bool isOnly() const { return m_owners.load(std::memory_order_acquire) == 1; }

protected:
    ~SharedCount() = default;

private:
    mutable std::atomic<std::uint32_t> m_owners{1};
};

} // namespace sunder
