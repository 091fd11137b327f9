#pragma once

#include "support/shared_count.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sunder {

/// A std::vector the size of a pointer, whose copies share their items until one of them changes: a copy costs O(1) and no
/// memory. Changes, and all accesses that allow changes (begin() of a non-const vector), first unshare the items, which
/// invalidates references as growing does. At most 2^32 - 1 items.
template <typename T>
class SharedVector {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = T*;
    using const_iterator = const T*;
    using reverse_iterator = std::reverse_iterator<T*>;
    using const_reverse_iterator = std::reverse_iterator<const T*>;

    SharedVector() = default;
    explicit SharedVector(size_type count) { resize(count); }
    SharedVector(size_type count, const T& value) { resize(count, value); }
    SharedVector(std::initializer_list<T> items) : SharedVector(items.begin(), items.end()) {}
    template <std::input_iterator Iterator>
    SharedVector(Iterator first, Iterator last)
    {
        append(first, last);
    }
    SharedVector(const SharedVector& other) noexcept : m_block(other.m_block)
    {
        if (m_block != nullptr)
            m_block->retain();
    }
    SharedVector(SharedVector&& other) noexcept : m_block(std::exchange(other.m_block, nullptr)) {}
    SharedVector& operator=(SharedVector other) noexcept
    {
        swap(other);
        return *this;
    }
    ~SharedVector() { drop(m_block); }
    void swap(SharedVector& other) noexcept { std::swap(m_block, other.m_block); }
    friend void swap(SharedVector& a, SharedVector& b) noexcept { a.swap(b); }

    [[nodiscard]] size_type size() const { return m_block != nullptr ? m_block->size : 0; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] size_type capacity() const { return m_block != nullptr ? m_block->capacity : 0; }

