#include "layout/dot/dot_child_process.h"

#include "support/format.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sunder::dot {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMs = 20; ///< maximum delay of a cancellation
constexpr useconds_t kReapPauseUs = 200;

/// A child process and our end of the socket that serves as its standard input and output. The destructor kills and reaps the
/// process if necessary. A socket is used instead of pipes because writes to it can suppress SIGPIPE.
class Child final {
public:
    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child()
    {
        if (m_pid > 0) {
            int status = 0;
            ::kill(m_pid, SIGKILL);
            reap(status, 0);
        }
        if (m_socket >= 0)
            ::close(m_socket);
    }

    /// Returns 0 or an errno value.
    int start(const std::vector<std::string>& command)
    {
        std::array<int, 2> ends{-1, -1};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            return errno;
        m_socket = ends[0];
        ::fcntl(m_socket, F_SETFL, O_NONBLOCK);
        const int error = spawn(command, ends[1]);
        ::close(ends[1]);
        return error;
    }

    [[nodiscard]] int socket() const { return m_socket; }

    /// Reaps the process if it ends before the deadline. True if it exited with status 0.
    bool waitUntil(Clock::time_point deadline)
    {
        int status = 0;
        while (reap(status, WNOHANG) == 0) {
            if (Clock::now() >= deadline)
                return false;
            ::usleep(kReapPauseUs);
        }
        return m_pid < 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    /// Returns 0 while the process runs (with WNOHANG). Otherwise the process has ended, and m_pid is reset.
    pid_t reap(int& status, int flags)
    {
        pid_t reaped = -1;
        do
            reaped = ::waitpid(m_pid, &status, flags);
        while (reaped < 0 && errno == EINTR);
        if (reaped < 0)
            status = -1;
        if (reaped != 0)
            m_pid = -1;
        return reaped;
    }

    int spawn(const std::vector<std::string>& command, int end)
    {
        std::vector<char*> arguments;
        for (const std::string& word : command)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);

        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        sigset_t usual;
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGALRM);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        pid_t pid = -1;
        const int error = ::posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        m_pid = error == 0 ? pid : -1;
        return error;
    }

    pid_t m_pid = -1;
    int m_socket = -1;
};

bool isTemporary(int error)
{
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

/// Transfers bytes in both directions at once, which avoids deadlocks.
class Exchange {
public:
    Exchange(const Child& child, const ChildCall& call) : m_socket(child.socket()), m_call(call)
    {
        if (call.input.empty())
            ::shutdown(m_socket, SHUT_WR);
    }

    /// Sends and receives as much as possible, waiting at most `waitMs`. False once the child has closed its end.
    bool step(int waitMs)
    {
        pollfd ready{m_socket, static_cast<short>(POLLIN | (m_sent < m_call.input.size() ? POLLOUT : 0)), 0};
        if (::poll(&ready, 1, waitMs) <= 0)
            return true;
        if ((ready.revents & POLLOUT) != 0)
            send();
        return (ready.revents & (POLLIN | POLLHUP | POLLERR)) == 0 || receive();
    }

    [[nodiscard]] bool isTooMuch() const { return m_output.size() > m_call.outputLimit; }
    [[nodiscard]] std::string takeOutput() { return std::move(m_output); }

private:
    void send()
    {
        const std::string_view rest = m_call.input.substr(m_sent);
        const ssize_t sent = ::send(m_socket, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent > 0)
            m_sent += static_cast<std::size_t>(sent);
        else if (sent < 0 && !isTemporary(errno))
            m_sent = m_call.input.size(); // the child stopped reading; its output decides
        if (m_sent == m_call.input.size())
            ::shutdown(m_socket, SHUT_WR);
    }

    bool receive()
    {
        std::array<char, 16384> buffer;
        const ssize_t got = ::recv(m_socket, buffer.data(), buffer.size(), 0);
        if (got > 0)
            m_output.append(buffer.data(), static_cast<std::size_t>(got));
        return got > 0 ? !isTooMuch() : got < 0 && isTemporary(errno);
    }

    int m_socket;
    const ChildCall& m_call;
    std::size_t m_sent = 0;
    std::string m_output;
};

} // namespace

Result<std::string> runChild(const ChildCall& call, ProgressMonitor& monitor)
{
    const std::string& program = call.command.front();
    const auto deadline = Clock::now() + std::chrono::milliseconds(call.timeLimitMs);
    Child child;
    if (const int error = child.start(call.command); error != 0)
        return fail(ErrorCode::io, program + " could not be started: " + std::strerror(error) + ".");
    Exchange exchange(child, call);
    while (exchange.step(kPollMs)) {
        SUNDER_PROPAGATE(monitor.check());
        if (Clock::now() >= deadline)
            return fail(ErrorCode::refused,
                        program + " was stopped after " + std::to_string(call.timeLimitMs) + " ms because it did not finish.");
    }
    if (exchange.isTooMuch())
        return fail(ErrorCode::malformed, program + " wrote more than the " + formatBytes(call.outputLimit) + " of a layout.");
    if (!child.waitUntil(deadline))
        return fail(ErrorCode::refused, program + " failed.");
    return exchange.takeOutput();
}

} // namespace sunder::dot
