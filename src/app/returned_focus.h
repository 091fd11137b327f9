#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace sunder {

/// When a dialog closes, the keys go back to where they were when it opened: to the dialog below it, or to the window. Window managers
/// do that for one dialog, not always for one over another, and some not at all; then nothing had the keys until a click.
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
        QPointer<QWidget> before; ///< had the focus
    };
    std::vector<Opened> m_opened; ///< in the order in which they were shown
};

} // namespace sunder
