#pragma once

namespace sunder {

/// Runs the editor: command line, theme, window. Returns the exit status.
int runApplication(int argc, char** argv);

} // namespace sunder
