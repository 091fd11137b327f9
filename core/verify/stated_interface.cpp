#include "verify/stated_interface.h"

#include "ir/python_text.h"
#include "ir/value_kind.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder {
namespace {

std::vector<NodeId> userInputs(const Program& program, Side side, const SymbolMapping& mapping)
{
    std::vector<NodeId> found;
    std::size_t position = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (program.rootGraph().node(id).op != Op::placeholder)
            continue;
        if (mapping.inputs(side)[position++].kind == InputSlot::Kind::user)
            found.push_back(id);
    }
    return found;
}

std::string_view stars(const Node& input)
{
    const std::string_view target = input.target.view();
    return target.substr(0, target.starts_with("**") ? 2 : target.starts_with('*') ? 1 : 0);
}

/// Returns "*rest (variable arguments)" or "rest (a plain input)".
std::string shown(const Node& input)
{
    const std::size_t count = stars(input).size();
    if (count == 0)
        return input.name.str() + " (a plain input)";
    return input.target.str() + (count == 2 ? " (variable keywords)" : " (variable arguments)");
}

/// Describes two inputs that collect differently, and suggests a fix.
std::string lostStars(const Node& one, const Node& other, std::size_t position)
{
    std::string why = "input " + std::to_string(position) + " is " + shown(one) + " in the first program, " + shown(other)
        + " in the second";
    if (stars(other).empty())
        why += ", where it is one argument. If a split dropped the " + std::string(stars(one))
            + ", as PyTorch's splits do, split again with --keep-signature";
    return why;
}

/// Formats the domain of inputs of an exported program, with symbols numbered in order of appearance.
class DomainText {
public:
    explicit DomainText(const Program& program) : m_program(program)
    {
        for (const SymbolRange& range : program.ranges)
            m_ranges.emplace(range.symbol, &range);
    }

    std::string input(const InputSpec& spec)
    {
        if (!spec.value.is(ArgumentKind::node))
            return "the constant " + text(spec.value);
        const std::optional<Argument>& val = m_program.rootGraph().node(spec.value.asNode()).meta.val;
        return val ? value(*val) : std::string("a value");
    }

private:
    static std::string text(const Argument& constant)
    {
        return pythonRepr(
            constant,
            {.node = [](NodeId) { return std::string("a value"); }, .callable = [](InternedString name) { return name.str(); }});
    }

    std::string value(const Argument& val)
    {
        if (!val.is(ArgumentKind::tensor))
            return val.is(ArgumentKind::symbolic) ? size(val) : "a value";
        std::string shape;
        for (const Argument& dimension : val.asTensor().shape)
            shape += (shape.empty() ? "" : ", ") + size(dimension);
        const TensorMeta& tensor = val.asTensor();
        const std::string device = tensor.device.empty() || tensor.device.view() == "cpu" ? "" : " on " + tensor.device.str();
        return tensor.dtype.str() + "[" + shape + "]" + device + (isStrided(tensor) ? "" : " of layout " + tensor.layout.str());
    }

    std::string size(const Argument& dimension)
    {
        if (!dimension.is(ArgumentKind::symbolic))
            return text(dimension);
        std::string renamed;
        const std::string_view text = dimension.asSymbolic().expression.view();
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            while (end < text.size() && isWord(text[end]))
                ++end;
            renamed += end == at ? std::string(1, text[at]) : word(text.substr(at, end - at));
            at = std::max(end, at + 1);
        }
        return renamed;
    }

    /// Returns the number and the range of a symbol; any other word unchanged.
    std::string word(std::string_view text)
    {
        const auto range = m_ranges.find(intern(text));
        if (range == m_ranges.end())
            return std::string(text);
        const auto [number, isNew] = m_numbers.try_emplace(range->first, m_numbers.size());
        const std::string name = "size" + std::to_string(number->second);
        const auto bound = [](const std::optional<std::int64_t>& value) {
            return value ? std::to_string(*value) : std::string();
        };
        return isNew ? name + " in " + bound(range->second->min) + ".." + bound(range->second->max) : name;
    }

    const Program& m_program;
    std::unordered_map<InternedString, const SymbolRange*> m_ranges;
    std::unordered_map<InternedString, std::size_t> m_numbers;
};

