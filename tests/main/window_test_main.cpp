// main() of the programs that test the window and what it is made of.
#include "canvas/motion.h"
#include "test_case.h"

#include <QApplication>

int main(int count, char** words)
{
    const QApplication application(count, words);
    sunder::Motion::setSystemReduced(true); // a picture that is taken is of what is there in the end
    return sunder::test::runCase(count, words);
}
