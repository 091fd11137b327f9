// Measures how fast models are read: read_model_bench [FILE …]. Without files, it generates a program of about 65 MB of JSON.
// Prints the best of several runs: processor time, wall time, MB of JSON per second, and peak memory.

#include "benchmark.h"
#include "io/archives/zip_archive.h"
#include "io/model_file.h"
#include "io/pt2/pt2_reader_layout.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>

namespace sunder::read_model_bench {

namespace {

constexpr int kRuns = 5;

std::string tensorValue(const std::string& name)
{
    return "\"" + name
        + "\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 8}, {\"as_int\": 1024}], \"requires_grad\": false, \"device\": "
          "{\"type\": \"cpu\", \"index\": null}, \"strides\": [{\"as_int\": 1024}, {\"as_int\": 1}], "
          "\"storage_offset\": {\"as_int\": 0}, \"layout\": 7}";
}

std::string addition(int number)
{
    const std::string name = "add_" + std::to_string(number);
    const std::string input = number == 0 ? "x" : "add_" + std::to_string(number - 1);
    const std::string layer = std::to_string(number / 32);
    return "{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": "
           "{\"name\": \""
        + input + "\"}}, \"kind\": 1}, {\"name\": \"other\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}, \"kind\": "
        + "1}], \"outputs\": [{\"as_tensor\": {\"name\": \"" + name
        + "\"}}], \"metadata\": {\"stack_trace\": \"  File \\\"/models/net.py\\\", line 51, in forward\\n    x = "
          "self.layers[i](x)\\n  File \\\"/models/layer.py\\\", line "
        + std::to_string(10 + number % 32)
        + ", in forward\\n    return x + y\\n\", \"nn_module_stack\": \"L__self__,,models.net.Net;L__self__layers_" + layer
        + ",layers." + layer + ",models.layer.Layer\", \"torch_fn\": \"add_" + std::to_string(number)
        + ";method_descriptor.add\"}, \"is_hop_single_tensor_return\": null, \"name\": \"" + name + "\"}";
}

/// Writes a chain of additions as the JSON of an exported program.
void makeProgram(const std::string& path, int nodes)
{
    std::ofstream out(path);
    out << R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": )"
        << "{\"name\": \"add_" << nodes - 1 << "\"}}], \"nodes\": [";
    for (int i = 0; i < nodes; ++i)
        out << (i == 0 ? "" : ", ") << addition(i);
    out << "], \"tensor_values\": {" << tensorValue("x");
    for (int i = 0; i < nodes; ++i)
        out << ", " << tensorValue("add_" + std::to_string(i));
    out << R"(}, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false}, "signature": )"
        << R"({"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], "output_specs": )"
        << "[{\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"add_" << nodes - 1
        << R"("}}}}]}, "module_call_graph": []}, "opset_version": {"aten": 10}, "range_constraints": {}, )"
        << R"("schema_version": {"major": 8, "minor": 20}, "torch_version": "2.14.1"})";
}

/// Returns the size of the JSON that reading the file parses.
std::uint64_t jsonBytes(const std::string& path)
{
    const Result<ZipArchive> archive = ZipArchive::open(path);
    if (!archive)
        return std::filesystem::file_size(path);
    const Result<Pt2Layout> layout = findPt2Layout(*archive);
    const ZipMember* member = layout ? archive->find(layout->programMember(layout->models.front())) : nullptr;
    return member != nullptr ? member->size : 0;
}

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

int measure(const std::string& path)
{
    double cpu = 1e9;
    double wall = 1e9;
    std::size_t nodes = 0;
    for (int run = 0; run < kRuns; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const double cpuStart = cpuSeconds();
        const Result<Program> program = readModel(path);
        cpu = std::min(cpu, cpuSeconds() - cpuStart);
        wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        if (!program) {
            std::fprintf(stderr, "%s\n", describe(program.error()).c_str());
            return 1;
        }
        nodes = program->nodeCount();
    }
    struct rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const double megabytes = static_cast<double>(jsonBytes(path)) / 1e6;
    std::printf("%s: %zu nodes, %.1f MB of JSON, %.0f ms of CPU, %.0f ms in all, %.0f MB/s (%.0f of wall time), "
                "peak %ld MB\n",
                std::filesystem::path(path).filename().c_str(), nodes, megabytes, cpu * 1e3, wall * 1e3, megabytes / cpu,
                megabytes / wall, usage.ru_maxrss / 1024);
    return 0;
}

} // namespace

int run(int count, char** arguments)
{
    int status = 0;
    for (int i = 1; i < count; ++i)
        status |= measure(arguments[i]);
    if (count > 1)
        return status;
    const std::string path = std::filesystem::temp_directory_path() / "read_model_bench.json";
    makeProgram(path, 60'000);
    status = measure(path);
    std::filesystem::remove(path);
    return status;
}

const Benchmark kBenchmark{"read_model_bench", run};

} // namespace sunder::read_model_bench
