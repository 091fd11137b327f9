#include "panes/run_options_button.h"

#include "models/look.h"
#include "text/shown_text.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace sunder {

RunOptionsButton::RunOptionsButton(const QString& tip, const QStringList& passes, QWidget* parent) : QToolButton(parent)
{
    for (const QString& id : passes)
        m_passes.push_back(findPass(id));
    setLook(*this, QStringLiteral("headerChoice"));
    setText(tr("Options ▾"));
    setToolTip(tip);
    setAccessibleName(tr("Run options"));
    setAccessibleDescription(tip);
    setFocusPolicy(Qt::TabFocus);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    addPasses();
    const std::vector<PassOption>& options = m_passes.front()->options;
    for (const PassOption& option : options)
        if (option.kind == OptionKind::choice)
            addChoices(option);
    menu()->addSeparator();
    for (const PassOption& option : options)
        if (option.kind == OptionKind::flag)
            add(option.id, option.title, option.tip, nullptr, [id = option.id](QString&, PassOptions& wanted) {
                if (!wanted.remove(id))
                    wanted.insert(id, true);
            });
    show({}, {});
}

void RunOptionsButton::addPasses()
{
    if (m_passes.size() < 2)
        return;
    menu()->addSection(tr("Pass"));
    auto* group = new QActionGroup(this);
    for (const Pass* pass : m_passes)
        add(pass->id, pass->text, pass->tip, group, [id = pass->id](QString& wanted, PassOptions&) { wanted = id; });
}

void RunOptionsButton::addChoices(const PassOption& option)
{
    menu()->addSection(plainTitle(option.title));
    auto* group = new QActionGroup(this);
    for (const PassChoice& choice : option.choices)
        add(option.id + QLatin1Char('=') + choice.id, choice.title, choice.tip, group,
            [id = option.id, to = choice.id, usual = valueOf(option, {}).toString()](QString&, PassOptions& wanted) {
                wanted.remove(id);
                if (to != usual)
                    wanted.insert(id, to);
            });
}

void RunOptionsButton::add(const QString& id, const QString& text, const QString& tip, QActionGroup* choices,
                           std::function<void(QString& pass, PassOptions& options)> change)
{
    QAction* action = menu()->addAction(text);
    action->setObjectName(id);
    action->setCheckable(true);
    action->setToolTip(tip.isEmpty() ? plainTitle(text) : tip);
    if (choices != nullptr)
        choices->addAction(action);
    connect(action, &QAction::triggered, this, [this, change = std::move(change)] {
        QString pass = m_pass.isEmpty() ? m_passes.front()->id : m_pass;
        PassOptions wanted = m_shown;
        change(pass, wanted);
        show(m_pass, m_shown); // the options of the shown run until there is another
        emit runRequested(pass, wanted);
    });
}

void RunOptionsButton::show(const QString& pass, const PassOptions& options)
{
    m_pass = pass;
    m_shown = options;
    if (m_passes.size() > 1)
        for (const Pass* each : m_passes)
            action(each->id).setChecked(each->id == pass);
    for (const PassOption& option : m_passes.front()->options) {
        const QVariant value = valueOf(option, options);
        if (option.kind == OptionKind::flag)
            action(option.id).setChecked(value.toBool());
        if (option.kind == OptionKind::choice)
            for (const PassChoice& choice : option.choices)
                action(option.id + QLatin1Char('=') + choice.id).setChecked(!pass.isEmpty() && value == choice.id);
    }
}

QAction& RunOptionsButton::action(const QString& id) const
{
    const QList<QAction*> all = menu()->actions();
    return **std::ranges::find(all, id, [](const QAction* action) { return action->objectName(); });
}

} // namespace sunder

#include "moc_run_options_button.cpp"
