// main() of the programs that test the window and its parts.
#include "canvas/motion.h"
#include "test_case.h"

#include <QApplication>

int main(int count, char** words)
{
    const QApplication application(count, words);
    sunder::Motion::setSystemReduced(true); // without animation, screenshots show the final state
    return sunder::test::runCase(count, words);
}
