#include "test_support.h"

#include "ir/tensor_meta.h"
#include "operators/operator_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

namespace sunder::test {
namespace {

constexpr std::string_view kTestOperators = "torch.ops.test.";

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
    const std::string target = bracket == std::string::npos ? std::string()
                                                            : head.substr(bracket + 1, head.find(']') - bracket - 1);
    const std::optional<Op> op = opOf(word);
    spec.op = op.value_or(Op::callFunction);
    const std::string function = (word.find('.') == std::string::npos ? "torch.ops.test." : "torch.ops.") + word;
    spec.target = intern(!op ? function : target.empty() ? word : target);
    return spec;
}

/// "1x8" as a float32 tensor.
Argument tensorOf(const std::string& sizes)
{
    TensorMeta meta;
    meta.dtype = intern("float32");
    std::istringstream words(sizes);
    for (std::string word; std::getline(words, word, 'x');)
        meta.shape.push_back(Argument::integer(std::stol(word)));
    return Argument::tensor(std::make_shared<const TensorMeta>(meta));
}

/// "layers.0 Layer > layers.0.act ReLU" below the root.
ModuleStack stackOf(const std::string& text)
{
    ModuleStack stack{{intern("L__self__"), InternedString(), intern("test.Net")}};
    std::istringstream frames(text);
    for (std::string frame; std::getline(frames, frame, '>');) {
        std::istringstream words(frame);
        std::string key;
        std::string cls;
        words >> key >> cls;
        stack.push_back({intern("L__self__" + key), intern(key.substr(0, key.find('@'))), intern("test." + cls)});
    }
    return stack;
}

/// Parses the text after a node's arguments: ": shape" and "@ stack".
void addMeta(Program& program, const std::string& rest, NodeSpec& spec)
{
    const std::size_t at = rest.find('@');
    const std::string shape = trimmed(std::string_view(rest).substr(0, at));
    if (!shape.empty() && shape.front() == ':')
        spec.meta.val = tensorOf(trimmed(std::string_view(shape).substr(1)));
    if (at == std::string::npos)
        return;
    const ModuleStack stack = stackOf(rest.substr(at + 1));
    auto found = std::find(program.stacks.begin(), program.stacks.end(), stack);
    spec.meta.modules = StackId(static_cast<std::size_t>(found - program.stacks.begin()));
    if (found == program.stacks.end())
        program.stacks.push_back(stack);
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
        addMeta(program, line.substr(line.rfind(')') + 1), spec);
        names[spec.name.str()] = graph.append(spec);
    }
    giveTestSchemas(program);
    return program;
}

void giveTestSchemas(Program& program)
{
    std::set<std::string> names;
    for (const NodeId id : program.rootGraph().nodes())
        if (const std::string_view target = program.rootGraph()[id].target.view(); target.starts_with(kTestOperators))
            names.emplace(target.substr(kTestOperators.size()));
    std::string schemas;
    for (const std::string& name : names)
        schemas += "test::" + name + "(Any a=None, Any b=None, Any c=None, Any d=None, Any e=None, Any f=None) -> Tensor\n";
    Result<std::shared_ptr<const OperatorLibrary>> parsed = OperatorLibrary::parse(schemas, "schemas of test operators");
    if (!parsed)
        throw std::runtime_error(parsed.error().message);
    program.operators = *std::move(parsed);
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
