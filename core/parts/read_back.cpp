#include "parts/read_back.h"

#include "io/model_file.h"
#include "io/pt2/pt2_writer_values.h"
#include "ir/getitem.h"
#include "parts/stored_contents.h"
#include "verify/verify.h"

namespace sunder {
namespace {

tl::unexpected<Error> differs(const std::string& path, const std::string& what, const std::string& node = {})
{
    return fail(ErrorCode::io, "the written file does not match the part: " + what, {.file = path, .node = node});
}

/// Whether a call is named by its result. Files of PyTorch 2.8 and earlier name only results, so reading assigns a new name to a
/// call with several results or none.
bool isNamedByItsResult(const Node& node)
{
    if (node.op != Op::callFunction || isGetitem(node))
        return true;
    const Pt2ValueKind kind = pt2KindOf(node.meta.val);
    return kind != Pt2ValueKind::none && kind != Pt2ValueKind::several;
}

/// Whether a node is an item that is None. No file names it, so reading creates a getitem with a free name.
bool isItemOfNone(const Node& node)
{
    return isGetitem(node) && node.userCount() == 0 && (!node.meta.val || node.meta.val->isNone());
}

/// Returns the names of the graphs that a call takes, in argument order.
std::vector<InternedString> graphsOf(const Graph& graph, const Node& call)
{
    std::vector<InternedString> names;
    forEachNode(call.args, call.kwargs, [&](NodeId input) {
        if (graph.node(input).op == Op::getAttr)
            names.push_back(graph.node(input).target);
    });
    return names;
}

/// Checks that all nodes exist, in order. Reading adds a getitem for each unused result. A .pt2 stores graphs in the arguments of
/// calls; reading creates one `get_attr` node per call for them.
Result<void> compareNodes(const Program& part, const Graph& found, const ReadBackOptions& options, const std::string& path)
{
    const Graph& wanted = part.rootGraph();
    const bool isArchive = path.ends_with(".pt2");
    const bool keepsNames = !isArchive || options.target.value_or(pt2SchemaOf(part)).hasNodeNames();
    const auto isGraph = [&](const Node& node) { return isArchive && node.op == Op::getAttr; };
    const auto isMore = [&](const Node& read, InternedString name) {
        return isGraph(read) || (read.name != name && read.userCount() == 0 && isGetitem(read));
    };
    NodeId at = found.first();
    for (const NodeId id : wanted.nodes()) {
        const Node& node = wanted.node(id);
        if (isItemOfNone(node) || isGraph(node))
            continue;
        while (at && isMore(found.node(at), node.name))
            at = found.next(at);
        const bool isNamed = node.op != Op::output && (keepsNames || isNamedByItsResult(node));
        if (!at || (isNamed && found.node(at).name != node.name))
            return differs(path, node.name.str() + " is missing", node.name.str());
        const Node& read = found.node(at);
        if (read.op != node.op || (read.op == Op::callFunction && read.target != node.target))
            return differs(path, node.name.str() + " reads back as " + read.target.str(), node.name.str());
        if (graphsOf(wanted, node) != graphsOf(found, read))
            return differs(path, node.name.str() + " takes different graphs", node.name.str());
        at = found.next(at);
    }
    return {};
}

Result<void> compareSignatures(const Program& wanted, const Program& found, const std::string& path)
{
    if (wanted.signature.has_value() != found.signature.has_value())
        return differs(path, "the signature is missing");
    if (!wanted.signature)
        return {};
    const ExportSignature& a = *wanted.signature;
    const ExportSignature& b = *found.signature;
    if (a.inputs.size() != b.inputs.size() || a.outputs.size() != b.outputs.size())
        return differs(path, "the number of inputs or outputs differs");
    for (std::size_t i = 0; i < a.inputs.size(); ++i)
        if (a.inputs[i].kind != b.inputs[i].kind || a.inputs[i].target != b.inputs[i].target)
            return differs(path, "input " + std::to_string(i) + " differs", a.inputs[i].name.str());
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
        if (a.outputs[i].kind != b.outputs[i].kind || a.outputs[i].target != b.outputs[i].target)
            return differs(path, "output " + std::to_string(i) + " differs", a.outputs[i].name.str());
    return {};
}

Result<void> compareTensors(const Program& wanted, const Program& found, const std::string& path)
{
    for (const TensorEntry& entry : wanted.tensors.entries()) {
        const TensorId id = found.tensors.find(entry.fqn);
        if (!id)
            return differs(path, "tensor " + entry.fqn.str() + " is missing");
        const TensorEntry& facts = wanted.tensors[wanted.tensors.object(wanted.tensors.find(entry.fqn))];
        const TensorEntry& read = found.tensors[found.tensors.object(id)];
        if (facts.meta.dtype != read.meta.dtype || facts.meta.shape != read.meta.shape)
            return differs(path, "tensor " + entry.fqn.str() + " has a different dtype or shape");
    }
    return {};
}

} // namespace

Result<ContentsReport> checkReadBack(const Program& part, const std::string& path, const ReadBackOptions& options,
                                     ProgressMonitor& monitor)
{
    SUNDER_TRY(Program read, readModel(path, {}, monitor));
    if (read.origin.format == "fx-json")
        read.origin.folder = options.weightsFrom;
    SUNDER_PROPAGATE(compareNodes(part, read.rootGraph(), options, path));
    SUNDER_PROPAGATE(compareSignatures(part, read, path));
    SUNDER_PROPAGATE(compareTensors(part, read, path));
    const StoredContents contents;
    SUNDER_TRY(const VerifyReport report, verify(part, read, {.contents = &contents}, monitor));
    if (report.verdict == Verdict::different)
        return differs(path, report.why, report.nameA);
    return report.contents;
}

} // namespace sunder
