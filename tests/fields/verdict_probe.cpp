// Prints verdicts on pairs of models, so that a test can verify thousands of pairs in one process: verdict_probe < PAIRS. Each
// input line has two paths separated by a tab. Each output line has the verdict, or "refused" if a file cannot be read, then a
// tab and the reason.
#include "io/model_file.h"
#include "parts/stored_contents.h"
#include "verify/verify.h"

#include <algorithm>
#include <iostream>
#include <string>

using namespace sunder;

namespace {

std::string answer(const std::string& pathA, const std::string& pathB)
{
    const Result<Program> a = readModel(pathA);
    const Result<Program> b = a ? readModel(pathB) : a;
    if (!b)
        return "refused\t" + b.error().message;
    const StoredContents contents;
    const Result<VerifyReport> report = verify(*a, *b, {.contents = &contents});
    return report ? std::string(name(report->verdict)) + '\t' + report->why : "refused\t" + report.error().message;
}

} // namespace

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) {
            std::cerr << "verdict_probe: a line without a tab: " << line << '\n';
            return 2;
        }
        std::string said = answer(line.substr(0, tab), line.substr(tab + 1));
        std::ranges::replace(said, '\n', ' ');
        std::cout << said << '\n';
    }
    return 0;
}
