#include "app/note_commands.h"

#include "document/document.h"
#include "document/text.h"
#include "panes/source_pane.h"

#include <QInputDialog>
#include <QMenu>
#include <QPlainTextEdit>

namespace sunder {
namespace {

/// Asks for the text of a note; an empty text removes it.
void editNote(Document& document, NodeId node, QWidget& window)
{
    auto* dialog = new QInputDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("noteDialog"));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setWindowTitle(QObject::tr("Note"));
    const QString name = caption(text(document.graph()[node].name));
    const QString present = document.notes().on(node);
    dialog->setLabelText(present.isEmpty() ? QObject::tr("New note on %1:").arg(name)
                                           : QObject::tr("Edit the note on %1 (without text, it is removed):").arg(name));
    dialog->setTextValue(present);
    dialog->resize(420, 240);
    const SnapshotPtr snapshot = document.snapshot();
    QObject::connect(dialog, &QInputDialog::textValueSelected, &document, [&document, node, snapshot](const QString& written) {
        if (document.isOf(snapshot)) // the model may have been reloaded meanwhile
            document.notes().set(node, written);
    });
    dialog->open(); // open() instead of exec(): jobs continue
    if (auto* editor = dialog->findChild<QPlainTextEdit*>())
        editor->setTabChangesFocus(true);
}

/// Returns the op that a note on the selection is attached to.
NodeId nodeOfSelection(const Document& document)
{
    const Selection& selection = document.marks().selection();
    if (selection.source.empty())
        return {};
    for (const NodeId node : selection.source)
        if (document.graph()[node].isCall())
            return node;
    return selection.source.front();
}

} // namespace

void connectNotes(const Actions& actions, Document& document, SourcePane& source, QWidget& window)
{
    QObject::connect(actions.note, &QAction::triggered, &window, [&document, &window] {
        if (const NodeId node = nodeOfSelection(document))
            editNote(document, node, window);
    });
    CanvasWidget* canvas = &source.canvas();
    QObject::connect(canvas, &CanvasWidget::noteMoved, &document,
                     [&document](NodeId node, const QPointF& offset) { document.notes().move(node, offset); });
    QObject::connect(canvas, &CanvasWidget::noteActivated, &window,
                     [&document, &window](NodeId node) { editNote(document, node, window); });
    QObject::connect(
        canvas, &CanvasWidget::noteMenuRequested, &window, [&document, &window](NodeId node, const QPoint& globalPosition) {
            auto* menu = new QMenu(&window);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->setObjectName(QStringLiteral("noteMenu"));
            menu->addAction(QObject::tr("&Edit note…"), &window,
                            [&document, &window, node] { editNote(document, node, window); });
            menu->addAction(QObject::tr("&Remove note"), &document, [&document, node] { document.notes().set(node, {}); });
            menu->popup(globalPosition);
        });
}

void showNoteCommand(const Actions& actions, const Document& document)
{
    const NodeId node = document.isOpen() ? nodeOfSelection(document) : NodeId();
    actions.note->setEnabled(static_cast<bool>(node));
    actions.note->setText(document.notes().on(node).isEmpty() ? QObject::tr("Add n&ote…") : QObject::tr("Edit n&ote…"));
}

} // namespace sunder
