#include "app/project.h"
#include "document/tag_edits.h"
#include "io/side_files/project_file.h"
#include "patience.h"
#include "random_window.h"
#include "test_case.h"

using namespace sunder;
using test::DocumentModel;

/// Thousands of random strokes, folds, undos, runs, and saves by mouse and keyboard in the real window. After each one, the
/// document is compared with a plain model of it. SUNDER_RANDOM_SEED and SUNDER_RANDOM_STEPS change the defaults.
class RandomActionsTest final : public test::RandomWindow {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void theDocumentIsWhatThePlainModelSays_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("seed");
        const int seed = qEnvironmentVariableIntValue("SUNDER_RANDOM_SEED");
        QTest::newRow("transformer") << QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2") << seed + 1;
        QTest::newRow("residual_cnn") << QStringLiteral(SUNDER_SOURCE "/resources/samples/residual_cnn.pt2") << seed + 2;
        QTest::newRow("unet") << QStringLiteral(SUNDER_SOURCE "/resources/samples/unet.pt2") << seed + 3;
    }

    void theDocumentIsWhatThePlainModelSays()
    {
        QFETCH(QString, path);
        QFETCH(int, seed);
        const QString copy = m_folder.filePath(QStringLiteral("%1.pt2").arg(seed));
        QVERIFY(QFile::copy(path, copy));
        m_model = copy;
        openModel();
        m_project = m_folder.filePath(QStringLiteral("%1.sunder").arg(seed));
        QVERIFY(workflow().saveProject(project().state(), m_project));
        canvas().setLegendVisible(false);
        canvas().setMinimapVisible(false);
        // A press on the card of a backward edge opens a menu, which would wait for an answer.
        QObject::disconnect(&canvas(), &CanvasWidget::backwardCardClicked, nullptr, nullptr);
        connect(&canvas(), &CanvasWidget::strokeStarted, this, [this] { m_strokeStarted = true; });
        m_expected = std::make_unique<DocumentModel>(document().snapshot()->program, tagsOfDocument());
        m_counts.clear();
        m_random = std::make_unique<fuzz::Random>(static_cast<std::uint64_t>(seed));
        const int wanted = qEnvironmentVariableIntValue("SUNDER_RANDOM_STEPS");
        const int steps = wanted > 0 ? wanted : 1000;
        for (int step = 0; step < steps; ++step) {
            m_said = QStringLiteral("step %1: ").arg(step);
            act();
            settle();
            compare();
            if (QTest::currentTestFailed())
                return;
        }
        qInfo("%s", qPrintable(QStringLiteral("%1 steps; %2").arg(steps).arg(tally())));
        for (const char* action : {"brush", "line", "rectangle", "wire", "fill", "undo", "redo", "split", "save"})
            QVERIFY2(m_counts[action] > 0, action); // every action is reachable
        QVERIFY(5 * m_counts["beside"] < m_counts["brush"] + m_counts["line"] + m_counts["rectangle"]);
    }

