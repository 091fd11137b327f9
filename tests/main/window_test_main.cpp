// main() of the programs that test the window and what it is made of.
#include "test_case.h"

#include <QApplication>

int main(int count, char** words)
{
    const QApplication application(count, words);
    return sunder::test::runCase(count, words);
}
