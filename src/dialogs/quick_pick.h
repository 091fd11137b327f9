#pragma once

#include <QDialog>
#include <QIcon>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

namespace Ui {
class QuickPick;
}

/// Field with a list that finds an entry by some of its letters. For commands, places, and tags.
class QuickPick final : public QDialog {
    Q_OBJECT

public:
    struct Choice {
        QString text;
        QString detail = {}; ///< shown on the right: a shortcut, a class
        int id = 0;          ///< argument of picked()
        bool possible = true;
        QIcon icon = {};
    };

    /// A large set of choices. Only the visible ones are created.
    struct Source {
        std::vector<std::string_view> texts; ///< UTF-8 search texts; their storage must outlive the dialog
        std::function<Choice(std::size_t)> choiceOf; ///< by index in `texts`
    };

    /// Choices that match equally well keep their order.
    QuickPick(const QString& title, std::vector<Choice> choices, QWidget* parent = nullptr);
    QuickPick(const QString& title, Source source, QWidget* parent = nullptr);
    ~QuickPick() override;

signals:
    /// Emitted for Return or a click, after the dialog was closed.
    void picked(int id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& typed);
    void pick();
    /// Gives the texts the width that they need, and the details at least a third.
    void shareWidth();

    std::vector<std::string> m_texts; ///< search texts of the given choices
    Source m_source;
    std::unique_ptr<Ui::QuickPick> m_ui;
};

} // namespace sunder
