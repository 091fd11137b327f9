#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <array>

namespace sunder {

/// SIGINT, SIGTERM and SIGHUP as a signal of Qt: a terminal, a script or the system ends the program. Those that are ignored (`nohup`)
/// stay so, and a signal that comes once more ends the process at once. One in a process; signals are as before when it is gone.
class EndSignals final : public QObject {
    Q_OBJECT

public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void came();

private:
    void read();

    std::array<int, 2> m_pipe = {-1, -1};
    QSocketNotifier m_notifier{QSocketNotifier::Read};
};

} // namespace sunder