/// Whether a program without stated nesting accepts and returns the same values as one with these specs: positional leaf
/// arguments, and results that are leaves or one list or tuple of leaves.
bool isFlat(const ModuleCall& call)
{
    const TreeSpec* const in = call.inSpec.tree();
    const TreeSpec* const out = call.outSpec.tree();
    const auto isLeaf = [](const TreeSpec& spec) { return spec.kind == TreeSpec::Kind::leaf; };
    return in != nullptr && out != nullptr && in->children.size() == 2 && std::ranges::all_of(in->children[0].children, isLeaf)
        && in->children[1].children.empty() && out->kind != TreeSpec::Kind::other && out->kind != TreeSpec::Kind::namedTuple
        && out->kind != TreeSpec::Kind::dict && std::ranges::all_of(out->children, isLeaf);
}

const ModuleCall* rootCall(const Program& program)
{
    const auto found = std::ranges::find_if(program.calls,
                                            [](const ModuleCall& call) { return call.fqn.empty() && call.hasSignature; });
    return found != program.calls.end() ? &*found : nullptr;
}

std::vector<const InputSpec*> userSpecs(const Program& program)
{
    std::vector<const InputSpec*> users;
    for (const InputSpec& spec : program.signature->inputs)
        if (spec.kind == InputKind::user)
            users.push_back(&spec);
    return users;
}

/// Returns the dtypes of the user inputs, in order, if the file states them.
std::vector<InternedString> typesOfInputs(const Program& program)
{
    std::vector<InternedString> types;
    std::size_t at = 0;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        const bool isUser = !program.signature || at >= program.signature->inputs.size()
            || program.signature->inputs[at].kind == InputKind::user;
        ++at;
        const TensorMeta* const tensor = tensorOf(node.meta.val);
        if (isUser)
            types.push_back(tensor != nullptr ? tensor->dtype : InternedString());
    }
    return types;
}

/// Compares the input dtypes of two torch.fx graphs. They matter because the verifier drops conversions if the file states the
/// dtype of their operand.
std::string differentTypes(const Program& a, const Program& b)
{
    const std::vector<InternedString> first = typesOfInputs(a);
    const std::vector<InternedString> second = typesOfInputs(b);
    for (std::size_t i = 0; i < first.size() && first.size() == second.size(); ++i)
        if (!first[i].empty() && !second[i].empty() && first[i] != second[i])
            return "the programs take different inputs: input " + std::to_string(i) + " is " + first[i].str()
                + " in the first program, " + second[i].str() + " in the second";
    return {};
}

using Texts = std::vector<InternedString>;

void add(Texts& texts, InternedString text)
{
    if (!text.empty())
        texts.push_back(text);
}

/// Collects unknown keys of a value and of its items, recursively. Readers bound the depth.
void addValue(Texts& texts, const Argument& value)
{
    add(texts, value.extra());
    for (const Argument& item : value.items())
        addValue(texts, item);
}

/// Whether a module is not traced as a leaf module: it has a graph, is the root, or is an alias of another module.
bool runsGraphs(const Module& module)
{
    return !module.parent.isValid() || module.same.isValid() || module.graph.isValid() || module.calls.has_value();
}

/// Returns, in order, the reasons why a module with graphs may behave differently from its graphs.
Texts marks(const Program& program)
{
    Texts texts;
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        if (const Module& module = program.modules[ModuleId(i)]; runsGraphs(module)) {
            add(texts, module.unknown);
            add(texts, module.recipe);
            add(texts, module.extra);
        }
    return texts;
}

/// Collects unknown keys of nodes and of their arguments, in graph order.
Texts keysOfNodes(const Program& program)
{
    Texts texts;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            add(texts, node.extra);
            if (node.op == Op::getAttr && node.meta.val)
                addValue(texts, *node.meta.val);
            for (const Argument& argument : node.args)
                addValue(texts, argument);
            for (const Keyword& keyword : node.kwargs)
                addValue(texts, keyword.value);
        }
    return texts;
}

/// Collects unknown keys of everything else that may affect the computation.
Texts keysOfLines(const Program& program)
{
    Texts texts;
    for (const auto& [graph, keys] : program.extras.graphs)
        add(texts, keys);
    for (const Storage& storage : program.tensors.storages())
        add(texts, storage.extra);
    for (const TensorEntry& tensor : program.tensors.entries())
        if (tensor.same.isValid())
            add(texts, tensor.extra);
    for (const SymbolRange& range : program.ranges)
        add(texts, range.extra);
    for (const ModuleCall& call : program.calls)
        add(texts, call.extra);
    if (!program.signature)
        return texts;
    add(texts, program.signature->extra);
    for (const InputSpec& input : program.signature->inputs)
        add(texts, input.extra);
    for (const OutputSpec& output : program.signature->outputs)
        add(texts, output.extra);
    return texts;
}

