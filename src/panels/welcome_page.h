#pragma once

#include <QWidget>

class QVBoxLayout;

namespace sunder {

/// What one sees before a model is open: open one, drop one, take up a recent one, try a sample.
class WelcomePage final : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString path;
        QString title;
        QString detail;
    };

    explicit WelcomePage(QWidget* parent = nullptr);
    void setRecent(const std::vector<Entry>& entries);
    void setSamples(const std::vector<Entry>& entries);
    /// While something that can be opened is dragged over the window.
    void setDropping(bool dropping);

signals:
    void openRequested();
    void fileRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fill(QVBoxLayout* column, const QString& title, const std::vector<Entry>& entries, const QString& icon,
              const QString& nothing);

    QWidget* m_drop;
    QVBoxLayout* m_recent;
    QVBoxLayout* m_samples;
    bool m_dropping = false;
};

} // namespace sunder
