#include "operators/operator_schema.h"

#include "support/text.h"
#include "support/text_cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace sunder {
namespace {

constexpr std::size_t kLongestLine = 64 * 1024;
constexpr int kDeepest = 16;

/// PyTorch's names of tags, in the order of OperatorTag.
constexpr std::array<std::string_view, 6> kTags{"nondeterministic_seeded",    "inplace_view",
                                                "data_dependent_output",      "dynamic_output_shape",
                                                "maybe_aliasing_or_mutating", "pointwise"};

bool isWordCharacter(char c)
{
    return isAsciiLetter(c) || isAsciiDigit(c);
}

class SchemaReader {
public:
    explicit SchemaReader(std::string_view text) : m_text(text), m_cursor(text) {}

    Result<OperatorSchema> read()
    {
        OperatorSchema schema;
        readName(schema);
        expect('(', "after the operator name");
        readArguments(schema);
        m_cursor.skipSpace();
        if (m_fault.empty() && !(m_cursor.take('-') && !m_cursor.isDone() && m_cursor.next() == '>'))
            stop("\"->\" and the return type must follow the arguments");
        readResults(schema);
        if (m_fault.empty() && !m_cursor.atEnd())
            stop("unexpected text after the schema");
        if (!m_fault.empty())
            return fail(ErrorCode::malformed, m_fault + " (character " + std::to_string(m_faultAt + 1) + ")");
        return schema;
    }

private:
    void stop(std::string fault)
    {
        if (!m_fault.empty())
            return;
        m_fault = std::move(fault);
        m_faultAt = m_cursor.position();
    }
    void expect(char c, std::string_view where)
    {
        if (m_fault.empty() && !m_cursor.take(c))
            stop(std::string("\"") + c + "\" is missing " + std::string(where));
    }
    std::string_view word(std::string_view more = {})
    {
        m_cursor.skipSpace();
        const std::size_t start = m_cursor.position();
        while (!m_cursor.isDone() && (isWordCharacter(m_cursor.peek()) || more.find(m_cursor.peek()) != std::string_view::npos))
            m_cursor.next();
        return m_cursor.since(start);
    }
    /// Consumes `text` if it comes next, after optional white space.
    bool takeText(std::string_view text)
    {
        m_cursor.skipSpace();
        if (!m_text.substr(m_cursor.position()).starts_with(text))
            return false;
        for (std::size_t i = 0; i < text.size(); ++i)
            m_cursor.next();
        return true;
    }

    void readName(OperatorSchema& schema)
    {
        const std::string_view space = word();
        const std::size_t start = m_cursor.position();
        if (space.empty() || !takeText("::") || word().empty())
            return stop("a line must start with an operator name, such as \"mylib::scale\"");
        schema.packet = intern(std::string(space) + std::string(m_cursor.since(start)));
        if (m_cursor.take('.'))
            schema.overload = intern(word());
        if (schema.overload.view() == "default")
            schema.overload = {};
    }

    void readArguments(OperatorSchema& schema)
    {
        bool keywordOnly = false;
        for (bool first = true; m_fault.empty() && !m_cursor.take(')'); first = false) {
            if (!first)
                expect(',', "between two arguments");
            if (takeText("...")) {
                schema.takesMore = true;
            } else if (m_cursor.take('*')) {
                if (keywordOnly)
                    stop("\"*\" appears twice in the arguments");
                keywordOnly = true;
            } else if (m_fault.empty()) {
                SchemaArgument argument = readArgument(true);
                argument.keywordOnly = keywordOnly;
                schema.arguments.push_back(std::move(argument));
            }
        }
    }

    void readResults(OperatorSchema& schema)
    {
        if (!m_fault.empty())
            return;
        if (takeText("...")) {
            schema.returnsMore = true;
            return;
        }
        if (!m_cursor.take('(')) {
            schema.results.push_back(readArgument(false));
            return;
        }
        for (bool first = true; m_fault.empty() && !m_cursor.take(')'); first = false) {
            if (!first)
                expect(',', "between two results");
            if (takeText("..."))
                schema.returnsMore = true;
            else if (m_fault.empty())
                schema.results.push_back(readArgument(false));
        }
    }

    SchemaArgument readArgument(bool named)
    {
        SchemaArgument argument;
        std::string type;
        readType(type, argument, 0);
        argument.type = intern(type);
        const std::string_view name = word();
        if (named && name.empty())
            stop("an argument has no name");
        argument.name = intern(name);
        if (named && m_cursor.take('=')) {
            argument.hasDefault = true;
            argument.defaultValue = intern(defaultText());
        }
        return argument;
    }