/// Whether the signature of a program lists the inputs of its graph, in order.
bool namesInputs(const Program& program)
{
    if (!program.signature)
        return true;
    std::size_t at = 0;
    const std::vector<InputSpec>& specs = program.signature->inputs;
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        if (at == specs.size())
            return false;
        const InputSpec& spec = specs[at++];
        const bool isNode = spec.value.is(ArgumentKind::node);
        if (spec.kind == InputKind::user ? isNode && spec.value.asNode() != id : spec.name != node.name)
            return false;
    }
    return at == specs.size();
}

/// Returns the results that are losses or gradients, with the target of each gradient.
std::vector<std::pair<OutputKind, InternedString>> purposes(const Program& program)
{
    std::vector<std::pair<OutputKind, InternedString>> found;
    if (program.signature)
        for (const OutputSpec& output : program.signature->outputs)
            if (output.kind == OutputKind::loss || output.kind == OutputKind::gradient)
                found.emplace_back(output.kind, output.target);
    return found;
}

} // namespace

std::string differentDomain(const Program& a, const Program& b)
{
    const ModuleCall* const callA = rootCall(a);
    const ModuleCall* const callB = rootCall(b);
    if (callA != nullptr && callB != nullptr && callA->inSpec.text() != callB->inSpec.text())
        return "the programs nest or name their inputs differently";
    if (callA != nullptr && callB != nullptr && callA->outSpec.text() != callB->outSpec.text())
        return "the programs nest their results differently";
    if (!a.signature || !b.signature) // a torch.fx graph takes and returns leaves; its caller determines their nesting
        return differentTypes(a, b);
    if ((callA == nullptr) != (callB == nullptr) && !isFlat(callA != nullptr ? *callA : *callB))
        return "only one file records how inputs and results are nested";
    const std::vector<const InputSpec*> first = userSpecs(a);
    const std::vector<const InputSpec*> second = userSpecs(b);
    DomainText textA(a);
    DomainText textB(b);
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        const std::string one = textA.input(*first[i]);
        const std::string other = textB.input(*second[i]);
        if (one != other)
            return "the programs take different inputs: input " + std::to_string(i) + " is " + one + " in the first program, "
                + other + " in the second";
    }
    return {};
}

std::optional<VerifyReport> differentInputs(const Program& a, const Program& b, const SymbolMapping& mapping,
                                            std::vector<std::string>& notes)
{
    VerifyReport report{.verdict = Verdict::different, .output = "inputs"};
    const std::vector<NodeId> first = userInputs(a, Side::a, mapping);
    const std::vector<NodeId> second = userInputs(b, Side::b, mapping);
    if (first.size() != second.size()) {
        report.why = "the first program has " + std::to_string(first.size()) + " inputs, the second "
            + std::to_string(second.size());
        return report;
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Node& one = a.rootGraph().node(first[i]);
        const Node& other = b.rootGraph().node(second[i]);
        const bool collects = stars(one) != stars(other);
        if (one.args.empty() != other.args.empty())
            notes.push_back("input " + std::to_string(i) + ", " + one.name.str() + ", has a default value in the "
                            + (one.args.empty() ? "second" : "first") + " program only");
        if (!collects && (one.args.empty() || other.args.empty() || one.args.front() == other.args.front()))
            continue;
        report.nodeA = {a.root, first[i]};
        report.nodeB = {b.root, second[i]};
        report.nameA = one.name.str();
        report.nameB = other.name.str();
        if (!collects) // different defaults alone: no input is known to give different results
            report.verdict = Verdict::undecided;
        report.why = collects ? lostStars(one, other, i)
                              : "the default value of input " + std::to_string(i) + " (" + one.name.str()
                + " in the first program, " + other.name.str() + " in the second) differs";
        return report;
    }
    return std::nullopt;
}

std::string differentStatements(const Program& a, const Program& b)
{
    if (a.origin.conditions != b.origin.conditions)
        return "the files record different guards, or facts unknown to this version";
    if (!namesInputs(a) || !namesInputs(b))
        return "the signature of a program does not match the inputs of its graph";
    if (purposes(a) != purposes(b))
        return "the programs disagree on which results are losses or gradients";
    if (marks(a) != marks(b))
        return "a module has hooks or custom code that the files do not record";
    if (a.unknownLines != b.unknownLines || keysOfLines(a) != keysOfLines(b) || keysOfNodes(a) != keysOfNodes(b))
        return "the files differ in lines or keys unknown to this version";
    return {};
}

} // namespace sunder
