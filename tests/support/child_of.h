#pragma once

#include <QObject>
#include <QString>

namespace sunder::test {

/// Returns the child of this type, and of this name if one is given. Ends the test program if there is none.
template <typename T>
T& childOf(const QObject& root, const QString& name = {})
{
    T* child = root.findChild<T*>(name);
    if (child == nullptr)
        qFatal("no %s named '%s'", T::staticMetaObject.className(), qPrintable(name));
    return *child;
}

} // namespace sunder::test
