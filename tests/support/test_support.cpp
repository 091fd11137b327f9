#include "test_support.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

namespace sunder::test {
namespace {

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    const auto last = text.find_last_not_of(" \t");
    return std::string(text.substr(first, last - first + 1));
}

Argument argumentOf(const std::string& word, const std::unordered_map<std::string, NodeId>& names)
{
    if (const auto found = names.find(word); found != names.end())
        return Argument::node(found->second);
    char* end = nullptr;
    const long value = std::strtol(word.c_str(), &end, 10);
    if (end != nullptr && *end == '\0')
        return Argument::integer(value);
    throw std::runtime_error("no node or number called " + word);
}

NodeSpec specOf(const std::string& head)
{
    NodeSpec spec;
    const std::size_t bracket = head.find('[');
    const std::string word = head.substr(0, bracket);
    const std::string target =
        bracket == std::string::npos ? std::string() : head.substr(bracket + 1, head.find(']') - bracket - 1);
    const std::optional<Op> op = opOf(word);
    spec.op = op.value_or(Op::callFunction);
    spec.target = intern(op ? (target.empty() ? word : target) : "test." + word);
    return spec;
}

} // namespace

Program programFromText(const std::string& text)
{
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    std::unordered_map<std::string, NodeId> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line = trimmed(line);
        if (line.empty())
            continue;
        const std::size_t open = line.find('(');
        std::string head = trimmed(std::string_view(line).substr(0, open));
        std::string name;
        if (const std::size_t equals = head.find('='); equals != std::string::npos) {
            name = trimmed(std::string_view(head).substr(0, equals));
            head = trimmed(std::string_view(head).substr(equals + 1));
        }
        NodeSpec spec = specOf(head);
        spec.name = intern(name.empty() ? head : name);
        if (spec.op == Op::placeholder)
            spec.target = spec.name;
        if (spec.op == Op::callModule)
            program.modules[program.modules.ensure(spec.target.view())].leaf = true;
        std::istringstream args(line.substr(open + 1, line.rfind(')') - open - 1));
        for (std::string word; std::getline(args, word, ',');)
            if (word = trimmed(word); !word.empty())
                spec.args.push_back(argumentOf(word, names));
        names[spec.name.str()] = graph.append(spec);
    }
    return program;
}

std::string textOf(const Graph& graph)
{
    std::string text;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        text += node.name.str() + " = " + std::string(name(node.op)) + "[" + node.target.str() + "](";
        bool first = true;
        forEachNode(node.args, node.kwargs, [&](NodeId input) {
            text += (first ? "" : ", ") + graph.node(input).name.str();
            first = false;
        });
        text += ")\n";
    }
    return text;
}

std::string casePath(const std::string& relative)
{
    return std::string(SUNDER_CASES) + "/" + relative;
}

std::string sharedFolder()
{
    return std::filesystem::is_directory(SUNDER_SHARED "/conformance") ? SUNDER_SHARED : "";
}

} // namespace sunder::test
