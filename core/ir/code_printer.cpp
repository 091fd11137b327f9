// printCode(): the forward() method that torch.fx generates from a graph.
#include "ir/forward_inputs.h"
#include "ir/namespace.h"
#include "ir/printer.h"
#include "ir/python_names.h"
#include "ir/python_text.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

/// Number of lines before the body: empty lines and "def forward(…):".
constexpr std::size_t kLinesBeforeBody = 4;

/// Names that every generated forward() can use.
constexpr std::array<std::string_view, 7> kAlways = {"NoneType", "device", "fx_pytree", "inf", "nan", "pytree", "torch"};

constexpr std::string_view kTensorMethod = "torch.Tensor.";

/// Whether generated code uses the full name. Methods of tensors have no module name, so torch.fx assigns them a global name.
bool isTorchName(std::string_view name)
{
    if (name.starts_with(kTensorMethod))
        return false;
    return name == "torch"
        || (name.starts_with("torch.") && !name.starts_with("torch._dynamo.") && !name.starts_with("torch._inductor."));
}

/// Quotes a name that is not an identifier as torch.fx does: in double quotes if nothing needs escaping.
std::string doubleQuoted(std::string_view text)
{
    const bool isPlain = isVisible(text) && text.find_first_of("\"\\") == std::string_view::npos;
    return isPlain ? '"' + std::string(text) + '"' : pythonString(text);
}

class CodePrinter {
public:
    CodePrinter(const Graph& graph, const CodeOptions& options) : m_graph(graph), m_options(options), m_names(graph.idBound())
    {
        for (const std::string_view name : kAlways)
            m_namespace.use(intern(name));
        for (const std::string_view name : options.taken)
            m_namespace.use(intern(name));
        m_spelling.node = [this](NodeId id) { return nodeName(id); };
        m_spelling.callable = [this](InternedString name) {
            return readsAnyAttribute(name.view()) ? missing(name.view()) : global(name.view());
        };
        m_spelling.printed = [this](std::string_view text) { return printedValue(text); };
        findLastUses();
    }

    CodeListing print()
    {
        std::string body;
        std::vector<NodeId> nodes;
        m_inputs.find(m_graph, m_options.insideClass, [this](NodeId id) { return nodeName(id); }, m_namespace, m_notes);
        m_parameters.resize(m_inputs.size());
        for (const NodeId id : m_graph.nodes()) {
            const std::string line = statement(id);
            if (line.empty())
                continue;
            body += "    " + line;
            nodes.push_back(id);
        }
        CodeListing listing{.text = "\n\n\ndef forward(self", .nodeOfLine = std::vector<NodeId>(kLinesBeforeBody)};
        for (const std::string& parameter : m_parameters)
            listing.text += ", " + parameter;
        listing.text += ")" + m_returns + ":\n" + (body.empty() ? "    pass\n" : body) + "    ";
        listing.nodeOfLine.insert(listing.nodeOfLine.end(), nodes.begin(), nodes.end());
        listing.nodeOfLine.resize(std::max(listing.nodeOfLine.size(), kLinesBeforeBody + 1) + 1);
        for (const auto& [name, import] : m_imports)
            listing.imports.push_back(import);
        listing.notes = std::move(m_notes);
        return listing;
    }

private:
    void note(std::string text) { m_notes.push_back(std::move(text)); }

    /// Whether a name can be used as an attribute. Inside a class, Python mangles __a to _Class__a.
    [[nodiscard]] bool isAttribute(std::string_view name) const
    {
        return isPythonName(name) && !(m_options.insideClass && name.starts_with("__") && !name.ends_with("__"));
    }

    /// Returns "self.a.b", or getattr() for parts that are not identifiers: `getattr(self.layers, "0").q`.
    [[nodiscard]] std::string attributePath(std::string base, std::string_view target) const
    {
        for (std::size_t start = 0; start <= target.size();) {
            const std::size_t end = std::min(target.find('.', start), target.size());
            const std::string part(target.substr(start, end - start));
            base = isAttribute(part) ? base + "." + part : "getattr(" + base + ", " + doubleQuoted(part) + ")";
            start = end + 1;
        }
        return base;
    }

    /// Returns "x.shape", or getattr() if the name is not an identifier. A name with dots is a single name.
    [[nodiscard]] std::string attribute(const std::string& object, std::string_view name) const
    {
        return isAttribute(name) ? object + "." + std::string(name) : "getattr(" + object + ", " + doubleQuoted(name) + ")";
    }

    /// Whether the attribute may be more than a value that a graph computes. `object` may be a name in PyTorch.
    static bool leadsBeyond(const Argument& value, const std::string& object, std::string_view name)
    {
        const bool isPrinted = value.is(ArgumentKind::symbolic) || value.is(ArgumentKind::constant)
            || value.is(ArgumentKind::object) || value.is(ArgumentKind::opaque) || value.is(ArgumentKind::unknown);
        if (isPrinted && isDottedPythonName(object)) // printed text may be the name of anything
            return true;
        const bool isOfPyTorch = isTorchName(object) && isDottedPythonName(object);
        return leadsBeyondValues(name) || (isOfPyTorch && reachesBeyondGraphs(object + "." + std::string(name)));
    }

