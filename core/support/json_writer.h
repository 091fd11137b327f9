#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sunder {

/// Writes JSON with a final line end. Members keep the order of the calls. Finite numbers have as few digits as identify them.
class JsonWriter final {
public:
    static constexpr std::size_t kAnyDepth = static_cast<std::size_t>(-1);

    /// Objects and lists down to `lineDepth` are written for people: a line per member and item, indented by one. Deeper ones have no
    /// white space. 0: the text is one line.
    explicit JsonWriter(std::size_t lineDepth = kAnyDepth) : m_lineDepth(lineDepth) {}

    /// `members()` writes the members.
    template <typename Members>
    void object(const Members& members)
    {
        beginObject();
        members();
        endObject();
    }

    /// Starts an object; its members follow up to endObject().
    void beginObject() { open('{'); }
    void endObject() { close('}'); }

    /// `add(item)` writes each item.
    template <typename Items, typename Add>
    void list(Items&& items, const Add& add)
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

    /// Writes a value that is JSON without line ends.
    void raw(std::string_view json) { m_out += json; }

    /// Writes a number; a whole one below 2⁵³ without a fraction.
    void figure(double value);
    /// The same; null for nothing and for infinity.
    void figureOrNull(std::optional<double> value);

    /// Writes a member whose value is JSON; nothing for an empty text.
    void rawMember(std::string_view name, std::string_view json);
    /// Writes the members of an object that is JSON; nothing for an empty text or object.
    void rawMembers(std::string_view object);

    /// Writes a member unless the text or list is empty.
    template <typename Value>
    void memberIfAny(std::string_view name, const Value& given)
    {
        if (!given.empty())
            member(name, given);
    }

    /// Returns the text; nothing may follow.
    [[nodiscard]] std::string take() { return std::move(m_out += '\n'); }
    /// The same without a final line end: for raw().
    [[nodiscard]] std::string takeRaw() { return std::move(m_out); }

private:
    [[nodiscard]] bool isLined() const { return m_isFirst.size() <= m_lineDepth; } ///< the open array or object
    void open(char bracket);
    void close(char bracket);
    void next();
    void startLine();
    void text(std::string_view text);
    void number(double value);

    std::size_t m_lineDepth;
    std::string m_out;
    std::vector<char> m_isFirst; ///< per open array or object
};

} // namespace sunder
