#include "app/application.h"

int main(int argc, char** argv)
{
    return sunder::runApplication(argc, argv);
}
