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

/// The colors of a theme by role. All colors of the window and of pictures come from here.
struct Theme {
    bool dark = false;
    QColor window;    ///< frame around the panels
    QColor panel;     ///< panels, lists, fields
    QColor canvas;    ///< behind a graph
    QColor line;      ///< borders, separators
    QColor soft;      ///< buttons, chips, empty parts of bars
    QColor node;      ///< fill of an op without a tag
    QColor text;      ///< contrast ≥ 4.5:1 on window, panel, canvas, soft, and node, on rows, and in frames
    QColor dim;       ///< second lines; same contrast as text
    QColor faint;     ///< hints and disabled text
    QColor edge;      ///< edges; contrast ≥ 3:1 on the canvas and in frames
    QColor selection; ///< selection and the primary action
    QColor error;     ///< problems that block a run
    QColor warning;   ///< problems worth checking
    QColor proven;    ///< verified
    QColor producer;  ///< producers of the hovered node
    QColor consumer;  ///< consumers of the hovered node
    std::array<QColor, 8> tags; ///< pairwise ΔE2000 ≥ 12 under simulated color blindness; same hues in both themes
};

/// Returns the light or the dark theme. Both are static.
const Theme& theme(bool dark);

/// The pattern of a tag's color, from the ninth tag on, to distinguish equal hues.
enum class TagPattern : std::uint8_t { solid, diagonal, backDiagonal, dots, bars };

/// The look of a tag in a theme.
struct TagStyle {
    QColor color;                             ///< stripe, strip, marks
    QColor text;                              ///< shade with contrast ≥ 4.5:1 on the tinted node
    QColor tint;                              ///< fill of a node: 13% of the color
    QColor dim;                               ///< the theme's dim, darkened or lightened as needed on the tint
    QColor title = {};                        ///< for names on the tint; invalid: the theme's text
    TagPattern pattern = TagPattern::solid;   ///< drawn over the color if there is room
};

/// Returns the style of the tag at `index` in tag order: eight hues, then the same hues with one of four patterns, cyclically.
TagStyle tagStyle(const Theme& theme, std::size_t index);

/// Returns the style of a tag with a custom color from a file or the user.
TagStyle tagStyle(const Theme& theme, const QColor& color);

/// Returns the style of hidden tags: colorless and pale.
TagStyle faintStyle(const Theme& theme);

/// Returns a brush with the tag's color and pattern, 6 device pixels wide.
QBrush tagBrush(const TagStyle& style, const Theme& theme);
/// Returns the brush for the device of `painter`. Qt does not write patterns to SVG, which gets the plain color.
QBrush tagBrush(const TagStyle& style, const Theme& theme, const QPainter& painter);

/// Returns the 1–3 letter code of a tag: initials and trailing digits ("stage 1" → "S1", "encoder_body" → "EB", "a" → "A"); for
/// parts numbered by PyTorch, P and the number ("submod_0" → "P0").
QString tagCode(const QString& tagName);

/// Returns unique codes for all tags, in their order. If tagCode() yields a code twice, the tag's number is used. Non-empty
/// entries of `chosen` take precedence.
QStringList tagCodes(const QStringList& tagNames, const QStringList& chosen = {});

// Opaque backgrounds of text. `text`, `dim`, `error`, `warning`, and `proven` have a contrast ≥ 4.5:1 on all rows; pass other
// colors through readable().
/// Background of the selected row of a list.
QColor selectedRow(const Theme& theme);
/// Background of the row of the active tag.
QColor activeRow(const Theme& theme, const QColor& tag);
/// Background of a list row in this state.
QColor rowGround(const Theme& theme, bool isSelected, bool isHovered);
/// Background of a frame with `depth` enclosing frames.
QColor frameGround(const Theme& theme, std::uint32_t depth);
/// Color of the edges between parts in the Partition DAG, wider and paler than edges of graphs; contrast ≥ 3:1 on the canvas.
QColor cutEdgeColor(const Theme& theme);

/// Returns `over` blended onto `under` with the given opacity (0 … 1), as an opaque color.
QColor mixed(const QColor& under, const QColor& over, double share);

/// Returns the WCAG contrast of two opaque colors, 1 … 21.
double contrast(const QColor& a, const QColor& b);

/// Returns `color` moved toward black or white just far enough for a contrast of `ratio` on `background`.
QColor readable(const QColor& color, const QColor& background, double ratio = 4.5);

} // namespace sunder
