#include "io/side_files/partition_dag_file.h"

#include "support/file.h"
#include "support/json_text.h"

namespace sunder {
namespace {

void appendNames(std::string& out, std::string_view key, const std::vector<InternedString>& names)
{
    out += ",\"" + std::string(key) + "\":[";
    for (const InternedString name : names) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, name.view());
    }
    out += ']';
}

} // namespace

std::string partitionDagJson(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis)
{
    std::string out = "{\"nodes\":[";
    for (const PartitionDagNode& node : dag) {
        out += out.back() == '[' ? "\n{\"submodule\":" : ",\n{\"submodule\":";
        appendJsonString(out, node.submodule.view());
        appendNames(out, "inputs", node.inputs);
        appendNames(out, "outputs", node.outputs);
        out += ",\"devices\":[";
        for (const std::int64_t device : node.devices) {
            out += out.back() == '[' ? "" : ",";
            appendJsonInteger(out, device);
        }
        out += "],\"used_mem_bytes\":" + std::to_string(node.usedBytes) + "}";
    }
    return out + "]" + membersOf(basis) + "}\n";
}

Result<void> writePartitionDag(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis, const std::string& path)
{
    return writeFileAtomically(path, partitionDagJson(dag, basis));
}

} // namespace sunder
