#pragma once

namespace sunder {

/// Runs the editor with this command line. Returns the exit status.
int runApplication(int argc, char** argv);

} // namespace sunder
