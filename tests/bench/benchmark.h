#pragma once

namespace sunder {

/// A benchmark by name. One program has many; see benchmark.cpp.
struct Benchmark {
    /// Adds it to those of the program.
    Benchmark(const char* itsName, int (*itsRun)(int argc, char** argv));

    const char* name;
    int (*run)(int argc, char** argv); ///< as main()
    const Benchmark* next;
};

} // namespace sunder
