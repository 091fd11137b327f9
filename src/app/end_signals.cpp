#include "app/end_signals.h"

#include "diagnostics/logging.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace sunder {
namespace {

constexpr std::array kEndSignals = {SIGINT, SIGTERM, SIGHUP};

std::array<struct sigaction, kEndSignals.size()> actionsBefore{};
volatile std::sig_atomic_t endSignalPipe = -1;

/// Writes to a pipe, which is safe in a signal handler; the event loop does the rest.
extern "C" void onEndSignal(int)
{
    const int error = errno;
    (void)!::write(endSignalPipe, "", 1); // a full pipe already contains a notification
    errno = error;
}

} // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent)
{
    if (::pipe2(m_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        qCWarning(logWindow, "termination signals will not save unsaved work: %s", std::strerror(errno));
        return;
    }
    endSignalPipe = m_pipe[1];
    m_notifier.setSocket(m_pipe[0]);
    m_notifier.setEnabled(true);
    connect(&m_notifier, &QSocketNotifier::activated, this, &EndSignals::read);
    struct sigaction action{};
    action.sa_handler = onEndSignal;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND); // a second signal terminates a program that hangs
    for (std::size_t i = 0; i < kEndSignals.size(); ++i)
        if (::sigaction(kEndSignals[i], nullptr, &actionsBefore[i]) == 0 && actionsBefore[i].sa_handler != SIG_IGN)
            ::sigaction(kEndSignals[i], &action, nullptr);
}

EndSignals::~EndSignals()
{
    if (endSignalPipe < 0)
        return;
    for (std::size_t i = 0; i < kEndSignals.size(); ++i)
        ::sigaction(kEndSignals[i], &actionsBefore[i], nullptr);
    endSignalPipe = -1;
    m_notifier.setEnabled(false);
    for (const int end : m_pipe)
        ::close(end);
}

void EndSignals::read()
{
    std::array<char, 16> bytes{};
    while (::read(m_pipe[0], bytes.data(), bytes.size()) > 0)
        ;
    emit came();
}

} // namespace sunder

#include "moc_end_signals.cpp"
