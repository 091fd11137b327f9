#pragma once

namespace sunder {

/// Lets assistive technology see a DagView as a list: its boxes in order of execution, its ribbons, then the handles at
/// the edges of boxes. Once is enough.
void installDagAccessibility();

} // namespace sunder
