#pragma once

#include <QTabWidget>

namespace sunder {

/// Tabs below the panes. Their height, and the places of the tabs, do not depend on what the tabs show.
class BottomPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit BottomPanel(QWidget* parent);

    void add(QWidget& page, const QString& title, const QString& tip);
    /// The tab of this page shows a count behind its title; 0: none. There is room for three digits in any case.
    void addCounted(QWidget& page, const QString& title, const QString& tip);
    void setCount(QWidget& page, int count);
};

} // namespace sunder
