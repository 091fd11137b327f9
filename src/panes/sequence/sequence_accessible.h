#pragma once

namespace sunder {

/// Assistive technology sees the handles of a SequenceStrip as children of it, from now on.
void installSequenceAccessible();

} // namespace sunder
