#pragma once

#include <atomic>
#include <cstdint>

namespace sunder {

/// How many owners a block of memory has; the base of everything that copies share. Counting is safe from every
/// thread; what is counted may be changed only while isOnly().
class SharedCount {
public:
    SharedCount() = default;
    SharedCount(const SharedCount&) = delete;
    SharedCount& operator=(const SharedCount&) = delete;

    void retain() const { m_owners.fetch_add(1, std::memory_order_relaxed); }
    /// True when that was the last owner, who has to destroy the block.
    [[nodiscard]] bool release() const
    {
        // Sole owners need no locked instruction: nobody else can come to hold the block meanwhile.
        return isOnly() || m_owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }
    [[nodiscard]] bool isOnly() const { return m_owners.load(std::memory_order_acquire) == 1; }

protected:
    ~SharedCount() = default;

private:
    mutable std::atomic<std::uint32_t> m_owners{1};
};

} // namespace sunder
