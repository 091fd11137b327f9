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

/// A field and a list below it: what one types picks by some of its letters. For commands, places and tags.
class QuickPick final : public QDialog {
    Q_OBJECT

public:
    struct Choice {
        QString text;
        QString detail = {}; ///< at the right: a shortcut, a class
        int id = 0;          ///< what picked() hears
        bool possible = true;
        QIcon icon = {};
    };

    /// Many choices, of which only those are made that are shown.
    struct Source {
        std::vector<std::string_view> texts; ///< UTF-8, by which they are found; what they are of outlives the dialog
        std::function<Choice(std::size_t)> choiceOf; ///< by place in `texts`
    };

    /// The order of `choices` holds among those that fit equally.
    QuickPick(const QString& title, std::vector<Choice> choices, QWidget* parent = nullptr);
    QuickPick(const QString& title, Source source, QWidget* parent = nullptr);
    ~QuickPick() override;

signals:
    /// Return or a click; the dialog is closed.
    void picked(int id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& typed);
    void pick();

    std::vector<std::string> m_texts; ///< of choices that are all there
    Source m_source;
    std::unique_ptr<Ui::QuickPick> m_ui;
};

} // namespace sunder
