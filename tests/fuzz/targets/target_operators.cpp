#include "target.h"

#include "operators/operator_library.h"

/// Schemas of --operators.
SUNDER_TARGET(text)
{
    (void)sunder::OperatorLibrary::parse(text, "operators.txt");
}