    /// Returns the path of a module attribute, unless it leads to the interpreter.
    std::string modulePath(InternedString target)
    {
        return leadsToInterpreter(target.view()) ? missing("module " + target.str()) : attributePath("self", target.view());
    }

    /// Prints a value that the file stores as Python output: as is if it is an expression without calls, otherwise as a string.
    std::string printedValue(std::string_view text)
    {
        if (isHarmlessExpression(text))
            return std::string(text);
        note("value " + std::string(text) + " is not a Python expression, so it is printed as a string");
        return pythonString(text);
    }

    std::string nodeName(NodeId id)
    {
        InternedString& name = m_names[id.index()];
        if (name.empty())
            name = m_namespace.create(m_graph[id].name.view());
        return name.str();
    }

    /// Returns the name of a callable or class in the generated code.
    std::string global(std::string_view qualified)
    {
        const bool isName = isDottedPythonName(qualified) && !reachesBeyondGraphs(qualified);
        const bool isBare = qualified.find('.') == std::string_view::npos;
        if (isName && (isBare ? isPlainBuiltin(qualified) || isReservedPythonType(qualified) : isTorchName(qualified)))
            return std::string(qualified);
        if (!isName || isBare)
            return missing(qualified,
                           isName                              ? "not in a module"
                               : isDottedPythonName(qualified) ? "not one that a graph may call"
                                                               : "not a Python name");
        const auto [at, isNew] = m_globals.try_emplace(std::string(qualified));
        if (isNew) {
            at->second = m_namespace.create(qualified).str();
            m_imports[at->second] = {.name = at->second, .path = std::string(qualified), .isMissing = false};
        }
        return at->second;
    }

    /// Returns the placeholder name for a callable that the generated code does not call.
    std::string missing(std::string_view what, std::string_view why = "not one that a graph may call")
    {
        const auto [at, isNew] = m_missing.try_emplace(std::string(what));
        if (isNew) {
            at->second = m_namespace.create(what).str();
            m_imports[at->second] = {.name = at->second, .path = std::string(what), .isMissing = true};
            note((what.starts_with("module ") ? "" : "function ") + std::string(what) + " is " + std::string(why) + "; "
                 + at->second + " replaces it");
        }
        return at->second;
    }

    /// Returns a type expression in which every dotted name is a global. If the type is invalid, returns nothing and adds a note.
    std::string annotation(const Node& node)
    {
        if (node.type.empty())
            return {};
        if (const std::optional<std::string> text = type(node.type.view()))
            return " : " + *text;
        note("type " + node.type.str() + " of " + node.name.str() + " is left out, because it is not a Python type");
        return {};
    }

    std::optional<std::string> type(std::string_view text)
    {
        constexpr std::string_view kOptional = "typing.Optional[";
        if (text.starts_with(kOptional) && text.ends_with(']'))
            if (const auto inner = type(text.substr(kOptional.size(), text.size() - kOptional.size() - 1)))
                return global("typing.Union") + "[" + *inner + ",NoneType]";
        std::string plain(text);
        std::erase(plain, ' ');
        return isPythonType(plain) ? std::optional(withGlobals(plain)) : std::nullopt;
    }