private:
    // Actions ----------------------------------------------------------------------------------------

    void act()
    {
        using Action = void (RandomActionsTest::*)();
        static constexpr std::array<std::pair<int, Action>, 18> kActions{{
            {14, &RandomActionsTest::brush},
            {12, &RandomActionsTest::line},
            {10, &RandomActionsTest::rectangle},
            {6, &RandomActionsTest::wire},
            {6, &RandomActionsTest::fill},
            {6, &RandomActionsTest::paintSelected},
            {8, &RandomActionsTest::digit},
            {12, &RandomActionsTest::undo},
            {9, &RandomActionsTest::redo},
            {8, &RandomActionsTest::fold},
            {6, &RandomActionsTest::look},
            {3, &RandomActionsTest::addTag},
            {2, &RandomActionsTest::removeTag},
            {3, &RandomActionsTest::moveTag},
            {3, &RandomActionsTest::renameTag},
            {3, &RandomActionsTest::tagItself},
            {4, &RandomActionsTest::split},
            {3, &RandomActionsTest::save},
        }};
        int sum = 0;
        for (const auto& [weight, action] : kActions)
            sum += weight;
        int chosen = m_random->between(0, sum - 1);
        for (const auto& [weight, action] : kActions)
            if ((chosen -= weight) < 0)
                return (this->*action)();
    }

    void brush()
    {
        const std::vector<ItemId> items = closedItemsInSight();
        if (items.empty())
            return note("nothing");
        const QPoint at = canvas().viewRectOf(m_random->of(items)).center().toPoint();
        stroke("brush", at, at);
    }

    /// A press of the brush on a wire paints both of its ends.
    void wire()
    {
        const Picture& picture = *canvas().picture();
        if (picture.edges.empty() || canvas().isGliding() || !activeTag())
            return note("nothing");
        for (int tries = 0; tries < 30; ++tries) {
            const PictureEdge& edge = m_random->of(picture.edges);
            const std::optional<QPoint> at = pressOn(edge);
            if (!at)
                continue;
            std::set<std::string> names;
            for (const ItemId end : {edge.from, edge.to})
                addNames(names, picture.items[end.index()].nodes);
            choose(ToolKind::brush);
            if (!drag(*at, *at))
                return note("beside");
            m_expected->retag(names, activeTag());
            return note("wire", QStringLiteral("of %1 nodes").arg(names.size()));
        }
        note("nothing");
    }

    void fill()
    {
        const std::vector<ItemId> items = closedItemsInSight();
        if (items.empty() || canvas().isGliding() || !activeTag())
            return note("nothing");
        const ItemId item = m_random->of(items);
        const QPoint at = canvas().viewRectOf(item).center().toPoint();
        if (isOverControl(at) || canvas().itemAt(at) != item)
            return note("nothing");
        const bool isForward = m_random->chance(50);
        std::set<std::string> names;
        addNames(names, canvas().picture()->items[item.index()].nodes);
        choose(ToolKind::fill);
        sourcePane().fills().setScope(isForward ? FillScope::needing : FillScope::needed);
        settle(); // the row above the graph has appeared
        const QPoint now = canvas().viewRectOf(item).center().toPoint();
        const bool isThere = canvas().rect().contains(now) && canvas().itemAt(now) == item && !isOverControl(now);
        if (!isThere || canvas().isGliding())
            return note("nothing");
        QTest::mouseMove(&canvas(), now);
        settle(); // the preview or a late message may have moved items
        if (canvas().itemAt(now) != item || isOverControl(now) || canvas().isGliding())
            return note("nothing");
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, now);
        m_expected->retag(m_expected->reached(names, isForward ? DocumentModel::Way::needing : DocumentModel::Way::needed),
                          activeTag());
        settle();
        note("fill", isForward ? "downstream" : "upstream");
    }

    void line() { stroke("line", anyPoint(), anyPoint()); }

    void rectangle()
    {
        const QPoint from = anyPoint();
        const QPoint to = anyPoint();
        const QRectF rect = QRectF(from, to).normalized();
        std::set<std::string> names;
        const Picture& picture = *canvas().picture();
        for (std::uint32_t i = 0; i < picture.items.size(); ++i) {
            if (picture.items[i].kind == ItemKind::frame)
                continue;
            const QRectF box = canvas().viewRectOf(ItemId(i));
            if (test::overlaps(box, rect, 2) != test::overlaps(box, rect, -2))
                return note("nothing");
            if (test::overlaps(box, rect, 0))
                addNames(names, picture.items[i].nodes);
        }
        if (canvas().isGliding() || isOverControl(from) || !activeTag())
            return note("nothing");
        const bool isErasing = m_random->chance(25);
        choose(ToolKind::rectangle);
        if (!drag(from, to, isErasing ? Qt::AltModifier : Qt::NoModifier))
            return note(names.empty() ? "nothing" : "beside");
        m_expected->retag(names, isErasing ? std::nullopt : activeTag());
        note("rectangle", QStringLiteral("of %1 nodes").arg(names.size()));
    }

    void paintSelected()
    {
        const std::vector<ItemId> items = closedItemsInSight();
        if (items.empty() || canvas().isGliding())
            return note("nothing");
        choose(ToolKind::select);
        const QPoint at = canvas().viewRectOf(m_random->of(items)).center().toPoint();
        if (isOverControl(at))
            return note("nothing");
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at);
        handleSelection();
    }

    void digit()
    {
        const int tag = m_random->between(0, 8);
        const int before = document().activeTag();
        QTest::keyClick(&canvas(), static_cast<Qt::Key>(Qt::Key_1 + tag));
        QCOMPARE(document().activeTag(), tag < document().tagCount() ? tag : before);
        note("digit", QString::number(tag + 1));
    }

    void undo()
    {
        for (int left = m_random->between(1, 5); left > 0 && m_expected->at() > 0; --left) {
            actions().undo->trigger();
            m_expected->undo();
            note("undo");
        }
    }

    void redo()
    {
        for (int left = m_random->between(1, 4); left > 0 && m_expected->at() < m_expected->last(); --left) {
            actions().redo->trigger();
            m_expected->redo();
            note("redo");
        }
    }

    void fold()
    {
        std::vector<ItemId> items;
        const Picture& picture = *canvas().picture();
        for (std::uint32_t i = 0; i < picture.items.size(); ++i)
            if (picture.items[i].kind != ItemKind::node)
                items.emplace_back(i);
        if (items.empty())
            return note("nothing");
        const ItemId item = m_random->of(items);
        sourcePane().view().toggle(item, QString::fromStdString(picture.items[item.index()].key), m_random->chance(15));
        note("fold", QString::fromStdString(picture.items[item.index()].key));
    }

    void look()
    {
        switch (m_random->below(4)) {
        case 0: canvas().zoomBy(m_random->chance(50) ? 1.3 : 0.7); break;
        case 1: canvas().fitAll(); break;
        case 2: canvas().showReadable(); break;
        default: choose(ToolKind::pan); drag(anyPoint(), anyPoint());
        }
        note("look");
    }

    void addTag()
    {
        if (document().tagCount() >= 12)
            return note("nothing");
        actions().addTag->trigger();
        DocumentModel::Tags tags = m_expected->now();
        const std::string name = document().tagName(document().tagCount() - 1).toStdString();
        QVERIFY(std::ranges::find(tags.order, name) == tags.order.end());
        tags.order.push_back(name);
        m_expected->step(std::move(tags));
        note("add");
    }

    void removeTag()
    {
        const auto name = activeTag();
        if (!name)
            return note("nothing");
        actions().removeTag->trigger();
        DocumentModel::Tags tags = m_expected->now();
        std::erase(tags.order, *name);
        std::erase_if(tags.tagOf, [&](const auto& pair) { return pair.second == *name; });
        m_expected->step(std::move(tags));
        note("remove", QString::fromStdString(*name));
    }

    void moveTag()
    {
        if (document().tagCount() < 2)
            return note("nothing");
        const int from = m_random->between(0, document().tagCount() - 1);
        const int to = m_random->between(0, document().tagCount() - 1);
        document().tagList().move(from, to);
        if (from == to)
            return note("nothing");
        DocumentModel::Tags tags = m_expected->now();
        const std::string name = tags.order[static_cast<std::size_t>(from)];
        tags.order.erase(tags.order.begin() + from);
        tags.order.insert(tags.order.begin() + to, name);
        m_expected->step(std::move(tags));
        note("move");
    }

    void renameTag()
    {
        if (document().tagCount() == 0)
            return note("nothing");
        const int tag = m_random->between(0, document().tagCount() - 1);
        const std::string old = document().tagName(tag).toStdString();
        const std::string name = "tag" + std::to_string(m_random->below(40));
        const bool isTaken = std::ranges::find(m_expected->now().order, name) != m_expected->now().order.end();
        const QString why = document().tagList().rename(tag, QString::fromStdString(name));
        QCOMPARE(!why.isEmpty(), isTaken && old != name);
        if (isTaken)
            return note("nothing");
        DocumentModel::Tags tags = m_expected->now();
        tags.order[static_cast<std::size_t>(tag)] = name;
        for (auto& [node, worn] : tags.tagOf)
            if (worn == old)
                worn = name;
        m_expected->step(std::move(tags));
        note("rename");
    }

    /// Proposals of the program are accepted if they keep their promise; undo must restore the previous state.
    void tagItself()
    {
        const int before = document().steps().index();
        const bool isInStages = m_random->chance(40);
        if (isInStages)
            document().tagSources().tagInStages(m_random->between(1, 6),
                                                m_random->chance(50) ? StageMeasure::bytes : StageMeasure::nodes);
        else
            actions().fillIn->trigger();
        settle();
        const DocumentModel::Tags was = m_expected->now();
        if (document().steps().index() != before)
            m_expected->step(tagsOfDocument());
        if (isInStages)
            QVERIFY2(m_expected->isLegal(), qPrintable(m_said));
        else
            for (const auto& [node, tag] : was.tagOf)
                QCOMPARE(m_expected->now().tagOf.at(node), tag);
        note(isInStages ? "stages" : "fill in");
    }

    void split()
    {
        const std::size_t before = document().runs().list().size();
        actions().pass("split")->trigger();
        settle();
        for (const auto* box : m_window->findChildren<MessageDialog*>())
            delete box;
        QCOMPARE(document().runs().list().size() > before, m_expected->isLegal() && before < 20);
        if (m_expected->isLegal()) {
            m_expected->touch();
            QVERIFY(document().runs().isSplitCurrent());
            std::vector<std::string> parts; // one per tag, including empty ones, as in PyTorch
            for (const InternedString name : document().runs().shownSplit()->split.partNames)
                parts.push_back(name.str());
            QVERIFY(parts == m_expected->now().order);
        }
        note("split", m_expected->isLegal() ? "made" : "refused");
    }

    /// Saves the project to its file; sometimes opens it again.
    void save()
    {
        actions().save->trigger();
        settle();
        const Result<ProjectFile> file = readProjectFile(m_project.toStdString());
        QVERIFY(file.has_value());
        DocumentModel::Tags saved;
        for (const ProjectTag& tag : file->tags) {
            saved.order.push_back(tag.name.str());
            for (const InternedString node : tag.nodes)
                saved.tagOf.emplace(node.str(), tag.name.str());
        }
        QVERIFY(saved == m_expected->now());
        QCOMPARE(file->runs.size(), document().runs().list().size());
        m_expected->save();
        note("save");
        if (m_random->chance(25))
            openAgain();
    }

    void openAgain()
    {
        const std::size_t runs = document().runs().list().size();
        const SnapshotPtr before = document().snapshot();
        m_window->openModel(m_project);
        QTRY_VERIFY(!document().isOf(before) && document().isOpen());
        settle();
        QCOMPARE(document().runs().list().size(), runs); // rebuilt
        m_expected->begin(m_expected->now());
        note("open");
    }

    // Comparison ------------------------------------------------------------------------------------
};

const test::Registered<RandomActionsTest> randomActionsTest("random_actions_test");
#include "random_actions_test.moc"
