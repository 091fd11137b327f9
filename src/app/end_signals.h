#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <array>

namespace sunder {

/// Converts SIGINT, SIGTERM, and SIGHUP to a Qt signal. Ignored signals (`nohup`) stay ignored. A second signal terminates the
/// process at once. One instance per process; the destructor restores the previous handlers.
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
