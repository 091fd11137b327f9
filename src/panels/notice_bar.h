#pragma once

#include <QFrame>
#include <QPointer>

#include <memory>
#include <vector>

class QPushButton;

namespace sunder {

namespace Ui {
class NoticeBar;
}

/// A bar with a message and up to three actions. Hidden otherwise. It does not take the focus when it appears. If a button has the
/// focus when an action is chosen, the focus returns to the previous widget. Escape in the bar chooses the last action, which
/// changes nothing.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    /// `name` is the name of the object.
    explicit NoticeBar(const QString& name, QWidget* parent = nullptr);
    ~NoticeBar() override;

    struct Offer {
        QString verb; ///< with its mnemonic
        QString tip;
        bool isPossible = true;
        bool closes = true; ///< otherwise the bar stays until the owner hides it
    };
    struct Notice {
        QString headline;
        QString text;
        QString tip = {};
        QString icon = QStringLiteral("note");
        std::vector<Offer> offers; ///< one to three
    };

    /// Shows the notice; announces it to assistive technology if it is new.
    void show(const Notice& notice);
    /// Returns the complete text.
    [[nodiscard]] QString text() const;
    /// Returns the button of an offer by its index; the offer must exist.
    [[nodiscard]] QPushButton& button(std::size_t offer);

signals:
    /// Emitted after the bar was hidden, if the offer closes it.
    void chosen(int offer);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::size_t offer);

    std::unique_ptr<Ui::NoticeBar> m_ui;
    std::vector<QPushButton*> m_buttons;
    QPointer<QWidget> m_before; ///< focus widget before a button here took the focus
    std::vector<Offer> m_offers;
};

} // namespace sunder