    /// Parses a type: a word, or a tuple of types; brackets of generic types; then "[]", "[3]", "?", and "(a!)" in any order.
    void readType(std::string& type, SchemaArgument& argument, int depth)
    {
        if (depth > kDeepest)
            return stop("a type is nested too deeply");
        const std::string_view base = m_cursor.take('(') ? std::string_view() : word(".");
        static constexpr std::array<std::string_view, 8> kGeneric{"Dict",  "List",   "Tuple", "Optional",
                                                                  "Union", "Future", "Await", "RRef"};
        type += base;
        if (base.empty() && m_cursor.position() > 0 && m_text[m_cursor.position() - 1] == '(') {
            readTypes(type, argument, depth);
        } else if (base.empty()) {
            stop("a type is missing");
        } else if (std::ranges::find(kGeneric, base) != kGeneric.end() && m_cursor.take('(')) {
            readTypes(type, argument, depth);
        }
        while (m_fault.empty()) {
            if (m_cursor.take('?')) {
                type += '?';
            } else if (m_cursor.take('[')) {
                type += '[' + std::string(word()) + ']';
                expect(']', "in a type");
            } else if (m_cursor.take('(')) {
                readMemory(argument);
            } else {
                return;
            }
        }
    }
    void readTypes(std::string& type, SchemaArgument& argument, int depth)
    {
        type += '(';
        for (bool first = true; m_fault.empty() && !m_cursor.take(')'); first = false) {
            if (!first) {
                expect(',', "in a type");
                type += ", ";
            }
            if (m_fault.empty())
                readType(type, argument, depth + 1);
            word(); // fields of a tuple may have names
        }
        type += ')';
    }

    /// Parses "a", "a!", "a|b", "a -> *", or "*", and the closing parenthesis.
    void readMemory(SchemaArgument& argument)
    {
        const auto add = [&](std::string_view set) {
            const InternedString name = intern(set);
            if (std::ranges::find(argument.memory, name) == argument.memory.end())
                argument.memory.push_back(name);
        };
        bool behindArrow = false;
        bool behindSet = false;
        while (m_fault.empty() && !m_cursor.take(')')) {
            if (takeText("->")) {
                behindArrow = true;
                behindSet = false;
            } else if (m_cursor.take('!')) {
                argument.written = true;
            } else if (m_cursor.take('*')) {
                if (!behindArrow) // "-> *" only says that a list contains the value afterward
                    add("*");
            } else if (m_cursor.take('|')) {
                behindSet = false;
            } else {
                const std::string_view set = behindSet ? std::string_view() : word();
                behindSet = true;
                if (set.empty())
                    stop("an alias annotation is malformed");
                else
                    add(set);
            }
        }
    }

    std::string_view defaultText()
    {
        m_cursor.skipSpace();
        const std::size_t start = m_cursor.position();
        int depth = 0;
        while (!m_cursor.isDone()) {
            const char c = m_cursor.peek();
            if (c == '"' || c == '\'') {
                quoted();
                continue;
            }
            if (depth == 0 && (c == ',' || c == ')'))
                break;
            depth += c == '[' || c == '(' || c == '{' ? 1 : c == ']' || c == ')' || c == '}' ? -1 : 0;
            if (depth > kDeepest) {
                stop("a default value is nested too deeply");
                break;
            }
            m_cursor.next();
        }
        if (m_cursor.position() == start)
            stop("a default value is missing");
        return m_cursor.since(start);
    }
    void quoted()
    {
        const char quote = m_cursor.next();
        while (!m_cursor.isDone()) {
            const char c = m_cursor.next();
            if (c == quote)
                return;
            if (c == '\\' && !m_cursor.isDone())
                m_cursor.next();
        }
        stop("a string is not terminated");
    }

    std::string_view m_text;
    TextCursor m_cursor;
    std::string m_fault;
    std::size_t m_faultAt = 0;
};

std::uint8_t tagsOf(std::string_view words)
{
    std::uint8_t tags = 0;
    while (!words.empty()) {
        const std::size_t comma = words.find(',');
        std::string_view word = words.substr(0, comma);
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        while (word.starts_with(' '))
            word.remove_prefix(1);
        for (std::size_t i = 0; i < kTags.size(); ++i)
            if (word == kTags[i])
                tags = static_cast<std::uint8_t>(tags | 1U << i);
        words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
    }
    return tags;
}

} // namespace

bool SchemaArgument::isList() const
{
    return takesRest || type.view().find('[') != std::string_view::npos || type.view().starts_with("List(");
}

std::optional<ListType> listType(std::string_view type)
{
    const std::size_t open = type.rfind('[');
    if (!type.ends_with(']') || open == std::string_view::npos)
        return std::nullopt;
    ListType list{.item = type.substr(0, open), .length = {}};
    const std::string_view digits = type.substr(open + 1, type.size() - open - 2);
    std::int64_t length = 0;
    if (!digits.empty() && std::from_chars(digits.data(), digits.data() + digits.size(), length).ec == std::errc())
        list.length = length;
    return list;
}

std::optional<std::size_t> OperatorSchema::find(InternedString name) const
{
    const auto found = std::ranges::find(arguments, name, &SchemaArgument::name);
    return found != arguments.end() ? std::optional(static_cast<std::size_t>(found - arguments.begin())) : std::nullopt;
}

std::size_t OperatorSchema::positionalCount() const
{
    return static_cast<std::size_t>(std::ranges::find(arguments, true, &SchemaArgument::keywordOnly) - arguments.begin());
}

Result<OperatorSchema> parseSchema(std::string_view line)
{
    if (line.size() > kLongestLine)
        return fail(ErrorCode::malformed, "a schema is longer than 64 kB");
    const std::size_t tab = line.find('\t');
    Result<OperatorSchema> schema = SchemaReader(line.substr(0, tab)).read();
    if (schema && tab != std::string_view::npos) {
        const std::string_view rest = line.substr(tab + 1);
        schema->tags = tagsOf(rest.substr(0, rest.find('\t')));
    }
    return schema;
}

} // namespace sunder
