#pragma once

namespace sunder {

class WelcomePage;

/// Sets the recent models and samples on the welcome page.
void showModels(WelcomePage& page);

} // namespace sunder
