#pragma once

#include <QTabWidget>

namespace sunder {

/// Tabs below the panes. Their height and tab positions do not depend on their content.
class BottomPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit BottomPanel(QWidget* parent);

    void add(QWidget& page, const QString& title, const QString& tip);
    /// Adds a page whose tab can show a count after the title. The tab always has room for three digits; a count of 0 is hidden.
    void addCounted(QWidget& page, const QString& title, const QString& tip);
    void setCount(QWidget& page, int count);
};

} // namespace sunder
