#pragma once

#include "app/appearance.h"
#include "window_fixture.h"

namespace sunder::test {

/// The real window with its style sheet and palette, for tests of colors and of room for texts.
class StyledWindowFixture : public WindowFixture {
protected:
    void prepare()
    {
        WindowFixture::prepare();
        m_appearance = std::make_unique<Appearance>(*qApp);
    }
    void removeStyle()
    {
        m_appearance.reset();
        qApp->setStyleSheet({});
    }

    std::unique_ptr<Appearance> m_appearance;
};

} // namespace sunder::test
