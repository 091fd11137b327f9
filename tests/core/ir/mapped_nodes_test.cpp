#include "ir/identity_map.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class MappedNodesTest final : public QObject {
    Q_OBJECT
private slots:
    void oneByOneAndAllAtOnceFindTheSame()
    {
        IdentityMap map;
        for (std::uint32_t i = 0; i < 100; ++i) {
            map.add({kSource, NodeId(i)}, {kResult, NodeId(i / 2)});
            if (i % 10 == 0)
                map.add({kSource, NodeId(i)}, {kResult, NodeId(1000 + i)}, true);
        }
        map.finish();
        std::vector<NodeId> few{NodeId(10U), NodeId(11U)};
        std::vector<NodeId> many;
        for (std::uint32_t i = 0; i < 100; ++i)
            many.emplace_back(i);
        std::vector<NodeRef> single;
        for (const NodeId id : many)
            for (const NodeRef ref : resultsOfNodes(map, kSource, std::span(&id, 1)))
                single.push_back(ref);
        QCOMPARE(resultsOfNodes(map, kSource, many), single);
        QCOMPARE(resultsOfNodes(map, kSource, few).size(), 3U);
        QCOMPARE(resultsOfNodes(map, kSource, few, Mapped::copies), (std::vector<NodeRef>(2, {kResult, NodeId(5U)})));
        QVERIFY(resultsOfNodes(map, kResult, many).empty());
        const std::vector<NodeRef> back{{kResult, NodeId(5U)}, {kResult, NodeId(1010U)}};
        QCOMPARE(sourcesOfNodes(map, kSource, back), few);
    }

private:
    static constexpr GraphId kSource{0U};
    static constexpr GraphId kResult{1U};
};

const test::Registered<MappedNodesTest> mappedNodesTest("mapped_nodes_test");
#include "mapped_nodes_test.moc"
