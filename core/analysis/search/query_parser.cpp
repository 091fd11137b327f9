#include "analysis/search/node_query.h"
#include "analysis/search/text_pattern.h"
#include "support/memory_text.h"

#include <algorithm>

namespace sunder {
namespace {

using Term = NodeQuery::Term;
using Clause = NodeQuery::Clause;

constexpr std::string_view kSpaces = " \t\r\n";

bool isSpaceOfQuery(char c)
{
    return kSpaces.find(c) != std::string_view::npos;
}

std::string quotedWord(std::string_view word)
{
    return "\"" + std::string(word) + "\"";
}

std::string fieldList()
{
    std::string all;
    for (const QueryField field : kQueryFields)
        all += (all.empty() ? "" : ", ") + std::string(name(field));
    return all;
}

/// Returns the field with this name, ignoring case.
std::optional<QueryField> fieldOf(std::string_view word)
{
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const QueryField field : kQueryFields)
        if (name(field) == lower)
            return field;
    return {};
}

tl::unexpected<Error> unknownField(std::string_view word)
{
    std::vector<std::string> known;
    for (const QueryField field : kQueryFields)
        known.emplace_back(name(field));
    const std::vector<std::string> near = nearWords(word, known, 1);
    return fail(ErrorCode::usage,
                "unknown field \"" + std::string(word) + ":\""
                    + (near.empty() ? "; the fields are " + fieldList() : "; did you mean " + near[0] + ":?"));
}

bool isMeasure(QueryField field)
{
    return field == QueryField::bytes || field == QueryField::weights;
}

/// Removes a leading "<", "<=", ">", ">=", "=", ":" or "==".
NodeQuery::Comparison comparisonOf(std::string_view& value)
{
    using Comparison = NodeQuery::Comparison;
    constexpr std::pair<std::string_view, Comparison> kSigns[] = {
        {">=", Comparison::greaterOrEqual}, {"<=", Comparison::lessOrEqual}, {"==", Comparison::equal},
        {">", Comparison::greater},         {"<", Comparison::less},         {"=", Comparison::equal}};
    if (value.starts_with(':'))
        value.remove_prefix(1);
    for (const auto& [sign, comparison] : kSigns)
        if (value.starts_with(sign)) {
            value.remove_prefix(sign.size());
            return comparison;
        }
    return Comparison::equal;
}

class QueryParser {
public:
    explicit QueryParser(std::string_view text) : m_text(text) {}

