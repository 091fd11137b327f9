#include "ir/python_syntax.h"

#include "ir/python_names.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// A function of Python's operator module and the equivalent syntax; "{}" marks arguments.
struct Syntax {
    std::string_view name;
    std::string_view syntax;
};

constexpr std::array kInfix = {
    Syntax{"add", "{} + {}"},     Syntax{"sub", "{} - {}"},    Syntax{"mul", "{} * {}"},  Syntax{"floordiv", "{} // {}"},
    Syntax{"truediv", "{} / {}"}, Syntax{"mod", "{} % {}"},    Syntax{"pow", "{} ** {}"}, Syntax{"lshift", "{} << {}"},
    Syntax{"rshift", "{} >> {}"}, Syntax{"and_", "{} & {}"},   Syntax{"or_", "{} | {}"},  Syntax{"xor", "{} ^ {}"},
    Syntax{"getitem", "{}[{}]"},  Syntax{"matmul", "{} @ {}"}, Syntax{"eq", "{} == {}"},  Syntax{"ne", "{} != {}"},
    Syntax{"lt", "{} < {}"},      Syntax{"gt", "{} > {}"},     Syntax{"le", "{} <= {}"},  Syntax{"ge", "{} >= {}"},
    Syntax{"pos", "+{}"},         Syntax{"neg", "-{}"},        Syntax{"invert", "~{}"},
};

constexpr std::array kInPlace = {
    Syntax{"iadd", "{} += {}"},     Syntax{"iand", "{} &= {}"},       Syntax{"ifloordiv", "{} //= {}"},
    Syntax{"ilshift", "{} <<= {}"}, Syntax{"imod", "{} %= {}"},       Syntax{"imul", "{} *= {}"},
    Syntax{"imatmul", "{} @= {}"},  Syntax{"ior", "{} |= {}"},        Syntax{"ipow", "{} **= {}"},
    Syntax{"irshift", "{} >>= {}"}, Syntax{"isub", "{} -= {}"},       Syntax{"itruediv", "{} /= {}"},
    Syntax{"ixor", "{} ^= {}"},     Syntax{"setitem", "{}[{}] = {}"},
};

constexpr std::string_view kOperator = "_operator.";

/// Returns the number of operands of a syntax.
std::size_t placesIn(std::string_view syntax)
{
    std::size_t places = 0;
    for (std::size_t at = syntax.find("{}"); at != std::string_view::npos; at = syntax.find("{}", at + 2))
        ++places;
    return places;
}

template <std::size_t N>
std::string_view syntaxIn(const std::array<Syntax, N>& table, std::string_view target, std::size_t argumentCount)
{
    if (!target.starts_with(kOperator))
        return {};
    const auto* const found = std::ranges::find(table, target.substr(kOperator.size()), &Syntax::name);
    return found != table.end() && argumentCount >= placesIn(found->syntax) ? found->syntax : std::string_view();
}

/// Whether a word is the name of a type.
bool isTypeName(std::string_view word)
{
    return isDottedPythonName(word) && !reachesBeyondGraphs(word)
        && (word.find('.') != std::string_view::npos || isPlainBuiltin(word) || isReservedPythonType(word));
}

} // namespace

std::string_view operatorSyntax(std::string_view target, std::size_t argumentCount)
{
    return syntaxIn(kInfix, target, argumentCount);
}

std::string_view inPlaceSyntax(std::string_view target, std::size_t argumentCount)
{
    return syntaxIn(kInPlace, target, argumentCount);
}

std::string filledSyntax(std::string_view syntax, const std::vector<std::string>& arguments)
{
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < syntax.size(); ++i) {
        if (syntax.substr(i, 2) != "{}") {
            text += syntax[i];
            continue;
        }
        text += arguments[next++];
        ++i;
    }
    return text;
}

bool isReservedPythonType(std::string_view name)
{
    return name == "torch" || name == "NoneType" || name == "device";
}

bool isPythonType(std::string_view text)
{
    constexpr std::size_t kDeepest = 40;
    std::string open;
    bool wantsValue = true;
    for (std::size_t at = 0; at < text.size();) {
        if (wantsValue) {
            if (text[at] == '[' && !open.empty() && open.size() < kDeepest) { // the parameter list of a Callable
                open += text[at++];
                if (!text.substr(at).starts_with("]"))
                    continue;
            } else {
                const std::size_t end = std::min(text.find_first_of("[],|", at), text.size());
                const std::string_view word = text.substr(at, end - at);
                const bool isName = isTypeName(word);
                if (!isName && word != "..." && word != "None" && word != "()")
                    return false;
                at = end;
                if (isName && text.substr(at).starts_with("[") && open.size() < kDeepest) {
                    open += text[at++];
                    continue;
                }
            }
            wantsValue = false;
            continue;
        }
        const char c = text[at++];
        if (c == ']' && !open.empty())
            open.pop_back();
        else if (c == '|' || (c == ',' && !open.empty()))
            wantsValue = true;
        else
            return false;
    }
    return open.empty() && !wantsValue;
}

} // namespace sunder
