#include "io/sympy/sympy_expression.h"

#include "support/text.h"
#include "support/text_cursor.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sunder {
namespace {

constexpr unsigned kDeepestSrepr = 100;

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool isIntegerText(std::string_view text)
{
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), isAsciiDigit);
}

/// Recursive-descent parser of one srepr text with bounded depth.
class SreprParser {
public:
    explicit SreprParser(std::string_view text) : m_text(text) {}

    std::optional<SympyExpression> whole()
    {
        std::optional<SympyExpression> expression = value(0);
        return m_text.atEnd() ? expression : std::nullopt;
    }

private:
    using Kind = SympyExpression::Kind;

    std::string word()
    {
        const std::size_t start = m_text.position();
        if (m_text.peek() == '-')
            m_text.next();
        while (!m_text.isDone() && isWordCharacter(m_text.peek()))
            m_text.next();
        return std::string(m_text.since(start));
    }

    std::optional<std::string> quoted()
    {
        const char quote = m_text.next();
        std::string text;
        while (!m_text.isDone() && m_text.peek() != quote) {
            char c = m_text.next();
            if (c == '\\') {
                if (m_text.isDone())
                    return std::nullopt;
                c = m_text.next();
            }
            text += c;
        }
        return m_text.take(quote) ? std::optional(text) : std::nullopt;
    }

    std::optional<SympyExpression> value(unsigned depth)
    {
        if (depth > kDeepestSrepr || m_text.atEnd())
            return std::nullopt;
        if (m_text.peek() == '\'' || m_text.peek() == '"') {
            std::optional<std::string> text = quoted();
            return text ? std::optional(SympyExpression{.kind = Kind::word, .text = *text}) : std::nullopt;
        }
        SympyExpression expression{.kind = Kind::word, .text = word()};
        if (expression.text.empty() || expression.text == "-")
            return std::nullopt;
        if (!m_text.take('('))
            return expression;
        expression.kind = Kind::call;
        if (!m_text.take(')') && !arguments(expression, depth))
            return std::nullopt;
        return classified(std::move(expression));
    }

    /// Parses the contents of the brackets. Skips named arguments (assumptions, precision), which do not affect printing.
    bool arguments(SympyExpression& call, unsigned depth)
    {
        do {
            std::optional<SympyExpression> argument = value(depth + 1);
            if (!argument)
                return false;
            if (m_text.take('=')) {
                if (!value(depth + 1))
                    return false;
                continue;
            }
            call.arguments.push_back(std::move(*argument));
        } while (m_text.take(','));
        return m_text.take(')');
    }

    static std::optional<SympyExpression> classified(SympyExpression call)
    {
        const bool wordsOnly = std::all_of(call.arguments.begin(), call.arguments.end(),
                                           [](const SympyExpression& a) { return a.is(Kind::word); });
        if (!wordsOnly || call.arguments.empty())
            return call;
        const std::string& first = call.arguments.front().text;
        const std::size_t count = call.arguments.size();
        if (call.text == "Symbol" && count == 1)
            return SympyExpression{.kind = Kind::symbol, .text = first};
        if (call.text == "Integer" && count == 1 && isIntegerText(first))
            return SympyExpression{.kind = Kind::integer, .text = first};
        if (call.text == "Rational" && count == 2 && isIntegerText(first) && isIntegerText(call.arguments[1].text))
            return SympyExpression{.kind = Kind::rational, .text = first, .denominator = call.arguments[1].text};
        if (call.text == "Float" && count == 1) {
            SympyExpression number{.kind = Kind::floating, .text = first};
            const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), number.number);
            if (error == std::errc() && end == first.data() + first.size())
                return number;
        }
        return call;
    }

    TextCursor m_text;
};

} // namespace

bool SympyExpression::isNumber() const
{
    return kind == Kind::integer || kind == Kind::rational || kind == Kind::floating;
}

bool SympyExpression::isNegative() const
{
    return kind == Kind::floating ? number < 0 : isNumber() && text.starts_with('-');
}

std::optional<SympyExpression> parseSrepr(std::string_view text)
{
    return SreprParser(text).whole();
}

} // namespace sunder
