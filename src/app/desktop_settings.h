#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QVariant;

namespace sunder {

/// Desktop settings from the D-Bus portal (org.freedesktop.portal.Settings). Without a portal, no callbacks are called.
class DesktopSettings final : public QObject {
    Q_OBJECT

public:
    explicit DesktopSettings(QObject* parent = nullptr);

    /// Calls `take` with the value when it arrives and after each change, as long as this object exists. Never calls it for a key
    /// that the desktop does not know.
    void follow(const QString& group, const QString& key, std::function<void(const QVariant&)> take);

private slots:
    void settingChanged(const QString& group, const QString& key);

private:
    struct Followed {
        QString group;
        QString key;
        std::function<void(const QVariant&)> take;
    };
    void ask(const Followed& followed);

    std::vector<Followed> m_followed;
};

} // namespace sunder
