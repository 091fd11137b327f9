#include "watched_process.h"

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sunder::fuzz {
namespace {

constexpr unsigned kWallSeconds = 300; ///< for idle processes; processor time is limited separately

void limit(__rlimit_resource what, rlim_t most)
{
    const rlimit value{most, most};
    setrlimit(what, &value);
}

[[noreturn]] void become(std::vector<char*> words, const std::string& folder, const Bounds& bounds)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(bounds.seconds)));
    if (bounds.limitAddresses)
        limit(RLIMIT_AS, bounds.bytes);
    alarm(kWallSeconds);
    const int out = open((folder + "/stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = open((folder + "/stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(words.front(), words.data());
    _exit(127);
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

Ending runWatched(const std::vector<std::string>& words, const std::string& folder, const Bounds& bounds)
{
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0)
        become(pointers, folder, bounds);
    Ending ending;
    int status = 0;
    rusage used{};
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return ending;
    ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    ending.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    ending.bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
    ending.out = contentOf(folder + "/stdout");
    ending.err = contentOf(folder + "/stderr");
    return ending;
}

} // namespace sunder::fuzz
