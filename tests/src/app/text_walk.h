#pragma once

#include "hostile_model.h"
#include "support/text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTabBar>

#include <algorithm>
#include <set>

namespace sunder::test {

inline bool isShowable(const QString& text)
{
    return isVisible(text.toStdString(), Lines::keep);
}

/// Whether a mnemonic (Alt+letter) comes from a name in the model.
inline bool hasForeignMnemonic(QString text)
{
    if (!text.contains(kMark) && !text.contains(QStringLiteral("amp;")))
        return false;
    return text.remove(QStringLiteral("&&")).contains(QLatin1Char('&'));
}

/// Visits all texts of a window's widgets and collects faults.
class Walk {
public:
    QStringList faults;
    int texts = 0;
    int foreign = 0; ///< those that contain text from the model

    void widget(QWidget& widget)
    {
        const QString name = QLatin1String(widget.metaObject()->className()) + QLatin1Char('#') + widget.objectName();
        text(name, widget.toolTip());
        tip(name, widget.toolTip());
        text(name, widget.statusTip());
        text(name, widget.whatsThis());
        text(name, widget.accessibleName());
        text(name, widget.accessibleDescription());
        text(name, widget.windowTitle());
        if (const auto* label = qobject_cast<QLabel*>(&widget)) {
            text(name, label->text());
            label->ensurePolished();
            if (label->textFormat() != Qt::PlainText && (label->textFormat() == Qt::AutoText || label->text().contains(kMark)))
                fault(name, "is not plain", label->text());
        }
        if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) {
            text(name, button->text());
            mnemonic(name, button->text());
        }
        if (const auto* tabs = qobject_cast<QTabBar*>(&widget))
            for (int i = 0; i < tabs->count(); ++i) {
                text(name, tabs->tabText(i));
                mnemonic(name, tabs->tabText(i));
                text(name, tabs->tabToolTip(i));
                tip(name, tabs->tabToolTip(i));
            }
        if (const auto* combo = qobject_cast<QComboBox*>(&widget))
            for (int i = 0; i < combo->count(); ++i)
                text(name, combo->itemText(i));
        if (const auto* edit = qobject_cast<QPlainTextEdit*>(&widget))
            text(name, edit->toPlainText());
        if (const auto* view = qobject_cast<QAbstractItemView*>(&widget); view != nullptr && view->model() != nullptr)
            rows(name, *view->model(), {});
        for (const QAction* action : widget.actions())
            this->action(name, *action);
    }

    void action(const QString& where, const QAction& action)
    {
        text(where, action.text());
        mnemonic(where, action.text());
        if (action.text().size() > 250)
            fault(where, "is too long for a menu", action.text());
        text(where, action.toolTip());
        tip(where, action.toolTip());
        if (action.menu() != nullptr && m_seen.insert(action.menu()).second)
            for (const QAction* below : action.menu()->actions())
                this->action(where + " > " + action.text(), *below);
    }

    void accessible(QAccessibleInterface* interface, int depth = 0)
    {
        if (interface == nullptr || !interface->isValid() || depth > 30)
            return;
        for (const QAccessible::Text kind : {QAccessible::Name, QAccessible::Description, QAccessible::Value, QAccessible::Help})
            text("accessible", interface->text(kind));
        for (int i = 0; i < std::min(interface->childCount(), 500); ++i)
            accessible(interface->child(i), depth + 1);
    }

    void text(const QString& where, const QString& said)
    {
        ++texts;
        foreign += said.contains(kMark) ? 1 : 0;
        if (!isShowable(said))
            fault(where, "shows what cannot be seen", said);
    }

    void tip(const QString& where, const QString& said)
    {
        for (const QString& line : said.split('\n'))
            if (line.size() > 200)
                fault(where, "has a tip that is too wide", said);
    }

private:
    void mnemonic(const QString& where, const QString& said)
    {
        if (hasForeignMnemonic(said))
            fault(where, "takes a mnemonic from a name", said);
    }

    void rows(const QString& where, const QAbstractItemModel& model, const QModelIndex& parent)
    {
        for (int row = 0; row < std::min(model.rowCount(parent), 200); ++row)
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::StatusTipRole), int(Qt::WhatsThisRole),
                                       int(Qt::AccessibleTextRole), int(Qt::AccessibleDescriptionRole), int(Qt::EditRole)})
                    text(where, index.data(role).toString());
                tip(where, index.data(Qt::ToolTipRole).toString());
                if (column == 0)
                    rows(where, model, index);
            }
    }

    void fault(const QString& where, const char* what, const QString& said)
    {
        faults << QStringLiteral("%1 %2: %3").arg(where, QLatin1String(what), said.left(120));
    }

    std::set<const QMenu*> m_seen;
};

} // namespace sunder::test
