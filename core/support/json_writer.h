#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sunder {

/// Writes JSON for people: a line per member and item, indented by one, with a final line end. Members keep the order of the
/// calls. Finite numbers have as few digits as identify them.
class JsonWriter final {
public:
    /// `members()` writes the members.
    template <typename Members>
    void object(const Members& members)
    {
        open('{');
        members();
        close('}');
    }

    /// `add(item)` writes each item.
    template <typename Items, typename Add>
    void list(const Items& items, const Add& add)
    {
        open('[');
        for (const auto& item : items) {
            next();
            add(item);
        }
        close(']');
    }

    /// Starts a member; its value follows.
    void key(std::string_view name);

    /// Writes null (nullptr), a boolean, number, or text, the value of an optional, or a list of these.
    template <typename Value>
    void value(const Value& given)
    {
        if constexpr (std::is_null_pointer_v<Value>)
            m_out += "null";
        else if constexpr (std::is_same_v<Value, bool>)
            m_out += given ? "true" : "false";
        else if constexpr (std::is_integral_v<Value>)
            m_out += std::to_string(given);
        else if constexpr (std::is_floating_point_v<Value>)
            number(given);
        else if constexpr (std::is_convertible_v<Value, std::string_view>)
            text(given);
        else if constexpr (requires { given.has_value(); })
            given ? value(*given) : value(nullptr);
        else
            list(given, [this](const auto& item) { value(item); });
    }

    template <typename Value>
    void member(std::string_view name, const Value& given)
    {
        key(name);
        value(given);
    }

    /// Writes a member unless the text or list is empty.
    template <typename Value>
    void memberIfAny(std::string_view name, const Value& given)
    {
        if (!given.empty())
            member(name, given);
    }

    /// Returns the text; nothing may follow.
    [[nodiscard]] std::string take() { return std::move(m_out += '\n'); }

private:
    void open(char bracket);
    void close(char bracket);
    void next();
    void text(std::string_view text);
    void number(double value);

    std::string m_out;
    std::vector<char> m_isFirst; ///< per open array or object
};

} // namespace sunder
