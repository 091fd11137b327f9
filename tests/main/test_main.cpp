// main() of the programs that test the core.
#include "layout/box_layout.h"
#include "test_case.h"

#include <QCoreApplication>

#include <cstring>

int main(int count, char** words)
{
    // A program that lays out with `dot` starts itself as its layout child.
    if (count > 1 && std::strcmp(words[1], "--layout-child") == 0)
        return sunder::runLayoutChild();
    const QCoreApplication application(count, words);
    return sunder::test::runCase(count, words);
}
