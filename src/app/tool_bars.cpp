#include "app/tool_bars.h"

#include "app/plain_texts.h"
#include "models/look.h"
#include "models/themed_icon.h"
#include "panels/active_tag_button.h"
#include "panels/search_field.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QToolBar>
#include <QToolButton>

#include <array>

namespace sunder {

QString passButtonName(const QString& pass)
{
    return pass + QStringLiteral("Button");
}

namespace {

constexpr qsizetype kFileCommands = 3; ///< at the start of the tool bar

void giveTabFocus(const QToolBar& tools)
{
    for (QToolButton* button : tools.findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        button->setFocusPolicy(Qt::TabFocus);
}

void addPassButtons(QToolBar& tools, const Actions& actions)
{
    for (const auto& [pass, action] : actions.passes) {
        if (pass->button.isEmpty())
            continue;
        auto* button = new QToolButton(&tools);
        button->setObjectName(passButtonName(pass->id));
        setLook(*button, pass->isMain ? QStringLiteral("primary") : QStringLiteral("secondary"));
        button->setText(pass->button);
        button->setEnabled(action->isEnabled());
        const auto showTip = [button, action = action] { button->setToolTip(action->toolTip()); };
        QObject::connect(action, &QAction::changed, button, showTip);
        showTip();
        button->setProperty(kTipOfCommand, true);
        QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
        QObject::connect(action, &QAction::enabledChanged, button, &QWidget::setEnabled);
        tools.addWidget(button);
    }
}

QToolBar* addTools(QMainWindow& window, const Actions& actions, Document& document)
{
    auto* bar = new QToolBar(QObject::tr("Tools"), &window);
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    window.addToolBar(bar);
    const std::array<QAction*, kFileCommands> files{actions.open, actions.save, actions.exportAll};
    bar->addActions(QList<QAction*>(files.begin(), files.end()));
    bar->addSeparator();
    bar->addActions({actions.undo, actions.redo});
    bar->addSeparator();
    bar->addActions(actions.tools->actions());
    bar->addSeparator();
    bar->addWidget(new ActiveTagButton(document, bar));
    bar->addSeparator();
    addPassButtons(*bar, actions);
    return bar;
}

/// Adds the search in a separate bar after the tools. If space is short, tools move to the overflow menu of their bar, but a bar
/// always shows its first widget.
SearchField* addSearch(QMainWindow& window, Document& document, Jobs& jobs)
{
    auto* bar = new QToolBar(QObject::tr("Search"), &window);
    bar->setObjectName(QStringLiteral("searchBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* holder = new QWidget(bar);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    auto* search = new SearchField(document, jobs, holder);
    row->addWidget(search, 1000); // take all available space up to the maximum width
    bar->addWidget(holder);
    window.addToolBar(bar);
    return search;
}

/// Adapts the tool bar to a narrow window: shortens texts, then hides buttons with well-known shortcuts before any other tool.
class ToolBarFitter final : public QObject {
public:
    ToolBarFitter(QMainWindow& window, QToolBar& bar, SearchField& search, QList<QAction*> known)
        : QObject(&window), m_bar(bar), m_tag(*bar.findChild<ActiveTagButton*>()), m_search(search), m_known(std::move(known)),
          m_behind(bar.actions().value(m_known.size()))
    {
        window.installEventFilter(this);
    }

    bool eventFilter(QObject* window, QEvent* event) override
    {
        constexpr int kNarrow = 1280;
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
            const int width = static_cast<QWidget*>(window)->width();
            setCompact(width < kNarrow);
            if (widthOfAll() > width)
                setCompact(true);
            showKnown(widthOfAll() <= width);
        }
        return false;
    }

private:
    static constexpr int kSearchMargins = 40; ///< margins of the search bar and the space between the bars

    void setCompact(bool isCompact)
    {
        m_tag.setCompact(isCompact);
        m_search.setCompact(isCompact);
        m_bar.layout()->invalidate(); // it ignores new size hints of widgets that it has not shown yet
    }

    [[nodiscard]] int widthOfAll() const
    {
        return m_bar.sizeHint().width() + (isKnownShown() ? 0 : m_knownWidth) + m_search.minimumWidth() + kSearchMargins;
    }

    [[nodiscard]] bool isKnownShown() const { return m_bar.actions().contains(m_known.front()); }

    void showKnown(bool isShown)
    {
        if (isShown == isKnownShown())
            return;
        const int before = m_bar.sizeHint().width();
        for (QAction* action : m_known)
            if (isShown)
                m_bar.insertAction(m_behind, action);
            else
                m_bar.removeAction(action);
        if (!isShown)
            m_knownWidth = before - m_bar.sizeHint().width();
        giveTabFocus(m_bar);
    }

    QToolBar& m_bar;
    ActiveTagButton& m_tag;
    SearchField& m_search;
    QList<QAction*> m_known; ///< first actions of the tool bar
    QAction* m_behind;
    int m_knownWidth = 0; ///< width of the hidden actions in pixels
};

void finishTools(QToolBar& tools)
{
    if (auto* more = tools.findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) { // overflow button of the tool bar
        more->setIcon(themedIcon(QStringLiteral("next")));
        more->setToolTip(QObject::tr("More commands"));
        more->setAccessibleName(more->toolTip());
    }
    giveTabFocus(tools);
}

} // namespace

SearchField* addToolBars(QMainWindow& window, const Actions& actions, Document& document, Jobs& jobs)
{
    QToolBar* tools = addTools(window, actions, document);
    SearchField* search = addSearch(window, document, jobs);
    finishTools(*tools);
    new ToolBarFitter(window, *tools, *search, tools->actions().first(kFileCommands + 1)); // with the separator after them
    return search;
}

} // namespace sunder
