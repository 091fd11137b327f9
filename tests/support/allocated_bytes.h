#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

/// Counts heap allocations, a measure of work and memory that does not depend on the machine. Replaces operator new, so only one
/// file of a program may include it.
namespace sunder::test {

inline std::atomic<std::uint64_t> allocated = 0;

/// Bytes allocated by all threads since the program started; freed memory is not subtracted.
inline std::uint64_t allocatedBytes()
{
    return allocated;
}

} // namespace sunder::test

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    sunder::test::allocated += size;
    return std::malloc(size == 0 ? 1 : size);
}

[[gnu::noinline]] void* operator new(std::size_t size)
{
    if (void* memory = operator new(size, std::nothrow))
        return memory;
    throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