    Result<NodeQuery> parse()
    {
        NodeQuery query;
        for (skipSpaces(); !atEnd(); skipSpaces()) {
            SUNDER_TRY(Clause clause, parseClause());
            query.clauses.push_back(std::move(clause));
        }
        return query;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    void skipSpaces()
    {
        while (!atEnd() && isSpaceOfQuery(m_text[m_at]))
            ++m_at;
    }

    Result<Clause> parseClause()
    {
        Clause clause;
        const std::size_t begin = m_at;
        if (m_text[m_at] == '-' && m_at + 1 < m_text.size() && !isSpaceOfQuery(m_text[m_at + 1])) {
            clause.negated = true;
            ++m_at;
        }
        QueryField field = QueryField::any;
        for (bool more = true; more;) {
            SUNDER_TRY(const std::string word, parseWord());
            SUNDER_TRY(Term term, termOf(word, field));
            field = term.field; // op:mul|add
            clause.terms.push_back(std::move(term));
            const std::size_t end = m_at;
            skipSpaces();
            more = !atEnd() && m_text[m_at] == '|';
            m_at = more ? m_at + 1 : end;
            if (more)
                skipSpaces();
        }
        clause.written = m_text.substr(begin, m_at - begin);
        return clause;
    }

    /// Parses up to a space or a | outside quotes, slashes and brackets.
    Result<std::string> parseWord()
    {
        const std::size_t begin = m_at;
        int depth = 0;
        for (; !atEnd(); ++m_at) {
            const char c = m_text[m_at];
            if (depth == 0 && (isSpaceOfQuery(c) || c == '|'))
                break;
            depth += c == '[' ? 1 : c == ']' && depth > 0 ? -1 : 0;
            const bool opens = c == '"' || (c == '/' && (m_at == begin || m_text[m_at - 1] == ':'));
            if (!opens || depth > 0)
                continue;
            const std::size_t close = closing(c);
            if (close == std::string_view::npos)
                return fail(ErrorCode::usage,
                            std::string(c == '"' ? "no closing \": " : "no closing / of a regular expression: ")
                                + std::string(m_text.substr(m_at)));
            m_at = close;
        }
        if (depth > 0)
            return fail(ErrorCode::usage, "no closing ]: " + std::string(m_text.substr(begin)));
        if (m_at == begin)
            return fail(ErrorCode::usage, "| needs a term on both sides");
        return std::string(m_text.substr(begin, m_at - begin));
    }

    /// Returns the position of the next such character that is not escaped.
    [[nodiscard]] std::size_t closing(char sign) const
    {
        for (std::size_t i = m_at + 1; i < m_text.size(); ++i) {
            if (sign == '/' && m_text[i] == '\\')
                ++i;
            else if (m_text[i] == sign)
                return i;
        }
        return std::string_view::npos;
    }

    /// Parses a term about the field that it names, otherwise about `field`.
    static Result<Term> termOf(std::string_view word, QueryField field)
    {
        const std::size_t sign = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        std::string_view value = word;
        if (sign != 0 && sign != std::string_view::npos) {
            const std::optional<QueryField> named = fieldOf(word.substr(0, sign));
            const bool colon = word[sign] == ':' && !word.substr(sign).starts_with("::"); // aten::mul is plain text
            const bool compares = std::string_view("<>=").find(word[sign]) != std::string_view::npos;
            if (named && (colon || (compares && isMeasure(*named)))) {
                field = *named;
                value = word.substr(colon && !isMeasure(field) ? sign + 1 : sign);
            } else if (colon) {
                return unknownField(word.substr(0, sign));
            } else if (compares && named) {
                return fail(ErrorCode::usage,
                            "only bytes and weights can be compared; write " + std::string(name(*named)) + ":…");
            }
        }
        return fill(field, value);
    }

    static Result<Term> fill(QueryField field, std::string_view value)
    {
        Term term{.field = field, .written = std::string(value)};
        if (isMeasure(field))
            return fillMeasure(std::move(term), value);
        if (value.empty())
            return fail(ErrorCode::usage, std::string(name(field)) + ": needs a value after the colon");
        const bool looksLikeShape = field == QueryField::any && value.ends_with(']') && value.find('[') != std::string_view::npos
            && value.front() != '/' && value.front() != '"';
        if (looksLikeShape)
            term.field = QueryField::shape;
        if (term.field == QueryField::shape) {
            SUNDER_TRY(ShapePattern shape, ShapePattern::parse(value));
            term.shape = std::move(shape);
            return term;
        }
        SUNDER_TRY(TextPattern text, TextPattern::parse(value));
        term.text = std::move(text);
        return term;
    }

    static Result<Term> fillMeasure(Term term, std::string_view value)
    {
        term.comparison = comparisonOf(value);
        const Result<std::uint64_t> bytes = parseBytes(value);
        if (!bytes)
            return fail(ErrorCode::usage,
                        value.empty()
                            ? std::string(name(term.field)) + " needs a value, as in " + std::string(name(term.field)) + ">1MB"
                            : quotedWord(value) + " is not a size in bytes; write " + std::string(name(term.field))
                                + ">1MB, <=64kB, or =4096");
        term.bytes = *bytes;
        return term;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::string_view name(QueryField field)
{
    switch (field) {
    case QueryField::any: return {};
    case QueryField::name: return "name";
    case QueryField::op: return "op";
    case QueryField::cls: return "class";
    case QueryField::module: return "module";
    case QueryField::tag: return "tag";
    case QueryField::shape: return "shape";
    case QueryField::dtype: return "dtype";
    case QueryField::bytes: return "bytes";
    case QueryField::weights: return "weights";
    }
    return {};
}

Result<NodeQuery> parseQuery(std::string_view text)
{
    return QueryParser(text).parse();
}

} // namespace sunder
