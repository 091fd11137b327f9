#pragma once

#include <QDialog>
#include <QObject>

namespace sunder {

/// Makes a dialog fit into a size: makes it smaller and, if it has a column of widgets that needs more height, lets all but the
/// buttons at its end scroll.
void fitInto(QDialog& dialog, QSize room);

/// Makes all dialogs fit onto their screen when they are shown. Otherwise their buttons would be out of reach on a low screen, e.g.
/// 1440×900 at 200 %. Dialogs with wrapped texts get the height that the texts need at the width of the dialog.
class DialogRoom final : public QObject {
    Q_OBJECT

public:
    explicit DialogRoom(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace sunder
