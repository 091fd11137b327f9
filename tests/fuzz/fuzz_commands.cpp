// Runs random and damaged models and side files through every command of sunder-cli, in separate processes: fuzz_commands [--seed
// S] [--runs N] [--seconds T] [--command NAME] [--cli PATH] [--findings FOLDER] [--sanitized 1] [--show refused]. No command may
// crash, use too much time or memory, end without a message, or leave an output behind that it reported as failed.
#include "command_line.h"
#include "damage.h"
#include "json_damage.h"
#include "random_program.h"
#include "watched_process.h"

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace {

using namespace sunder;
using namespace sunder::fuzz;
namespace fs = std::filesystem;

struct Options {
    std::uint64_t seed = 1;
    std::uint64_t runs = 1'000'000'000;
    double seconds = 60;
    std::string command = {};
    std::string cli = SUNDER_CLI;
    std::string findings = SUNDER_FINDINGS;
    bool isSanitized = false;
    bool showsRefused = false; ///< prints the reasons, since too many refusals of one kind waste runs
};

struct Counts {
    std::uint64_t done = 0;
    std::uint64_t refused = 0;
    std::uint64_t usage = 0;
    std::uint64_t malformed = 0;
    std::uint64_t findings = 0;
    double slowest = 0;
    std::size_t largest = 0;
};

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> callsOf(const Program& program)
{
    std::vector<std::string> names;
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes())
        if (graph.node(id).isCall())
            names.push_back(graph.node(id).name.str());
    return names;
}

/// The small models of the test cases.
std::vector<ModelBytes> corpus()
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(SUNDER_CASES))
        if (entry.is_regular_file() && entry.file_size() < 60'000)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<ModelBytes> found;
    for (const fs::path& path : files) {
        const std::string suffix = path.extension().string();
        if (suffix != ".fxj" && suffix != ".pt2" && path.filename() != "model.json")
            continue;
        const Result<Program> program = readModel(path.string());
        found.push_back({"in" + suffix, contentOf(path), program ? callsOf(*program) : std::vector<std::string>()});
    }
    return found;
}

ModelBytes randomModel(Random& random)
{
    const Program program = random.chance(50) ? randomGraphModule(random) : randomExportedProgram(random);
    std::ostringstream text;
    writeFxJson(program, text);
    return {"in.fxj", text.str(), callsOf(program)};
}

/// Changes the JSON in an archive and keeps the archive valid.
void damageArchive(std::string& bytes, const std::string& path, Random& random)
{
    std::ofstream(path, std::ios::binary) << bytes;
    const Result<ZipArchive> archive = ZipArchive::open(path);
    if (!archive)
        return;
    std::ostringstream out;
    ZipWriter writer(out);
    for (const ZipMember& member : archive->members()) {
        Result<std::string> content = archive->readMember(member.name, 1'000'000);
        if (content && member.name.ends_with(".json") && random.chance(60))
            damageDocument(*content, random);
        writer.add(member.name, content.value_or(std::string()));
    }
    writer.finish();
    bytes = out.str();
}

void damageModel(ModelBytes& model, const std::string& folder, Random& random)
{
    const bool bytewise = random.chance(10);
    if (random.chance(25))
        return;
    if (bytewise)
        damage(model.bytes, random);
    else if (model.name == "in.fxj")
        damageLines(model.bytes, random);
    else if (model.name == "in.json")
        damageDocument(model.bytes, random);
    else
        damageArchive(model.bytes, folder + "/whole.pt2", random);
}

class Trials {
public:
    explicit Trials(const Options& options) : m_options(options), m_sources(corpus())
    {
        const fs::path base = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
        m_base = (base / ("sunder-fuzz-commands-" + std::to_string(getpid()))).string();
        m_bounds.limitAddresses = !options.isSanitized;
        if (options.isSanitized)
            m_bounds = {.seconds = 120, .bytes = 6ULL << 30U, .limitAddresses = false};
    }
    ~Trials() { fs::remove_all(m_base); }
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    void run(std::uint64_t seed)
    {
        Random random(seed);
        fs::remove_all(m_base);
        m_folder = m_base + "/files";
        fs::create_directories(m_folder);
        ModelBytes model = random.chance(40) ? randomModel(random) : random.of(m_sources);
        ModelBytes other = random.chance(50) ? model : random.of(m_sources);
        damageModel(model, m_base, random);
        damageModel(other, m_base, random);
        other.name = "other" + fs::path(other.name).extension().string();
        const std::string command = m_options.command.empty() ? random.of(commandNames()) : m_options.command;
        const CommandLine line = randomCommandLine(model, other, command, random);
        write(model.name, model.bytes);
        write(other.name, other.bytes);
        for (const auto& [name, text] : line.files)
            write(name, text);
        start(line, command, seed);
    }

