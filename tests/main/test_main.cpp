// main() of the programs that test the core.
#include "test_case.h"

#if __has_include("layout/box_layout.h") // not in tests of the layers below
#include "layout/box_layout.h"
#endif

#include <QCoreApplication>

#include <cstring>

int main(int count, char** words)
{
#if __has_include("layout/box_layout.h")
    // A program that lays out with `dot` starts itself as its layout child.
    if (count > 1 && std::strcmp(words[1], "--layout-child") == 0)
        return sunder::runLayoutChild();
#endif
    const QCoreApplication application(count, words);
    return sunder::test::runCase(count, words);
}
