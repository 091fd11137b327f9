#pragma once

#include <QDialog>

#include <functional>
#include <memory>

class QCheckBox;
class QPushButton;

namespace sunder {

namespace Ui {
class MessageDialog;
}

/// Message with a headline, an explanation, and buttons for possible actions. Both texts are plain, wrap, and can be copied;
/// texts longer than half the screen scroll.
class MessageDialog final : public QDialog {
    Q_OBJECT

public:
    /// `title` is the window title. Texts must be displayable, see text/shown_text.h.
    MessageDialog(const QString& title, const QString& headline, const QString& explanation, QWidget* parent);
    ~MessageDialog() override;

    /// Adds a button with a verb. It closes the dialog and then calls `work`. The first one is the default button.
    QPushButton& offer(const QString& verb, std::function<void()> work, const QString& tip = {});
    /// Adds a button for a destructive action, which is never the default button.
    QPushButton& offerLoss(const QString& verb, std::function<void()> work, const QString& tip = {});
    /// Adds the button that does nothing and is pressed by Escape: "Cancel" if there are actions, else "Close". With `isFirst`,
    /// it is the default button.
    QPushButton& offerToLeave(const QString& verb, bool isFirst = false);

    /// Adds a check box above the buttons, initially unchecked; at most one.
    QCheckBox& offerChoice(const QString& text, const QString& tip = {});
    /// Replaces both texts.
    void setTexts(const QString& headline, const QString& explanation);

    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString explanation() const;
    /// Returns the button with this verb, without mnemonic, or null.
    [[nodiscard]] QPushButton* button(const QString& verb) const;
    [[nodiscard]] QList<QPushButton*> buttons() const;

protected:
    /// Computes the size, which depends on the fonts of the texts.
    void showEvent(QShowEvent* event) override;

private:
    void fit();
    QPushButton& add(const QString& verb, const QString& tip);
    void closeAndDo(const QPushButton& button, std::function<void()> work);

    std::unique_ptr<Ui::MessageDialog> m_ui;
};

} // namespace sunder
