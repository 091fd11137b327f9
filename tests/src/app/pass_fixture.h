#pragma once

#include "dialogs/pass_options_dialog.h"
#include "window_fixture.h"

namespace sunder::test {

/// The window with the form of a pass that asks for options.
class PassFixture : public WindowFixture {
protected:
    void showFreshWindow()
    {
        QSettings().remove("passes"); // forms start with the last options
        showWindow();
    }

    PassOptionsDialog* openDialog() const
    {
        PassOptionsDialog* open = nullptr;
        for (auto* dialog : m_window->findChildren<PassOptionsDialog*>())
            if (dialog->isVisible())
                open = dialog;
        return open;
    }

    /// Opens the form with Ctrl+Shift and its key.
    PassOptionsDialog* askBy(Qt::Key key)
    {
        QTest::keyClick(&sourcePane().canvas(), key, Qt::ControlModifier | Qt::ShiftModifier);
        return openDialog();
    }
};

} // namespace sunder::test
