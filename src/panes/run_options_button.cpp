#include "panes/run_options_button.h"

#include "models/look.h"

#include <QMenu>

namespace sunder {

RunOptionsButton::RunOptionsButton(const QString& tip, QWidget* parent) : QToolButton(parent)
{
    setLook(*this, QStringLiteral("headerChoice"));
    setText(tr("Options ▾"));
    setToolTip(tip);
    setAccessibleName(tr("Run options"));
    setAccessibleDescription(tip);
    setFocusPolicy(Qt::TabFocus);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
}

QActionGroup* RunOptionsButton::addChoices(const QString& heading)
{
    menu()->addSection(heading);
    return new QActionGroup(this);
}

QAction* RunOptionsButton::addChoice(QActionGroup* choices, const QString& text, const QString& tip)
{
    QAction* choice = addSwitch(text, tip);
    choices->addAction(choice);
    return choice;
}

QAction* RunOptionsButton::addSwitch(const QString& text, const QString& tip)
{
    QAction* action = menu()->addAction(text);
    action->setCheckable(true);
    action->setToolTip(tip);
    return action;
}

} // namespace sunder

#include "moc_run_options_button.cpp"
