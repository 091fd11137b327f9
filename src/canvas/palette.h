#pragma once

#include <QBrush>
#include <QColor>
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>

class QPainter;

namespace sunder {

/// The colours of one of the two looks, by role. Everything that Sunder paints, frame and pictures, takes its colours
/// from here.
struct Theme {
    bool dark = false;
    QColor window;    ///< frame around the panels
    QColor panel;     ///< panels, lists, fields
    QColor canvas;    ///< behind a graph
    QColor line;      ///< borders, separators
    QColor soft;      ///< buttons, chips, empty parts of bars
    QColor node;      ///< fill of an op without a tag
    QColor text;      ///< ≥ 4.5:1 on window, panel, canvas, soft and node, on rows and in frames
    QColor dim;       ///< second lines; the same
    QColor faint;     ///< hints and disabled text
    QColor edge;      ///< dependencies; ≥ 3:1 on the canvas and in frames
    QColor selection; ///< selection and the one main action
    QColor error;     ///< cannot run
    QColor warning;   ///< think about it
    QColor proven;    ///< verified
    QColor producer;  ///< what the node in question reads, while one points at it
    QColor consumer;  ///< what reads it
    std::array<QColor, 8> tags; ///< pairwise ΔE2000 ≥ 12 in simulated colour blindness; hues of both themes are alike
};

/// The light or the dark theme. Both live as long as the program.
const Theme& theme(bool dark);

/// What a tag's colour is filled with from the ninth tag on, so that equal hues stay apart.
enum class TagPattern : std::uint8_t { solid, diagonal, backDiagonal, dots, bars };

/// How one tag looks in a theme.
struct TagStyle {
    QColor color;                             ///< stripe, strip, marks
    QColor text;                              ///< shade of it that reads at ≥ 4.5:1 on the tinted node
    QColor tint;                              ///< the node's fill: 13 % of the colour
    QColor dim;                               ///< the theme's dim, as far darkened or lightened as it needs on the tint
    QColor title = {};                        ///< of names on the tint; invalid: the theme's text
    TagPattern pattern = TagPattern::solid;   ///< laid over the colour where there is room
};

/// Style of the tag at `index` in tag order: eight hues, then the same hues with one of four patterns, cyclic.
TagStyle tagStyle(const Theme& theme, std::size_t index);

/// Style of a tag that a file or a person gave a colour of its own.
TagStyle tagStyle(const Theme& theme, const QColor& color);

/// Style of what is hidden: no colour, and everything pale.
TagStyle faintStyle(const Theme& theme);

/// A brush of the tag's colour with its pattern, 6 px wide in device pixels of the painter.
QBrush tagBrush(const TagStyle& style, const Theme& theme);
/// The same for what `painter` paints on: Qt writes no tiles into SVG, which gets the colour alone.
QBrush tagBrush(const TagStyle& style, const Theme& theme, const QPainter& painter);

/// The 1–3 letters by which a tag is known: initial letters and trailing digits ("stage 1" → "S1",
/// "encoder_body" → "EB", "a" → "A"); of parts that torch numbers P and the number ("submod_0" → "P0").
QString tagCode(const QString& tagName);

/// Codes for all tags, in their order, no two alike: where tagCode() gives one twice, the tag's number is used. `chosen`, where it
/// has one that is not empty, goes before what a name would give.
QStringList tagCodes(const QStringList& tagNames, const QStringList& chosen = {});

// Grounds that text stands on, opaque. `text`, `dim`, `error`, `warning` and `proven` are ≥ 4.5:1 on all of rows; any other colour
// goes through readable().
/// Of the selected row of a list.
QColor selectedRow(const Theme& theme);
/// Of the row of the active tag.
QColor activeRow(const Theme& theme, const QColor& tag);
/// Of a row of a list in its state.
QColor rowGround(const Theme& theme, bool isSelected, bool isHovered);
/// Inside a frame with `depth` frames around it.
QColor frameGround(const Theme& theme, std::uint32_t depth);
/// Of ribbons between partitions, wider and paler than edges; ≥ 3:1 on the canvas.
QColor ribbonColor(const Theme& theme);

/// `over` laid on `under` with the given share of `over` (0 … 1), opaque.
QColor mixed(const QColor& under, const QColor& over, double share);

/// WCAG contrast of two opaque colours, 1 … 21.
double contrast(const QColor& a, const QColor& b);

/// `color` moved towards black or white just as far as needed for `ratio` on `background`.
QColor readable(const QColor& color, const QColor& background, double ratio = 4.5);

} // namespace sunder
