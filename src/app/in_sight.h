#pragma once

class QWidget;

namespace sunder {

/// Returns whether the user can see at least a part of a widget or its children. Unlike QWidget::visibleRegion(), counts what
/// opaque children cover: a graph that fills its pane completely leaves nothing of the pane. False for docks behind other tabs,
/// which Qt moves outside their window.
[[nodiscard]] bool isInSight(const QWidget& widget);

} // namespace sunder