    [[nodiscard]] const std::map<std::string, Counts>& counts() const { return m_counts; }

private:
    void write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(m_folder + '/' + name, std::ios::binary) << bytes;
    }

    void start(const CommandLine& line, const std::string& command, std::uint64_t seed)
    {
        fs::current_path(m_folder);
        std::vector<std::string> words{m_options.cli};
        words.insert(words.end(), line.words.begin(), line.words.end());
        const Ending ending = runWatched(words, m_base, m_bounds);
        Counts& counts = m_counts[command];
        ++(ending.status == 0       ? counts.done
               : ending.status == 1 ? counts.refused
               : ending.status == 2 ? counts.usage
                                    : counts.malformed);
        counts.slowest = std::max(counts.slowest, ending.seconds);
        counts.largest = std::max(counts.largest, ending.bytes);
        if (m_options.showsRefused && ending.status > 0)
            std::printf("%s", ending.out.c_str());
        if (const std::string fault = faultOf(line, ending); !fault.empty())
            report(command, seed, line, ending, fault);
    }

    [[nodiscard]] std::string faultOf(const CommandLine& line, const Ending& ending) const
    {
        if (ending.signal != 0)
            return "signal " + std::to_string(ending.signal) + " after " + std::to_string(ending.seconds) + " s";
        if (ending.status < 0 || ending.status > 3)
            return "exit status " + std::to_string(ending.status);
        if (ending.seconds > m_bounds.seconds / 2)
            return "took " + std::to_string(ending.seconds) + " s";
        if (ending.bytes > m_bounds.bytes / 2)
            return "took " + std::to_string(ending.bytes >> 20U) + " MB";
        const auto answer = nlohmann::json::parse(ending.out, nullptr, false);
        if (!answer.is_object())
            return "does not answer in JSON";
        if (!answer.contains("error"))
            return ending.status <= 1 ? faultOfOutputs(line) : "failed without a message";
        const std::string message = answer["error"].value("message", std::string());
        if (message.empty() || ending.status == 0)
            return "failed without a word";
        if (message.find("unexpectedly") != std::string::npos || message.find("enough memory") != std::string::npos)
            return message;
        for (const std::string& name : line.outputs)
            if (fs::exists(m_folder + '/' + name))
                return "failed, and left " + name;
        return {};
    }

    [[nodiscard]] std::string faultOfOutputs(const CommandLine& line) const
    {
        for (const std::string& name : line.outputs) {
            const std::string path = m_folder + '/' + name;
            if (name == "parts")
                continue; // not written unless proven
            if (!fs::exists(path))
                return "did not make " + name;
            if (name.ends_with(".json") && nlohmann::json::parse(contentOf(path), nullptr, false).is_discarded())
                return "made a " + name + " that is no JSON";
            if (!name.ends_with(".fxj") && !name.ends_with(".gz") && !name.ends_with(".pt2"))
                continue;
            const Ending again = runWatched({m_options.cli, "info", path, "--json"}, m_base, m_bounds);
            const bool hasCopies = std::ranges::find(line.words, "--copies") != line.words.end(); // fx-json version 1.1
            if (hasCopies ? again.out.find("needs a reader of fx-json 1.1") == std::string::npos : again.status != 0)
                return "made a " + name + (hasCopies ? " that is not refused: " : " that cannot be read: ") + again.out
                    + again.err;
        }
        return {};
    }

    void report(const std::string& command, std::uint64_t seed, const CommandLine& line, const Ending& ending,
                const std::string& fault)
    {
        std::string words;
        for (const std::string& word : line.words)
            words += ' ' + word;
        std::printf("seed %llu:%s: %s\n", static_cast<unsigned long long>(seed), words.c_str(), fault.c_str());
        std::fflush(stdout);
        if (++m_counts[command].findings > 50)
            return;
        const fs::path kept = fs::path(m_options.findings) / (command + '-' + std::to_string(seed));
        fs::create_directories(kept.parent_path());
        fs::remove_all(kept);
        fs::copy(m_folder, kept, fs::copy_options::recursive);
        std::ofstream(kept / "fault.txt") << words << '\n' << fault << '\n' << ending.out << '\n' << ending.err << '\n';
    }

    Options m_options;
    std::vector<ModelBytes> m_sources;
    Bounds m_bounds;
    std::string m_base;
    std::string m_folder;
    std::map<std::string, Counts> m_counts;
};

bool parse(int count, char** words, Options& options)
{
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const char* value = words[i + 1];
        if (name == "--seed")
            options.seed = std::strtoull(value, nullptr, 10);
        else if (name == "--runs")
            options.runs = std::strtoull(value, nullptr, 10);
        else if (name == "--seconds")
            options.seconds = std::strtod(value, nullptr);
        else if (name == "--command")
            options.command = value;
        else if (name == "--cli")
            options.cli = fs::absolute(value).string();
        else if (name == "--findings")
            options.findings = fs::absolute(value).string();
        else if (name == "--sanitized")
            options.isSanitized = std::string(value) != "0";
        else if (name == "--show")
            options.showsRefused = std::string(value) == "refused";
        else
            return false;
    }
    return count % 2 == 1;
}

} // namespace

int main(int count, char** words)
{
    Options options;
    if (!parse(count, words, options)) {
        std::puts("usage: fuzz_commands [--seed S] [--runs N] [--seconds T] [--command NAME] [--cli PATH] [--findings FOLDER] "
                  "[--sanitized 1] [--show refused]");
        return 2;
    }
    setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:allocator_may_return_null=0", 0);
    setenv("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1", 0);
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    std::uint64_t runs = 0;
    std::uint64_t findings = 0;
    Trials trials(options);
    for (; runs < options.runs && (elapsed() < options.seconds || runs == 0); ++runs)
        trials.run(options.seed + runs);
    for (const auto& [name, found] : trials.counts()) {
        std::printf("%-16s %7llu done  %7llu refused  %7llu usage  %7llu malformed  %6.2f s  %5zu MB at most  %llu findings\n",
                    name.c_str(), static_cast<unsigned long long>(found.done), static_cast<unsigned long long>(found.refused),
                    static_cast<unsigned long long>(found.usage), static_cast<unsigned long long>(found.malformed), found.slowest,
                    found.largest >> 20U, static_cast<unsigned long long>(found.findings));
        findings += found.findings;
    }
    std::printf("%llu commands in %.1f s, seeds from %llu: %llu findings%s\n", static_cast<unsigned long long>(runs), elapsed(),
                static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(findings),
                findings > 0 ? (", see " + options.findings).c_str() : "");
    return findings > 0 ? 1 : 0;
}
