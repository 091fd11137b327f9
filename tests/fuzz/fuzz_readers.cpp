// Runs damaged files through every reader: fuzz_readers [--seed S] [--files N] [--seconds T]. No reader may crash, hang, or
// accept a program that cannot be written and read again.
#include "damage.h"
#include "random_program.h"

#include "io/archives/zip_archive.h"
#include "io/fx_json/fx_json_reader.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/pt2/pt2_reader.h"
#include "io/side_files/tags_file.h"
#include "ir/lint.h"
#include "ir/printer.h"
#include "verify/verify.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>
#include <unordered_set>
#include <vector>

namespace {

using namespace sunder;
using namespace sunder::fuzz;

enum class Kind : std::uint8_t { fxJson, pt2, exportedJson, tags };
constexpr std::array kKindNames{"fx-json", "pt2", "exported json", "tags"};

struct Source {
    Kind kind;
    std::string bytes;
};

struct Counts {
    std::uint64_t read = 0;
    std::uint64_t refused = 0;
    std::uint64_t findings = 0;
};

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Small files of every kind: the test cases, and the JSON inside their archives.
std::vector<Source> corpus()
{
    std::vector<Source> found;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SUNDER_CASES))
        if (entry.is_regular_file() && entry.file_size() < 40'000)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& path : files) {
        if (path.extension() == ".fxj")
            found.push_back({Kind::fxJson, contentOf(path)});
        else if (path.filename() == "tags.json")
            found.push_back({Kind::tags, contentOf(path)});
        else if (path.filename() == "model.json")
            found.push_back({Kind::exportedJson, contentOf(path)});
        if (path.extension() != ".pt2")
            continue;
        found.push_back({Kind::pt2, contentOf(path)});
        const Result<ZipArchive> archive = ZipArchive::open(path);
        for (std::size_t i = 0; archive && i < archive->members().size(); ++i)
            if (const ZipMember& member = archive->members()[i];
                member.name.ends_with(".json") && member.name.find("/models/") != std::string::npos)
                if (Result<std::string> text = archive->readMember(member.name, 1'000'000))
                    found.push_back({Kind::exportedJson, std::move(*text)});
    }
    return found;
}

class Trials {
public:
    Trials() : m_path("/dev/shm/sunder-fuzz-" + std::to_string(getpid()))
    {
        if (!std::filesystem::exists("/dev/shm"))
            m_path = std::filesystem::temp_directory_path() / ("sunder-fuzz-" + std::to_string(getpid()));
    }
    ~Trials() { std::filesystem::remove(m_path); }
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    void run(Kind kind, const std::string& bytes, std::uint64_t seed, Counts& counts)
    {
        std::ofstream(m_path, std::ios::binary) << bytes;
        if (kind == Kind::tags)
            return tags(counts);
        const Result<Program> program = kind == Kind::fxJson ? readFxJson(m_path)
            : kind == Kind::pt2                              ? readPt2(m_path)
                                                             : readExportedProgramJson(m_path);
        if (!program) {
            ++counts.refused;
            if (program.error().message.empty())
                finding(kind, seed, "refused without a word", bytes, counts);
            return;
        }
        ++counts.read;
        if (const std::string fault = faultOf(*program); !fault.empty())
            finding(kind, seed, fault, bytes, counts);
    }

private:
    void tags(Counts& counts) const { ++(readTagsFile(m_path) ? counts.read : counts.refused); }

    /// Returns the fault of a program that was read; empty if it can be linted, printed, verified, written, and read again.
    std::string faultOf(const Program& program)
    {
        (void)lint(program);
        for (const Graph& graph : program.graphs)
            (void)printGraph(graph);
        (void)printCode(program, program.root);
        std::unordered_set<InternedString> names; // two tensors with one name are indistinguishable
        for (const TensorEntry& entry : program.tensors.entries())
            names.insert(entry.fqn);
        const Result<VerifyReport> report = verify(program, program, {.maxSteps = 100'000});
        if (!report || (report->verdict == Verdict::different && names.size() == program.tensors.size()))
            return "it differs from itself: " + (report ? report->why : report.error().message);
        std::ostringstream first;
        writeFxJson(program, first);
        std::ofstream(m_path, std::ios::binary) << first.str();
        const Result<Program> again = readFxJson(m_path);
        if (!again)
            return "the written file cannot be read: " + describe(again.error());
        std::ostringstream second;
        writeFxJson(*again, second);
        return first.str() == second.str() ? std::string() : "it is another program once written and read";
    }

    /// Saves to the findings folder of the build, not to the current folder.
    static void keep(const std::string& name, std::uint64_t seed, const std::string& bytes)
    {
        std::filesystem::create_directories(SUNDER_FINDINGS);
        std::ofstream(std::string(SUNDER_FINDINGS "/") + name + '-' + std::to_string(seed), std::ios::binary) << bytes;
    }

    static void finding(Kind kind, std::uint64_t seed, const std::string& what, const std::string& bytes, Counts& counts)
    {
        const char* name = kKindNames[static_cast<std::size_t>(kind)];
        std::printf("%s, seed %llu: %s\n", name, static_cast<unsigned long long>(seed), what.c_str());
        if (++counts.findings <= 20)
            keep(name, seed, bytes);
    }

    std::filesystem::path m_path;
};

} // namespace

int main(int count, char** words)
{
    std::uint64_t seed = 1;
    std::uint64_t files = 20'000;
    double seconds = 1e9;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        if (name == "--seed")
            seed = std::strtoull(words[i + 1], nullptr, 10);
        else if (name == "--files")
            files = std::strtoull(words[i + 1], nullptr, 10);
        else if (name == "--seconds")
            seconds = std::strtod(words[i + 1], nullptr);
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const std::vector<Source> sources = corpus();
    std::array<Counts, 4> counts{};
    Trials trials;
    std::uint64_t runs = 0;
    for (; runs < files && elapsed() < seconds; ++runs) {
        Random random(seed + runs);
        Source source{Kind::fxJson, {}};
        if (random.chance(30)) {
            std::ostringstream text;
            writeFxJson(random.chance(50) ? randomGraphModule(random) : randomExportedProgram(random), text);
            source.bytes = text.str();
        } else {
            source = random.of(sources);
        }
        damage(source.bytes, random);
        trials.run(source.kind, source.bytes, seed + runs, counts[static_cast<std::size_t>(source.kind)]);
    }
    bool found = false;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::printf("%-14s %8llu read  %8llu refused  %llu findings\n", kKindNames[i],
                    static_cast<unsigned long long>(counts[i].read), static_cast<unsigned long long>(counts[i].refused),
                    static_cast<unsigned long long>(counts[i].findings));
        found = found || counts[i].findings > 0;
    }
    std::printf("%llu damaged files in %.1f s, seeds from %llu: %s\n", static_cast<unsigned long long>(runs), elapsed(),
                static_cast<unsigned long long>(seed), found ? "there are findings" : "no finding");
    return found || runs == 0 ? 1 : 0;
}
