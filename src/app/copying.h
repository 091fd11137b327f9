#pragma once

#include "app/actions.h"
#include "document/custom_operators.h"

#include <functional>

namespace sunder {

class StepCommands;
class WorkArea;

/// Connects the copy commands: the graph in front as an image, runs and steps as sunder-cli commands. `say` reports results. All
/// arguments must outlive the actions.
void connectCopying(const Actions& actions, const Document& document, const CustomOperators& operators, const StepCommands& steps,
                    WorkArea& work, const std::function<void(const QString&)>& say);

} // namespace sunder