    [[nodiscard]] const T* data() const { return m_block != nullptr ? std::as_const(*m_block).items() : nullptr; }
    [[nodiscard]] T* data()
    {
        makeOwn(size());
        return m_block != nullptr ? m_block->items() : nullptr;
    }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + size(); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size(); }
    [[nodiscard]] const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    [[nodiscard]] const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    [[nodiscard]] reverse_iterator rbegin() { return reverse_iterator(end()); }
    [[nodiscard]] reverse_iterator rend() { return reverse_iterator(begin()); }

    [[nodiscard]] const T& operator[](size_type at) const { return checked(at), data()[at]; }
    [[nodiscard]] T& operator[](size_type at) { return checked(at), data()[at]; }
    /// Throws std::out_of_range.
    [[nodiscard]] const T& at(size_type index) const
    {
        if (index >= size())
            throw std::out_of_range("SharedVector::at");
        return data()[index];
    }
    [[nodiscard]] const T& front() const { return (*this)[0]; }
    [[nodiscard]] T& front() { return (*this)[0]; }
    [[nodiscard]] const T& back() const { return (*this)[size() - 1]; }
    [[nodiscard]] T& back() { return (*this)[size() - 1]; }

    void reserve(size_type count)
    {
        if (count > capacity())
            moveTo(count);
    }
    void clear()
    {
        if (m_block != nullptr && m_block->isOnly())
            std::destroy_n(m_block->items(), std::exchange(m_block->size, 0));
        else
            drop(std::exchange(m_block, nullptr));
    }
    void push_back(T item) { emplace_back(std::move(item)); }
    template <typename... Values>
    T& emplace_back(Values&&... values)
    {
        if (m_block == nullptr || m_block->size == m_block->capacity || !m_block->isOnly()) {
            T item(std::forward<Values>(values)...); // the arguments may refer to items that are about to move
            makeOwn(grown(size() + 1));
            return *new (m_block->items() + m_block->size++) T(std::move(item));
        }
        T* added = new (m_block->items() + m_block->size) T(std::forward<Values>(values)...);
        ++m_block->size;
        return *added;
    }
    void pop_back() { erase(end() - 1); }
    void resize(size_type count) { resize(count, T()); }
    void resize(size_type count, const T& value)
    {
        const T item = value;
        makeOwn(count);
        while (size() > count)
            std::destroy_at(m_block->items() + --m_block->size);
        while (size() < count)
            new (m_block->items() + m_block->size++) T(item);
    }
    void assign(size_type count, const T& value) { *this = SharedVector(count, value); }
    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        *this = SharedVector(first, last);
    }

    iterator insert(const_iterator place, T item) { return insert(place, &item, &item + 1); }
    template <std::input_iterator Iterator>
    iterator insert(const_iterator place, Iterator first, Iterator last)
    {
        const std::ptrdiff_t at = place - std::as_const(*this).data();
        const size_type before = size();
        append(first, last);
        T* items = data();
        std::rotate(items + at, items + before, items + size());
        return items + at;
    }
    iterator erase(const_iterator place) { return erase(place, place + 1); }
    iterator erase(const_iterator first, const_iterator last)
    {
        const std::ptrdiff_t from = first - std::as_const(*this).data();
        const std::ptrdiff_t count = last - first;
        if (count == 0)
            return begin() + from;
        T* items = data();
        std::move(items + from + count, items + size(), items + from);
        for (std::ptrdiff_t i = 0; i < count; ++i)
            std::destroy_at(items + --m_block->size);
        return items + from;
    }

    // For a class that stores items without being a vector. A block may be null if there are no items.
    /// Transfers the block, and one reference to it, to the caller.
    [[nodiscard]] const SharedCount* takeBlock() { return std::exchange(m_block, nullptr); }
    [[nodiscard]] static std::span<const T> itemsOf(const SharedCount* block)
    {
        const auto* own = static_cast<const Block*>(block);
        return own != nullptr ? std::span<const T>(own->items(), own->size) : std::span<const T>();
    }
    /// Call it if release() of the block returned true.
    static void destroyBlock(const SharedCount* block)
    {
        auto* own = const_cast<Block*>(static_cast<const Block*>(block));
        std::destroy_n(own->items(), own->size);
        std::destroy_at(own);
        ::operator delete(own);
    }

    friend bool operator==(const SharedVector& a, const SharedVector& b)
    {
        return a.m_block == b.m_block || std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    struct Block : SharedCount {
        std::uint32_t size = 0;
        std::uint32_t capacity = 0;
        [[nodiscard]] T* items() { return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + offset()); }
        [[nodiscard]] const T* items() const
        {
            return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(this) + offset());
        }
        static constexpr std::size_t offset() { return (sizeof(Block) + alignof(T) - 1) / alignof(T) * alignof(T); }
    };

    void checked([[maybe_unused]] size_type at) const { assert(at < size()); }

    [[nodiscard]] size_type grown(size_type count) const
    {
        return count <= capacity() ? capacity() : std::max<size_type>(count, capacity() + capacity() / 2 + 1);
    }

    static Block* allocate(size_type capacity)
    {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__ && std::is_nothrow_copy_constructible_v<T>);
        if (capacity > std::numeric_limits<std::uint32_t>::max())
            throw std::length_error("SharedVector");
        auto* block = new (::operator new(Block::offset() + capacity * sizeof(T))) Block;
        block->capacity = static_cast<std::uint32_t>(capacity);
        return block;
    }

    static void drop(Block* block)
    {
        if (block != nullptr && block->release())
            destroyBlock(block);
    }

    /// Ensures that the items are not shared and that there is room for `count`.
    void makeOwn(size_type count)
    {
        if (m_block == nullptr ? count > 0 : count > m_block->capacity || !m_block->isOnly())
            moveTo(std::max(count, size()));
    }

    /// Moves the items to a new unshared block with room for exactly `count`, which must be at least size().
    void moveTo(size_type count)
    {
        Block* to = allocate(count);
        if (m_block != nullptr) {
            if (m_block->isOnly())
                std::uninitialized_move_n(m_block->items(), m_block->size, to->items());
            else
                std::uninitialized_copy_n(m_block->items(), m_block->size, to->items());
            to->size = m_block->size;
        }
        drop(std::exchange(m_block, to));
    }

    template <typename Iterator>
    void append(Iterator first, Iterator last)
    {
        if constexpr (std::forward_iterator<Iterator>) {
            const auto count = static_cast<size_type>(std::distance(first, last));
            if (count == 0)
                return;
            makeOwn(grown(size() + count));
        }
        for (; first != last; ++first)
            emplace_back(*first);
    }

    Block* m_block = nullptr;
};

} // namespace sunder
