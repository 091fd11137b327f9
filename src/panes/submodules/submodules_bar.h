#pragma once

#include "panes/submodules/submodule_view.h"

#include <QWidget>

#include <memory>

class QToolButton;

namespace sunder {

namespace Ui {
class SubmodulesBar;
}

/// The line below the tabs: a summary of the interface, which opens its table; graph, code, or names; tabs or tiles.
class SubmodulesBar final : public QWidget {
    Q_OBJECT

public:
    explicit SubmodulesBar(QWidget* parent = nullptr);
    ~SubmodulesBar() override;
    void setSummary(const QString& text);
    [[nodiscard]] QString summary() const { return m_summaryText; }
    void setMode(SubmoduleMode mode);
    /// The mode chosen by the user. Without room for `both`, the graph is shown.
    [[nodiscard]] SubmoduleMode mode() const { return m_mode; }
    void setRoomForBoth(bool room);
    void setInterfaceOpen(bool open);
    [[nodiscard]] bool isInterfaceOpen() const;
    void setTiled(bool tiled);
    [[nodiscard]] bool isTiled() const;
    [[nodiscard]] QToolButton& button(SubmoduleMode mode) const;
    [[nodiscard]] QToolButton& tilesButton() const;
    [[nodiscard]] QToolButton& interfaceButton() const;

signals:
    void modeChosen(sunder::SubmoduleMode mode);
    void interfaceToggled(bool open);
    void tiledToggled(bool tiled);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
    void showMode();

    QString m_summaryText;
    SubmoduleMode m_mode = SubmoduleMode::graph;
    bool m_roomForBoth = false;
    std::unique_ptr<Ui::SubmodulesBar> m_ui;
};

} // namespace sunder
