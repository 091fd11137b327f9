#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QVariant;

namespace sunder {

/// What the desktop has set for all programs, as its portal tells over D-Bus (org.freedesktop.portal.Settings). Where there is
/// no portal nobody is told anything.
class DesktopSettings final : public QObject {
    Q_OBJECT

public:
    explicit DesktopSettings(QObject* parent = nullptr);

    /// `take` is called with the value when it comes, and again whenever it is changed. A key that the desktop does not know
    /// never comes. `take` is called as long as this object is there.
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
