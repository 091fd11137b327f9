#pragma once

#include <QActionGroup>
#include <QToolButton>

namespace sunder {

/// "Options ▾" in the header of a result: a menu that shows how the run in sight was made; another choice asks for
/// another run.
class RunOptionsButton : public QToolButton {
    Q_OBJECT

public:
    RunOptionsButton(const QString& tip, QWidget* parent);

protected:
    /// A heading, and below it choices of which one holds.
    QActionGroup* addChoices(const QString& heading);
    QAction* addChoice(QActionGroup* choices, const QString& text, const QString& tip);
    QAction* addSwitch(const QString& text, const QString& tip);
};

} // namespace sunder
