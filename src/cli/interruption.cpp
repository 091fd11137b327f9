#include "cli/interruption.h"

#include "support/scratch_folder.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <poll.h>
#include <sched.h>
#include <string_view>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace sunder::cli {
namespace {

constexpr int kLongestWait = 10'000; // in ms; limits the life of the child if the parent does not end
constexpr std::size_t kStackBytes = 16 * 1024;

/// Shares the memory of its parent, whose threads are ending, so it makes only system calls. Waits for the process, which ends
/// with its last thread; getppid() would change with the thread that created this child.
int outliveParent(void* parent)
{
    ::close_range(0, ~0U, 0);
    // Called by number: glibc 2.36 declares pidfd_open() only for C.
    pollfd end{static_cast<int>(::syscall(SYS_pidfd_open, *static_cast<const pid_t*>(parent), 0)), POLLIN, 0};
    if (end.fd != -1)
        ::poll(&end, 1, kLongestWait);
    return 0;
}

/// Ends the process at once with `status`, without destructors, regardless of its memory size. The kernel needs about 0.2 s per
/// GB to free memory, and a shell waits for that. So a child process first takes over the memory without a copy, waits for the
/// end of this process, and then ends too. If no child can be created, the process ends without one. The child closes all files,
/// so that readers of pipes do not wait for it. Source: clone(2), CLONE_VM.
[[noreturn]] void endQuickly(int status)
{
    alignas(16) static std::array<std::byte, kStackBytes> stack;
    static pid_t self;
    self = ::getpid();
    ::clone(outliveParent, stack.data() + stack.size(), CLONE_VM, &self);
    ::_exit(status);
}

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
