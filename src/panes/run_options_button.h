#pragma once

#include <QActionGroup>
#include <QToolButton>

namespace sunder {

/// "Options ▾" in the header of a result: a menu with the options of the shown run. Another choice requests another run.
class RunOptionsButton : public QToolButton {
    Q_OBJECT

public:
    RunOptionsButton(const QString& tip, QWidget* parent);

protected:
    /// Adds a heading and an exclusive group of choices below it.
    QActionGroup* addChoices(const QString& heading);
    QAction* addChoice(QActionGroup* choices, const QString& text, const QString& tip);
    QAction* addSwitch(const QString& text, const QString& tip);
};

} // namespace sunder
