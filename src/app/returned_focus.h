#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace sunder {

/// Restores the focus after a dialog closes: to the dialog below it, or to the window. Some window managers do not do that,
/// especially for nested dialogs; then no widget would receive keys until a click.
class ReturnedFocus final : public QObject {
    Q_OBJECT

public:
    explicit ReturnedFocus(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void noteShown(QWidget& dialog);
    void noteHidden(QWidget& dialog);

    struct Opened {
        QPointer<QWidget> dialog;
        QPointer<QWidget> before; ///< had the focus before
    };
    std::vector<Opened> m_opened; ///< in the order of opening
};

} // namespace sunder
