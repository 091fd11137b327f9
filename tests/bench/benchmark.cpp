// A program of benchmarks. It runs the one that has the name under which it was started: a link to it.
#include "benchmark.h"

#include <cstdio>
#include <cstring>

namespace sunder {
namespace {

const Benchmark* firstBenchmark = nullptr;

} // namespace

Benchmark::Benchmark(const char* itsName, int (*itsRun)(int argc, char** argv)) : name(itsName), run(itsRun), next(firstBenchmark)
{
    firstBenchmark = this;
}

const Benchmark* benchmarkOf(const char* path)
{
    const char* const slash = std::strrchr(path, '/');
    const Benchmark* found = firstBenchmark;
    while (found && std::strcmp(found->name, slash ? slash + 1 : path) != 0)
        found = found->next;
    return found;
}

void listBenchmarks()
{
    std::fputs("This program is started by one of the links to it:\n", stderr);
    for (const Benchmark* benchmark = firstBenchmark; benchmark; benchmark = benchmark->next)
        std::fprintf(stderr, "  %s\n", benchmark->name);
}

} // namespace sunder

int main(int argc, char** argv)
{
    if (const sunder::Benchmark* const benchmark = sunder::benchmarkOf(argv[0]))
        return benchmark->run(argc, argv);
    sunder::listBenchmarks();
    return 2;
}
