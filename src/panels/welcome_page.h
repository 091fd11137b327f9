#pragma once

#include <QWidget>

#include <memory>
#include <vector>

class QVBoxLayout;

namespace sunder {

namespace Ui {
class WelcomePage;
}

/// The page shown while no model is open: open or drop a file, open a recent one, or try a sample.
class WelcomePage final : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString path;
        QString title;
        QString detail;
    };

    explicit WelcomePage(QWidget* parent = nullptr);
    ~WelcomePage() override;
    void setRecent(const std::vector<Entry>& entries);
    void setSamples(const std::vector<Entry>& entries);
    /// Highlights the page while a file that can be opened is dragged over the window.
    void setDropping(bool dropping);

signals:
    void openRequested();
    void fileRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fill(QVBoxLayout& column, const std::vector<Entry>& entries, const QString& icon);
    void orderTabs();

    bool m_dropping = false;
    std::unique_ptr<Ui::WelcomePage> m_ui;
};

} // namespace sunder
