#pragma once

#include "app/actions.h"
#include "document/custom_operators.h"

#include <functional>

namespace sunder {

class StepCommands;
class WorkArea;

/// What copies something of the window for use elsewhere: the graph in front as a picture, runs and steps as commands of sunder-cli.
/// `say` tells what came of it. All outlive the window's actions.
void connectCopying(const Actions& actions, const Document& document, const CustomOperators& operators, const StepCommands& steps,
                    WorkArea& work, const std::function<void(const QString&)>& say);

} // namespace sunder
