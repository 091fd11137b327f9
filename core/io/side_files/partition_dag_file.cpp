#include "io/side_files/partition_dag_file.h"

#include "support/file.h"

namespace sunder {
namespace {

void writeTexts(std::string_view key, const std::vector<InternedString>& texts, JsonWriter& json)
{
    json.key(key);
    json.list(texts, [&json](InternedString text) { json.value(text.view()); });
}

} // namespace

std::string partitionDagJson(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis)
{
    constexpr std::size_t kLineDepth = 2;
    JsonWriter json(kLineDepth);
    json.object([&] {
        json.key("nodes");
        json.list(dag, [&json](const PartitionDagNode& node) {
            json.object([&] {
                json.member("submodule", node.submodule.view());
                writeTexts("inputs", node.inputs, json);
                writeTexts("outputs", node.outputs, json);
                json.member("devices", node.devices);
                json.member("used_mem_bytes", node.usedBytes);
            });
        });
        write(basis, json);
    });
    return json.take();
}

Result<void> writePartitionDag(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis, const std::string& path)
{
    return writeFileAtomically(path, partitionDagJson(dag, basis));
}

} // namespace sunder
