#include "cli/interruption.h"

#include "cli/quick_end.h"
#include "support/scratch_folder.h"

#include <atomic>
#include <csignal>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace sunder::cli {
namespace {

constexpr int kStatus = 4;

enum class State : int { running, reporting, interrupted };

std::atomic<State> state = State::running;

/// Writes only if that does not block, since the other end may not be reading.
void say(int fd, std::string_view text)
{
    pollfd ready{fd, POLLOUT, 0};
    if (::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0)
        (void)!::write(fd, text.data(), text.size());
}

[[noreturn]] void waitForSignal(sigset_t endings, bool asJson)
{
    int number = 0;
    while (sigwait(&endings, &number) != 0)
        ;
    State before = State::running;
    state.compare_exchange_strong(before, State::interrupted);
    abandonScratchFolders();
    if (before == State::running && asJson)
        say(STDOUT_FILENO, "{\"error\":{\"code\":\"cancelled\",\"message\":\"interrupted by a signal\",\"where\":{}}}\n");
    else if (before == State::running)
        say(STDERR_FILENO,
            ::isatty(STDERR_FILENO) == 1 ? "\r\033[Ksunder-cli: interrupted by a signal\n"
                                         : "sunder-cli: interrupted by a signal\n");
    endQuickly(kStatus);
}

} // namespace

void Interruption::watch(bool asJson)
{
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t endings;
    sigemptyset(&endings);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action{};
        if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&endings, number);
    }
    pthread_sigmask(SIG_BLOCK, &endings, nullptr); // inherited by threads that start later
    std::thread(waitForSignal, endings, asJson).detach();
}

bool Interruption::hasCome()
{
    return state == State::interrupted;
}

void Interruption::holdBack()
{
    State before = State::running;
    if (!state.compare_exchange_strong(before, State::reporting))
        while (before == State::interrupted)
            ::pause(); // the signal thread ends the process
}

} // namespace sunder::cli
