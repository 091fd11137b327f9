#pragma once

#include <QObject>
#include <QString>

namespace sunder {

class CrashBar;

/// Offers the log of crashes that nobody has seen, in a strip above the panes: shows it, or puts it aside.
class CrashOffer final : public QObject {
    Q_OBJECT

public:
    CrashOffer(CrashBar& bar, QObject* parent);

    /// Looks into this log, and shows the strip where it holds something.
    void look(const QString& path);

signals:
    void failed(const QString& title, const QString& why);

private:
    void show();
    void dismiss();

    CrashBar& m_bar;
    QString m_path;
};

} // namespace sunder
