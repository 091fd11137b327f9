#include "app/gestures_box.h"

#include <QMessageBox>

namespace sunder {

void showGestures(QWidget& over)
{
    const auto row = [](const QString& keys, const QString& what) {
        return QStringLiteral("<tr><td style='padding:2px 16px 2px 0'><b>%1</b></td><td style='padding:2px 0'>%2</td></tr>")
            .arg(keys, what);
    };
    QMessageBox box(&over);
    box.setWindowTitle(QObject::tr("Keys and gestures"));
    box.setTextFormat(Qt::RichText);
    box.setText(
        QStringLiteral("<table>") + row(QObject::tr("Wheel"), QObject::tr("zoom at the cursor; Shift+wheel moves sideways"))
        + row(QObject::tr("Middle button, Space"), QObject::tr("hold and drag to move the graph"))
        + row(QObject::tr("Double click, Enter"), QObject::tr("open or close a module; with Alt all below it"))
        + row(QObject::tr("Backspace"), QObject::tr("close the module around"))
        + row(QObject::tr("Ctrl+click, Shift+drag"), QObject::tr("add to the selection"))
        + row(QObject::tr("V B E R H"), QObject::tr("select, brush, eraser, rectangle, hand"))
        + row(QObject::tr("[ ]"), QObject::tr("smaller and larger brush")) + row(QObject::tr("1 … 9"), QObject::tr("active tag"))
        + row(QObject::tr("P, Delete"), QObject::tr("paint and erase the selection"))
        + row(QObject::tr("N"), QObject::tr("next untagged op"))
        + row(QObject::tr("Arrow keys"), QObject::tr("walk the graph: inputs, users, neighbours"))
        + row(QObject::tr("Ctrl+Tab"), QObject::tr("go to the next pane or panel; with Shift to the one before"))
        + row(QObject::tr("F, Ctrl+0"), QObject::tr("show the whole graph of the pane that has the focus"))
        + row(QObject::tr("G, Shift+G"), QObject::tr("next and last of what is selected, found or marked"))
        + row(QObject::tr("Ctrl+F"), QObject::tr("find ops: op:linear module:layers.3 tag:none"))
        + row(QObject::tr("Ctrl+H"),
              QObject::tr("history of runs: Enter shows, C compares, R runs it again, F2 renames, Delete discards"))
        + row(QObject::tr("Ctrl+Enter"), QObject::tr("split"))
        + row(QObject::tr("Ctrl+Shift+P"), QObject::tr("partition over devices"))
        + row(QObject::tr("M"), QObject::tr("move the selection to another part; Up and Down choose it"))
        + row(QObject::tr("Ctrl+E"), QObject::tr("export")) + QStringLiteral("</table>"));
    box.exec();
}

} // namespace sunder
