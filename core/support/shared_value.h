#pragma once

#include "support/shared_count.h"

#include <optional>
#include <utility>

namespace sunder {

/// An immutable optional value, the size of a pointer, for fields that are rarely set. Used like a std::optional; copies share
/// the value. Compares by value.
template <typename T>
class SharedValue {
public:
    SharedValue() = default;
    SharedValue(T value) : m_box(new Box(std::move(value))) {}
    SharedValue(std::nullopt_t) {}
    SharedValue(const std::optional<T>& value) : m_box(value ? new Box(*value) : nullptr) {}
    SharedValue(const SharedValue& other) : m_box(other.m_box)
    {
        if (m_box != nullptr)
            m_box->retain();
    }
    SharedValue(SharedValue&& other) noexcept : m_box(std::exchange(other.m_box, nullptr)) {}
    SharedValue& operator=(SharedValue other) noexcept
    {
        std::swap(m_box, other.m_box);
        return *this;
    }
    ~SharedValue()
    {
        if (m_box != nullptr && m_box->release())
            delete m_box;
    }

    void reset() { *this = SharedValue(); }
    [[nodiscard]] bool has_value() const { return m_box != nullptr; }
    explicit operator bool() const { return has_value(); }
    /// Returns the value, which must exist.
    const T& operator*() const { return m_box->value; }
    const T* operator->() const { return &m_box->value; }
    operator std::optional<T>() const { return has_value() ? std::optional<T>(**this) : std::nullopt; }

    friend bool operator==(const SharedValue& a, const SharedValue& b)
    {
        return a.m_box == b.m_box || (a.m_box != nullptr && b.m_box != nullptr && *a == *b);
    }

private:
    struct Box : SharedCount {
        explicit Box(T given) : value(std::move(given)) {}
        const T value;
    };

    Box* m_box = nullptr;
};

} // namespace sunder
