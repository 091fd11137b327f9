#include "support/version.h"

namespace sunder {

std::string_view version()
{
    return SUNDER_VERSION;
}

} // namespace sunder
