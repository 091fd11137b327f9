#include "command_line.h"

#include "damage.h"
#include "json_damage.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sunder::fuzz {
namespace {

using Json = nlohmann::ordered_json;

class CommandLineMaker {
public:
    CommandLineMaker(const ModelBytes& model, const ModelBytes& other, Random& random)
        : m_model(model), m_other(other), m_random(random)
    {
        for (std::size_t i = 0; i < model.calls.size(); ++i) // forward parts, or arbitrary ones
            m_partOf.push_back(anyhow() ? m_random.below(kParts) : i * kParts / model.calls.size());
    }

    CommandLine make(const std::string& command)
    {
        std::istringstream verb(command);
        m_line.words.assign(std::istream_iterator<std::string>(verb), {});
        m_line.words.push_back(m_model.name);
        if (command == "convert")
            convert();
        else if (command == "tag")
            tag();
        else if (command == "support")
            support();
        else if (command.starts_with("tags "))
            editTags(command);
        else if (command == "transfer")
            transfer();
        else if (command == "check")
            check();
        else if (command == "split")
            split();
        else if (command == "move-non-tensor")
            moveNonTensor();
        else if (command == "split-module")
            splitModule();
        else if (command == "partition")
            partition();
        else if (command == "regions" || command == "dedup")
            regions(command);
        else if (command == "unflatten")
            unflatten();
        else if (command == "compare")
            give("", "before.json", tags()), give("", "after.json", tags());
        else if (command == "verify")
            second();
        else if (command == "render")
            render();
        maybe("--model", m_random.word({"model", "nothing"}), 1);
        maybe("--operators", "", 5);
        m_line.words.emplace_back("--json");
        return std::move(m_line);
    }

private:
    static constexpr std::size_t kParts = 3;

    bool anyhow() { return m_random.chance(5); }

    void flag(const char* name)
    {
        if (m_random.chance(30))
            m_line.words.emplace_back(name);
    }
    void maybe(const std::string& option, const std::string& value, int percent)
    {
        if (!m_random.chance(percent))
            return;
        if (option == "--operators")
            return give(option, "operators.txt", operators(), false);
        m_line.words.push_back(option);
        m_line.words.push_back(value);
    }
    /// Damages about a third of the files: as a document, or byte by byte.
    void give(const std::string& option, const std::string& name, std::string text, bool isJson = true)
    {
        if (m_random.chance(25) && isJson)
            damageDocument(text, m_random);
        else if (m_random.chance(10))
            damage(text, m_random);
        if (!option.empty())
            m_line.words.push_back(option);
        m_line.words.push_back(name);
        m_line.files.emplace_back(name, std::move(text));
    }
    void output(const std::string& option, const std::string& name)
    {
        if (!option.empty())
            m_line.words.push_back(option);
        m_line.words.push_back(name);
        m_line.outputs.push_back(name);
    }

    std::string tags()
    {
        Json tags = Json::object();
        for (std::size_t i = 0; i < m_model.calls.size(); ++i)
            tags[m_model.calls[i]] = "t" + std::to_string(m_partOf[i]);
        return Json{{"order", {"t0", "t1", "t2"}}, {"tags", tags}}.dump();
    }
    std::string subgraphs()
    {
        Json parts = Json::array();
        for (std::size_t part = 0; part < kParts; ++part) {
            Json nodes = Json::array();
            for (std::size_t i = 0; i < m_model.calls.size(); ++i)
                if (m_partOf[i] == part)
                    nodes.push_back(m_model.calls[i]);
            parts.push_back({{"is_acc", part % 2 == 0}, {"nodes", nodes}});
        }
        return parts.dump();
    }
    std::string partitions()
    {
        Json parts = Json::object();
        for (std::size_t i = 0; i < m_model.calls.size(); ++i)
            parts[m_model.calls[i]] = m_partOf[i];
        return parts.dump();
    }
    Json devices()
    {
        Json devices = Json::array();
        const double bytes = m_random.between(10, 5000);
        for (int i = m_random.between(1, 4); i > 0; --i)
            devices.push_back({{"name", "dev" + std::to_string(i)}, {"available_mem_bytes", bytes}, {"logical_id", i}});
        return devices;
    }
    std::string config()
    {
        Json latency = Json::object();
        Json partition = Json::object();
        for (std::size_t i = 0; i < m_model.calls.size(); ++i) {
            latency[m_model.calls[i]] = {0.5 * m_random.between(0, 6), 0.5 * m_random.between(0, 6)};
            partition[m_model.calls[i]] = m_partOf[i];
        }
        return Json{{"mode", m_random.word({"size_based", "sparse_nn", "cost_aware", "kl_based", "aot_based"})},
                    {"devices", devices()},
                    {"transfer_rate_bytes_per_sec", m_random.between(1, 20)},
                    {"node_to_latency_mapping", latency},
                    {"node_to_latency", latency},
                    {"node_to_partition_mapping", partition},
                    {"node_to_partition", partition},
                    {"partition_to_logical_devices", {{"0", {1}}, {"1", {2}}, {"2", {1, 2}}}}}
            .dump();
    }
    static std::string operators()
    {
        return "mylib::f(Tensor x, Tensor(a!) y, *, int n=1, float[] s=[]) -> (Tensor, Tensor(a!))\n"
               "# a comment\nmylib::g.overload(Tensor(a)[] xs, SymInt? k=None, str mode='none') -> Tensor(a)\n"
               "aten::relu(Tensor self) -> Tensor\n";
    }

