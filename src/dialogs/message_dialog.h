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

/// Says one thing: a headline, why it is so, and buttons that say what can be done about it. Both texts are plain, wrap, and can
/// be copied; what is longer than half the screen scrolls.
class MessageDialog final : public QDialog {
    Q_OBJECT

public:
    /// `title` is the window's. Texts are fit to be shown, see text/shown_text.h.
    MessageDialog(const QString& title, const QString& headline, const QString& explanation, QWidget* parent);
    ~MessageDialog() override;

    /// A button with a verb. The dialog closes by it, and then `work` is done. The first one is what Return does.
    QPushButton& offer(const QString& verb, std::function<void()> work, const QString& tip = {});
    /// The same for what loses something: never what Return does.
    QPushButton& offerLoss(const QString& verb, std::function<void()> work, const QString& tip = {});
    /// The button that leaves all as it is, which Escape presses: "Cancel" where something is offered, "Close". What Return
    /// does, where `isFirst`.
    QPushButton& offerToLeave(const QString& verb, bool isFirst = false);

    /// A choice above the buttons, which is off at first; there is one at most.
    QCheckBox& offerChoice(const QString& text, const QString& tip = {});
    /// Other texts than those that it was made with.
    void setTexts(const QString& headline, const QString& explanation);

    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString explanation() const;
    /// By its verb, without its mnemonic; null where none has it.
    [[nodiscard]] QPushButton* button(const QString& verb) const;
    [[nodiscard]] QList<QPushButton*> buttons() const;

protected:
    /// Its size, once its texts have their fonts.
    void showEvent(QShowEvent* event) override;

private:
    void fit();
    QPushButton& add(const QString& verb, const QString& tip);
    void closeAndDo(const QPushButton& button, std::function<void()> work);

    std::unique_ptr<Ui::MessageDialog> m_ui;
};

} // namespace sunder
