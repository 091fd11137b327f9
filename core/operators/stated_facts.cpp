#include "operators/stated_facts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace sunder {
namespace {

constexpr std::array<std::pair<std::string_view, CallRole>, 17> kRoles{{
    {"function", CallRole::function},
    {"getitem", CallRole::getItem},
    {"container", CallRole::container},
    {"flatten-tree", CallRole::treeFlatten},
    {"unflatten-tree", CallRole::treeUnflatten},
    {"query", CallRole::query},
    {"assertion", CallRole::assertion},
    {"effect", CallRole::effect},
    {"stir", CallRole::stir},
    {"invoke", CallRole::invoke},
    {"grad-region", CallRole::gradRegion},
    {"autocast-region", CallRole::autocastRegion},
    {"closures", CallRole::closures},
    {"with-effects", CallRole::withEffects},
    {"functionalizes", CallRole::functionalizes},
    {"undecidable", CallRole::undecidable},
    {"backward", CallRole::backward},
}};

constexpr std::array<std::pair<std::string_view, CallRole>, 3> kFieldRoles{{
    {"state", CallRole::setState},
    {"enter", CallRole::enter},
    {"leave", CallRole::leave},
}};

/// Removes and returns the text of `rest` up to `separator`, ignoring separators in brackets and quotes.
std::string_view takePiece(std::string_view& rest, char separator)
{
    int depth = 0;
    std::size_t end = 0;
    for (char quote = '\0'; end < rest.size(); ++end) {
        const char c = rest[end];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (depth <= 0 && c == separator)
            break;
        else
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    }
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    return piece;
}

/// Parses "flag", "!flag", "alpha=1", "p=0..1".
StatedFlag readFlag(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, FlagTest>, 2> kValues{
        {{"=1", FlagTest::one}, {"=0..1", FlagTest::fraction}}};
    if (text.starts_with('!'))
        return {text.substr(1), FlagTest::off};
    for (const auto& [value, test] : kValues)
        if (text.ends_with(value))
            return {text.substr(0, text.size() - value.size()), test};
    return {text, FlagTest::on};
}

/// Parses "flag", "!flag", "flag&!other".
bool readFlags(std::string_view text, std::vector<StatedFlag>& flags)
{
    while (!text.empty()) {
        const StatedFlag flag = readFlag(takePiece(text, '&'));
        if (flag.name.empty() || flag.name.find('=') != std::string_view::npos)
            return false;
        flags.push_back(flag);
    }
    return !flags.empty();
}

/// Parses "argument" or "argument?flags".
bool readArgument(FactKind kind, std::string_view text, std::vector<StatedFact>& facts)
{
    const std::size_t mark = text.find('?');
    StatedFact fact{.kind = kind, .argument = text.substr(0, mark), .when = {}, .clause = 0};
    if (fact.argument.empty() || (mark != std::string_view::npos && !readFlags(text.substr(mark + 1), fact.when)))
        return false;
    facts.push_back(std::move(fact));
    return true;
}

bool readArguments(FactKind kind, std::string_view list, std::vector<StatedFact>& facts)
{
    while (!list.empty())
        if (!readArgument(kind, takePiece(list, ','), facts))
            return false;
    return true;
}

std::optional<FactKind> resultKind(std::string_view word)
{
    static constexpr std::array<std::pair<std::string_view, FactKind>, 4> kKinds{
        {{"view", FactKind::view}, {"maybe", FactKind::maybe}, {"is", FactKind::is}, {"converts", FactKind::converts}}};
    const auto* const found = std::ranges::find(kKinds, word, [](const auto& kind) { return kind.first; });
    return found == kKinds.end() ? std::nullopt : std::optional(found->second);
}

/// Parses the clauses of `returns=`: "fresh", "view(a)", "maybe(a,b)?flag", "is(a)?!flag", separated by commas.
bool readResults(std::string_view list, std::vector<StatedFact>& facts)
{
    for (std::uint8_t clause = 0; !list.empty(); ++clause) {
        if (clause == 64)
            return false;
        const std::string_view piece = takePiece(list, ',');
        if (piece == "fresh") {
            facts.push_back({.kind = FactKind::fresh, .argument = {}, .when = {}, .clause = clause});
            continue;
        }
        const std::size_t open = piece.find('(');
        const std::size_t close = piece.rfind(')');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            return false;
        const std::optional<FactKind> kind = resultKind(piece.substr(0, open));
        if (!kind)
            return false;
        std::vector<StatedFlag> when;
        const std::string_view behind = piece.substr(close + 1);
        if (!behind.empty() && !(behind.front() == '?' && readFlags(behind.substr(1), when)))
            return false;
        std::string_view arguments = piece.substr(open + 1, close - open - 1);
        while (!arguments.empty()) {
            const std::string_view argument = takePiece(arguments, ',');
            if (argument.empty())
                return false;
            facts.push_back({.kind = *kind, .argument = argument, .when = when, .clause = clause});
        }
    }
    return true;
}

/// Parses "input,p=0.5,*,training=True".
bool readParameters(std::string_view list, std::vector<StatedParameter>& parameters)
{
    bool keywordOnly = false;
    while (!list.empty()) {
        const std::string_view piece = takePiece(list, ',');
        if (piece == "*") {
            keywordOnly = true;
            continue;
        }
        const std::size_t equal = piece.find('=');
        StatedParameter parameter{.name = piece.substr(0, equal), .defaultValue = {}, .keywordOnly = keywordOnly};
        if (parameter.name.starts_with('*')) {
            parameter.takesRest = true;
            parameter.name.remove_prefix(1);
            keywordOnly = true;
        }
        if (parameter.name.empty())
            return false;
        parameter.hasDefault = equal != std::string_view::npos;
        if (parameter.hasDefault)
            parameter.defaultValue = piece.substr(equal + 1);
        parameters.push_back(parameter);
    }
    return true;
}

/// Parses words of the form "meta(a)" and "resizes(a)".
bool readBracketed(std::string_view word, FactKind kind, std::string_view name, StatedFacts& stated)
{
    if (word.size() < name.size() + 2 || !word.starts_with(name) || word[name.size()] != '(')
        return false;
    const std::size_t close = word.rfind(')');
    if (close == std::string_view::npos)
        return false;
    std::vector<StatedFlag> when;
    const std::string_view behind = word.substr(close + 1);
    if (!behind.empty() && !(behind.front() == '?' && readFlags(behind.substr(1), when)))
        return false;
    std::string_view arguments = word.substr(name.size() + 1, close - name.size() - 1);
    while (!arguments.empty())
        stated.facts.push_back({.kind = kind, .argument = takePiece(arguments, ','), .when = when, .clause = 0});
    return true;
}

bool readAssignment(std::string_view key, std::string_view value, StatedFacts& stated)
{
    if (key == "like") {
        stated.like = value;
        return !value.empty();
    }
    if (key == "tensors") {
        stated.tensors = value;
        return !value.empty();
    }
    if (key == "args") {
        stated.statesParameters = true;
        return readParameters(value, stated.parameters);
    }
    if (key == "writes") {
        stated.statesWrites = true;
        return value == "none" || readArguments(FactKind::writes, value, stated.facts);
    }
    if (key == "returns") {
        stated.statesResults = true;
        return readResults(value, stated.facts);
    }
    for (const auto& [name, role] : kFieldRoles) {
        if (name != key)
            continue;
        stated.statesRole = true;
        stated.role = role;
        stated.field = value;
        return !value.empty();
    }
    return false;
}

/// Parses facts that do not concern an argument: "random", "random?training", "sees-layout".
std::optional<StatedFact> readPlain(std::string_view word)
{
    static constexpr std::array<std::pair<std::string_view, FactKind>, 7> kPlain{{
        {"random", FactKind::random},
        {"sees-layout", FactKind::seesLayout},
        {"ignores-layout", FactKind::ignoresLayout},
        {"ignores-real-layout", FactKind::ignoresRealLayout},
        {"ignores-offset", FactKind::ignoresOffset},
        {"fails-by-form", FactKind::failsByForm},
        {"keeps-gradients", FactKind::keepsGradients},
    }};
    const std::size_t mark = word.find('?');
    const auto* const found = std::ranges::find(kPlain, word.substr(0, mark), [](const auto& kind) { return kind.first; });
    if (found == kPlain.end())
        return std::nullopt;
    StatedFact fact{.kind = found->second, .argument = {}, .when = {}, .clause = 0};
    if (mark != std::string_view::npos && !readFlags(word.substr(mark + 1), fact.when))
        return std::nullopt;
    return fact;
}

bool readWord(std::string_view word, StatedFacts& stated)
{
    for (const auto& [name, role] : kRoles) {
        if (name != word)
            continue;
        stated.statesRole = true;
        stated.role = role;
        return true;
    }
    for (const auto& [name, flag] : {std::pair{std::string_view("gradients"), &StatedFacts::gradients},
                                     {"outside", &StatedFacts::outside},
                                     {"overlaps", &StatedFacts::overlaps},
                                     {"new-tensor", &StatedFacts::newTensor},
                                     {"overwrites", &StatedFacts::overwrites},
                                     {"detaches", &StatedFacts::detaches},
                                     {"keyword-order", &StatedFacts::keywordOrder}}) {
        if (name != word)
            continue;
        stated.*flag = true;
        return true;
    }
    std::optional<StatedFact> plain = readPlain(word);
    stated.statesRandom = stated.statesRandom || word == "random=none" || (plain && plain->kind == FactKind::random);
    if (plain)
        stated.facts.push_back(std::move(*plain));
    if (plain || word == "random=none")
        return true;
    if (readBracketed(word, FactKind::meta, "meta", stated) || readBracketed(word, FactKind::resizes, "resizes", stated))
        return true;
    const std::size_t equal = word.find('=');
    return equal != std::string_view::npos && readAssignment(word.substr(0, equal), word.substr(equal + 1), stated);
}

} // namespace

Result<StatedFacts> parseFacts(std::string_view text)
{
    StatedFacts stated;
    while (!text.empty()) {
        const std::string_view word = takePiece(text, ' ');
        if (!word.empty() && !readWord(word, stated))
            return fail(ErrorCode::malformed, "\"" + std::string(word) + "\" is not a known fact");
    }
    return stated;
}

} // namespace sunder
