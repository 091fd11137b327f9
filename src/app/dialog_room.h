#pragma once

#include <QDialog>
#include <QObject>

namespace sunder {

/// Makes a dialog fit into a size: as high as its texts need at its width and, if that is too high, with all but its buttons
/// scrolled.
void fitInto(QDialog& dialog, QSize room);

/// Makes all dialogs fit onto their screen when they are shown, and when their texts or widths change. Otherwise their buttons would
/// be out of reach on a low screen, e.g. 1440×900 at 200%. Dialogs with wrapped texts get the height that the texts need at the
/// width of the dialog.
class DialogRoom final : public QObject {
    Q_OBJECT

public:
    explicit DialogRoom(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace sunder
