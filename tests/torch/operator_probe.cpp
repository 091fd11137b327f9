// Prints Sunder's facts about every call in an fx-json file, one JSON line each: operator_probe FILE. Used by the tests that
// compare the tables of operators and of leaf modules with PyTorch.
#include "io/fx_json/fx_json_reader.h"
#include "ir/program.h"
#include "operators/call_facts.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"

#include <array>
#include <iostream>
#include <string>

using namespace sunder;

namespace {

std::string listOf(const std::vector<std::uint32_t>& slots)
{
    std::string text;
    for (const std::uint32_t slot : slots)
        text += (text.empty() ? "" : ",") + std::to_string(slot);
    return "[" + text + "]";
}

const char* word(bool value)
{
    return value ? "true" : "false";
}

/// Omits the closing brace.
void print(const Node& node, bool known, const CallFacts& facts, CallRole role)
{
    static constexpr std::array kResults{"fresh", "view", "is", "maybe"};
    std::cout << R"({"name":")" << node.name.view() << R"(","known":)" << word(known) << R"(,"random":)" << word(facts.random)
              << R"(,"result":")" << kResults[static_cast<std::size_t>(facts.result)] << R"(","written":)"
              << listOf(facts.written) << R"(,"shared":)" << listOf(facts.shared) << R"(,"converts":)" << word(facts.converts)
              << R"(,"reshaped":)" << listOf(facts.reshaped) << R"(,"resized":)" << listOf(facts.resized) << R"(,"query":)"
              << word(role == CallRole::query) << R"(,"sees_layout":)" << word(facts.seesLayout) << R"(,"ignores_layout":)"
              << word(facts.ignoresLayout) << R"(,"ignores_real_layout":)" << word(facts.ignoresRealLayout)
              << R"(,"ignores_offset":)" << word(facts.ignoresOffset) << R"(,"fails_by_form":)" << word(failsByForm(role, facts))
              << R"(,"keeps_gradients":)" << word(facts.keepsGradients);
}

void print(const Node& node, const ModuleCallFacts& facts)
{
    print(node, facts.known, facts.call, CallRole::function);
    std::cout << R"(,"buffers":)" << word(facts.writesBuffers) << R"(,"parameters":)" << word(facts.writesParameters)
              << R"(,"tensors":)" << word(facts.returnsTensors) << R"(,"asks":)" << word(facts.assumesAttributes) << "}\n";
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: operator_probe FILE.fxj\n";
        return 2;
    }
    const Result<Program> program = readFxJson(argv[1]);
    if (!program) {
        std::cerr << describe(program.error()) << '\n';
        return 3;
    }
    OperatorCatalog catalogue(*program);
    ModuleFacts modules(*program);
    const Graph& graph = program->rootGraph();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        const NodeArguments given(node);
        if (node.op == Op::callModule) {
            print(node, modules.of(program->modules.resolve(node.target.view()), given));
        } else if (node.op == Op::callFunction || node.op == Op::callMethod) {
            const OperatorFacts& facts = catalogue.of(node.op, node.target);
            print(node, facts.known, callFacts(facts, given), facts.role);
            std::cout << "}\n";
        }
    }
    return 0;
}
