#pragma once

namespace sunder {

class WelcomePage;

/// Gives the page the models that were open last and the samples.
void showModels(WelcomePage& page);

} // namespace sunder
