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

/// A strip above the panes that says something and offers up to three things to do about it. Hidden until there is something to say;
/// takes no focus by itself, and gives it back to where it was before; Escape in it chooses the last thing, which leaves all as it is.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    ~NoticeBar() override;

    struct Offer {
        QString verb; ///< with its mnemonic
        QString tip;
    };
    struct Notice {
        QString headline;
        QString text;
        QString tip = {};
        std::vector<Offer> offers; ///< one to three
    };

    /// Shows it; assistive technology is told.
    void show(const Notice& notice);
    /// All that it says.
    [[nodiscard]] QString text() const;
    /// By its place; only those that are offered.
    [[nodiscard]] QPushButton& button(std::size_t offer);

signals:
    /// The strip is gone by then.
    void chosen(int offer);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::size_t offer);

    std::unique_ptr<Ui::NoticeBar> m_ui;
    std::vector<QPushButton*> m_buttons;
    QPointer<QWidget> m_before; ///< had the focus before a button here
    std::size_t m_offers = 1;
};

} // namespace sunder
