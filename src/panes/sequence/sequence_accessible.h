#pragma once

namespace sunder {

/// Exposes the handles of each SequenceStrip to assistive technology as its children.
void installSequenceAccessible();

} // namespace sunder