    std::string withGlobals(std::string_view text)
    {
        std::string out;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find_first_of("[],|"), text.size());
            const std::string_view word = text.substr(0, end);
            out += isDottedPythonName(word) ? global(word) : std::string(word);
            out += text.substr(end, 1);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return out;
    }

    std::string repr(const Argument& value) { return pythonRepr(value, m_spelling); }

    std::vector<std::string> reprs(const Arguments& values)
    {
        std::vector<std::string> texts;
        for (const Argument& value : values)
            texts.push_back(repr(value));
        return texts;
    }

    std::string arguments(std::span<const Argument> args, const Keywords& kwargs)
    {
        std::string text;
        for (const Argument& argument : args) {
            text += text.empty() ? "" : ", ";
            text += repr(argument);
        }
        std::unordered_set<InternedString> given;
        for (const Keyword& keyword : kwargs) {
            text += text.empty() ? "" : ", ";
            // A repeated keyword is a syntax error in Python. As a dictionary it is valid and fails when it is called.
            const bool isPlain = isAttribute(keyword.key.view()) && given.insert(keyword.key).second;
            text += isPlain ? keyword.key.str() + " = " + repr(keyword.value)
                            : "**{" + pythonString(keyword.key.view()) + ": " + repr(keyword.value) + "}";
        }
        return text;
    }

    /// Collects, for each node, the nodes whose last use it is, in torch.fx's order.
    void findLastUses()
    {
        m_lastUses.resize(m_graph.idBound());
        std::vector<bool> seen(m_graph.idBound());
        for (NodeId user = m_graph.last(); user; user = m_graph.previous(user))
            for (const NodeId input : m_graph.inputs(user))
                if (!seen[input.index()]) {
                    seen[input.index()] = true;
                    m_lastUses[user.index()].push_back(input);
                }
    }

    std::string statement(NodeId id)
    {
        const Node& node = m_graph[id];
        const std::string annotation = this->annotation(node);
        if (node.op == Op::placeholder)
            return parameter(id, annotation);
        if (node.op == Op::output) {
            if (!annotation.empty())
                m_returns = " -> " + annotation.substr(3);
            return "return " + (node.args.empty() ? std::string("None") : repr(node.args.front())) + "\n";
        }
        std::string text = expression(id, annotation);
        std::vector<NodeId> gone = m_lastUses[id.index()];
        if (node.userCount() == 0)
            gone.push_back(id);
        if (!gone.empty())
            text += ";  ";
        for (const NodeId freed : gone)
            text += nodeName(freed) + " = ";
        return text + (gone.empty() ? "\n" : "None\n");
    }

    std::string parameter(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        const std::size_t place = m_inputs.placeOf(id);
        const ForwardInput& parameter = m_inputs[place];
        m_parameters[place] = parameter.stars + parameter.name + annotation
            + (parameter.hasDefault ? " = " + repr(node.args.front()) : "");
        return parameter.name == nodeName(id) ? std::string() : nodeName(id) + " = " + parameter.name + "\n";
    }

    std::string expression(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        if (node.op == Op::callFunction && !node.args.empty() && node.args.front().is(ArgumentKind::node))
            if (const std::string_view inPlace = inPlaceSyntax(node.target.view(), node.args.size()); !inPlace.empty())
                return filledSyntax(inPlace, reprs(node.args)) + ";  " + nodeName(id) + annotation + " = "
                    + repr(node.args.front());
        const std::string left = nodeName(id) + annotation + " = ";
        switch (node.op) {
        case Op::getAttr: return left + modulePath(node.target);
        case Op::callModule: return left + modulePath(node.target) + "(" + arguments(node.args, node.kwargs) + ")";
        case Op::callMethod: {
            const std::span<const Argument> args(node.args);
            const std::string object = args.empty() ? std::string("None") : ownerText(args.front());
            if (!args.empty() && leadsBeyond(args.front(), object, node.target.view()))
                return left + missing("method " + node.target.str()) + "(" + arguments(node.args, node.kwargs) + ")";
            return left + attribute(object, node.target.view()) + "(" + arguments(args.subspan(args.empty() ? 0 : 1), node.kwargs)
                + ")";
        }
        default: return left + call(node);
        }
    }

    std::string call(const Node& node)
    {
        const std::string_view target = node.target.view();
        if (const std::string_view infix = operatorSyntax(target, node.args.size()); !infix.empty())
            return filledSyntax(infix, reprs(node.args));
        if (readsAnyAttribute(target)) {
            const bool isNamed = node.args.size() >= 2 && node.args[1].is(ArgumentKind::string) && node.kwargs.empty();
            if (!isNamed || target.find("getattr") == std::string_view::npos)
                return missing(target) + "(" + arguments(node.args, node.kwargs) + ")";
            const std::string object = ownerText(node.args[0]);
            const std::string_view name = node.args[1].text().view();
            if (leadsBeyond(node.args[0], object, name))
                return missing("getattr " + std::string(name)) + "(" + arguments(node.args, node.kwargs) + ")";
            if (target == "getattr" && node.args.size() == 2 && isAttribute(name))
                return attribute(object, name);
        }
        const std::string function = global(target);
        return function + "(" + arguments(node.args, node.kwargs) + ")";
    }

    /// Returns a value whose attribute is read, in parentheses if necessary: after digits or an expression, the dot would belong
    /// to something else.
    std::string ownerText(const Argument& value)
    {
        const std::string text = repr(value);
        const bool isOne = value.is(ArgumentKind::node) || value.isCompound() || isDottedPythonName(text)
            || text.starts_with('\'') || text.starts_with('"');
        return isOne ? text : "(" + text + ")";
    }

    const Graph& m_graph;
    CodeOptions m_options;
    Namespace m_namespace;
    PythonSpelling m_spelling;
    std::vector<InternedString> m_names; ///< by NodeId
    std::vector<std::vector<NodeId>> m_lastUses;
    std::map<std::string, std::string> m_globals;
    std::map<std::string, std::string> m_missing;
    std::map<std::string, PythonImport> m_imports;
    std::vector<std::string> m_notes;
    ForwardInputs m_inputs;
    std::vector<std::string> m_parameters;
    std::string m_returns;
};

} // namespace

std::string printCode(const Program& program, GraphId graph)
{
    return listCode(program, graph).text;
}

CodeListing listCode(const Program& program, GraphId graph, const CodeOptions& options)
{
    return CodePrinter(program.graph(graph), options).print();
}

std::string importLine(const PythonImport& import)
{
    const std::size_t dot = import.path.rfind('.');
    return import.path.starts_with(kTensorMethod)
        ? import.name + " = " + import.path
        : "from " + import.path.substr(0, dot) + " import " + import.path.substr(dot + 1) + " as " + import.name;
}

} // namespace sunder
