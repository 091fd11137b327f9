#pragma once

#include "document/document.h"
#include "test_support.h"

#include <QTest>

#include <memory>

namespace sunder::test {

/// A document with a chain of three ops, for a panel without the window.
class PanelFixture : public QObject {
protected:
    void openChain()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(programFromText("x = placeholder() : 4\n"
                                                                                       "a = relu(x) : 4\n"
                                                                                       "b = gelu(a) : 4\n"
                                                                                       "c = tanh(b) : 4\n"
                                                                                       "output(c)\n"))),
                         "/tmp/chain.fxj");
    }

    [[nodiscard]] NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }
    [[nodiscard]] const std::vector<NodeId>& selected() const { return m_document->marks().selection().source; }

    std::unique_ptr<Document> m_document;
};

} // namespace sunder::test
