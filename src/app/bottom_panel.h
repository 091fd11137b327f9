#pragma once

#include <QTabWidget>

class QSplitter;

namespace sunder {

/// Tabs below the panes, as high as the rows of the one in front: one to five. While
/// a button of the mouse is down the height stays: nothing moves under a stroke. Whoever moves the splitter's handle decides the
/// height from then on, until the layout is reset.
class BottomPanel final : public QTabWidget {
    Q_OBJECT

public:
    /// Becomes the last part of `around`, a vertical splitter.
    explicit BottomPanel(QSplitter& around);

    /// Adds a tab; its height follows the rows of the first item view in it, or has five lines of a text.
    void add(QWidget& page, const QString& title, const QString& tip);
    /// The height is that of the rows again.
    void resetHeight();
    /// Somebody chose the height; of this session, or an earlier one.
    [[nodiscard]] bool isHeightChosen() const { return m_isHeightChosen; }
    void setHeightChosen(bool isChosen) { m_isHeightChosen = isChosen; }

    /// Sees when the mouse is let go.
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fit();
    void waitForRelease();
    [[nodiscard]] int wantedHeight() const;

    QSplitter& m_around;
    bool m_isHeightChosen = false;
    bool m_isFitting = false;
    bool m_isWaiting = false; ///< for the mouse to be let go
};

} // namespace sunder