    void convert()
    {
        output("", std::string("out") + m_random.word({".fxj", ".fxj.gz", ".pt2", ".dot", ".py", ".json", ".svg"}));
        if (m_random.chance(20))
            give("--tags", "tags.json", tags());
    }
    void tag()
    {
        if (m_random.chance(30)) {
            give("--rules", "rules.json",
                 R"({"rules":[{"tag":"t0"},{"op":"relu*","module":"**.1-2","tag":"t1"},{"reads":"t1"}]})");
            output("-o", "out.json");
            return;
        }
        m_line.words.insert(m_line.words.end(), {"--stages", m_random.word({"1", "2", "2", "3", "3", "7", "1000000", "0"})});
        maybe("--by", m_random.word({"bytes", "nodes"}), 50);
        output("-o", "out.json");
    }
    void support()
    {
        Json rules = {{"supported", {m_random.word({"*", "torch.relu", "torch.ops.aten.relu.default"}), "_operator.getitem"}},
                      {"supported_nodes", Json::array()},
                      {"dtypes", {{"torch.relu", {{"args", {{"float32"}, nullptr}}, {"kwargs", {{"inplace", Json::array()}}}}}}}};
        for (std::size_t i = 0; i < m_model.calls.size(); ++i)
            if (m_partOf[i] != 1)
                rules["supported_nodes"].push_back(m_model.calls[i]);
        if (m_random.chance(30))
            rules["declined_input_dtypes"] = {"int64", {{"type", "int"}}};
        give("--support", "support.json", rules.dump());
        const bool isSplitter = m_random.chance(50);
        m_line.words.insert(m_line.words.end(), {"--method", isSplitter ? "splitter" : "capability"});
        if (m_random.chance(50))
            give(
                "--support-options", "options.json",
                isSplitter
                    ? R"({"method":"splitter","min_acc_module_size":2,"allow_non_tensor":true,"move_non_tensor_nodes_on_boundary":true})"
                    : R"({"skip_horizontal_fusion":true,"allows_single_node_partition":true,"non_compute_ops":["torch.relu"]})");
        flag("--as-upstream");
        output("-o", "out.json");
        if (m_random.chance(50))
            output("--report", "report.json");
    }
    void editTags(const std::string& command)
    {
        const std::string action = command.substr(command.find(' ') + 1);
        if (action == "rename")
            m_line.words.emplace_back(m_random.word({"t0=a", "t1=t0", "t2=a.b", "t9=a", "t0"}));
        else if (action == "merge")
            m_line.words.emplace_back(m_random.word({"t0,t1", "t2,t0", "t1,t1", "t9,t0", "t0"}));
        else if (action == "order")
            m_line.words.emplace_back(m_random.word({"topological", "t2,t1,t0", "t0,t1", "t0,t0,t1,t2"}));
        else if (action == "fill")
            m_line.words.emplace_back(m_random.word({"earliest", "latest", "first"}));
        else if (action == "begin")
            m_line.words.push_back("t1=" + (m_model.calls.empty() ? "x" : m_random.of(m_model.calls)));
        if (m_random.chance(80))
            give("--tags", "tags.json", tags());
        output("-o", "out.json");
    }
    void transfer()
    {
        m_line.words.insert(m_line.words.end(), {"--from", m_random.chance(50) ? m_model.name : m_other.name});
        give("--tags", "tags.json", tags());
        output("--report", "report.json");
        output("-o", "out.json");
    }
    void splitOutputs()
    {
        output("-o", "out.fxj");
        for (const char* option : {"--fqn-map", "--dag", "--cost"})
            if (m_random.chance(25))
                output(option, std::string(option).substr(2) + ".json");
        if (m_random.chance(40)) {
            output("--parts", "parts");
            flag("--unproven");
        }
        if (m_random.chance(20))
            m_line.words.emplace_back("--no-verify");
        flag("--copies");
    }
    void check()
    {
        give("--tags", "tags.json", tags());
        maybe("--tag", m_random.word({"p0", "p1", "nothing"}), 20);
        flag("--no-verify");
        if (m_random.chance(50))
            return;
        maybe("--repair", m_random.word({"1", "1", "2", "3", "4", "none"}), 95);
        output("-o", "repaired.json");
    }
    void split()
    {
        give("--tags", "tags.json", tags());
        flag("--return-tuple");
        flag("--keep-signature");
        splitOutputs();
    }
    void moveNonTensor()
    {
        give("--subgraphs", "subgraphs.json", subgraphs());
        output("-o", "out.json");
    }
    void splitModule()
    {
        give("--partitions", "partitions.json", partitions());
        for (const char* name : {"--keep-original-order", "--keep-original-node-names", "--tuple-return", "--keep-signature",
                                 "--drop-original-input-names"})
            flag(name);
        splitOutputs();
    }
    void partition()
    {
        if (m_random.chance(50)) {
            give("--devices", "devices.json", devices().dump());
            flag("--exact-2020");
        } else {
            give("--config", "config.json", config());
            flag("--as-upstream");
        }
        if (m_random.chance(30))
            output("--result", "result.json");
        splitOutputs();
    }
    void regions(const std::string& command)
    {
        maybe("--key", m_random.word({"tracked", "structural"}), 60);
        flag("--as-upstream");
        if (command == "regions")
            flag("--why");
        output("-o", command == "regions" ? "out.json" : "out.fxj");
    }
    void unflatten()
    {
        flag("--as-upstream");
        maybe("--ivals", m_random.word({"attributes", "buffer"}), 40);
        output("-o", "out.fxj");
    }
    void second() { m_line.words.push_back(m_random.chance(30) ? m_model.name : m_other.name); }
    void render()
    {
        output("", m_random.chance(90) ? "out.svg" : "out.png");
        flag("--expand-all");
        flag("--dark");
        maybe("--color-by", m_random.word({"tag", "op", "module", "partition", "region", "flops", "bytes", "seconds", "data"}),
              40);
        maybe("--expand", m_random.word({"", "m", "layers.0", "nothing"}), 10);
        maybe("--columns", m_random.word({"auto", "1", "3"}), 10);
        maybe("--scale", m_random.word({"0.01", "16", "nan", "1e9"}), 10);
        if (m_random.chance(20))
            give("--tags", "tags.json", tags());
    }

    const ModelBytes& m_model;
    const ModelBytes& m_other;
    Random& m_random;
    std::vector<std::size_t> m_partOf; ///< per call
    CommandLine m_line;
};

} // namespace

const std::vector<std::string>& commandNames()
{
    static const std::vector<std::string> kNames{
        "info",    "convert",    "tag",      "tags rename", "tags merge", "tags order",      "tags fill",    "tags straighten",
        "support", "tags begin", "transfer", "check",       "split",      "move-non-tensor", "split-module", "partition",
        "regions", "unflatten",  "dedup",    "compare",     "verify",     "render"};
    return kNames;
}

CommandLine randomCommandLine(const ModelBytes& model, const ModelBytes& other, const std::string& command, Random& random)
{
    return CommandLineMaker(model, other, random).make(command);
}

} // namespace sunder::fuzz
