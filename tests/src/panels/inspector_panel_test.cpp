#include "panels/inspector_panel.h"

#include "io/model_file.h"
#include "models/inspector_model.h"
#include "panel_fixture.h"
#include "patience.h"
#include "stored_tensor.h"
#include "test_case.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QShortcut>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include <cmath>

using namespace sunder;

/// Information about the selection, without the window.
class InspectorPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        m_panel = std::make_unique<InspectorPanel>(*m_document, m_jobs);
        m_panel->resize(400, 600);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void saysThatNothingIsSelected()
    {
        QVERIFY(!m_panel->view().isVisible());
        m_document->marks().select({node("b")});
        QVERIFY(m_panel->view().isVisible());
        m_document->marks().clear();
        QVERIFY(!m_panel->view().isVisible());
    }

    void leadsToTheNodesThatItNames()
    {
        m_document->marks().select({node("b")});
        QSignalSpy revealed(&m_document->marks(), &Marks::revealRequested);
        const QModelIndex input = lineWith("a", model().index(0, 0));
        QVERIFY(input.isValid());
        emit m_panel->view().activated(input);
        QCOMPARE(selected(), std::vector{node("a")});
        QCOMPARE(revealed.size(), 1);
    }

    void opensAndClosesALineThatLeadsNowhere()
    {
        m_document->marks().select({node("b")});
        QModelIndex group;
        for (int row = 0; row < model().rowCount() && !group.isValid(); ++row)
            if (model().rowCount(model().index(row, 0)) > 0)
                group = model().index(row, 0);
        QVERIFY(group.isValid());
        const bool isOpen = m_panel->view().isExpanded(group);
        emit m_panel->view().activated(group);
        QCOMPARE(m_panel->view().isExpanded(group), !isOpen);
        QCOMPARE(selected(), std::vector{node("b")});
    }

    void copiesTheValueOfALine()
    {
        m_document->marks().select({node("b")});
        const QModelIndex first = model().index(0, 0);
        m_panel->view().setCurrentIndex(first);
        for (QShortcut* key : m_panel->view().findChildren<QShortcut*>())
            if (key->key() == QKeySequence(QKeySequence::Copy))
                emit key->activated();
        QCOMPARE(QGuiApplication::clipboard()->text(), first.siblingAtColumn(1).data().toString());
        QVERIFY(!QGuiApplication::clipboard()->text().isEmpty());
    }

    void aTagUnfoldsToTheMemoryOfItsPart()
    {
        m_document->tagList().add("mine");
        m_document->painting().paint(std::array{node("a"), node("b")}, m_document->activeTag());
        m_document->marks().select({node("b")});
        m_panel->resize(264, 150); // the lines need to be scrolled
        m_panel->view().expand(keyed("tag"));
        const auto child = [this](const QString& key) -> const Property* {
            for (const Property& line : static_cast<const InspectorModel&>(model()).property(keyed("tag"))->children)
                if (line.key == key)
                    return &line;
            return nullptr;
        };
        QTRY_VERIFY(child("peak") != nullptr);
        QCOMPARE(child("peak")->value, QString("48 B at b")); // x, a, and b are there at once
        QCOMPARE(child("inputs")->value, QString("16 B"));
        QCOMPARE(child("over time")->bars, (QList<double>{2.0 / 3, 1.0}));
        QVERIFY2(child("over time")->tip.contains("48 B"), qPrintable(child("over time")->tip));
        QVERIFY(m_panel->view().isExpanded(keyed("tag")));
        const QRect last = m_panel->view().visualRect(model().index(model().rowCount(keyed("tag")) - 1, 0, keyed("tag")));
        QVERIFY(m_panel->view().viewport()->rect().contains(last.center()));
        QVERIFY(last.width() > QFontMetrics(m_panel->view().font()).horizontalAdvance("activations"));
        m_document->painting().paint(std::array{node("c")}, m_document->activeTag());
        m_panel->view().expand(keyed("tag"));
        QTRY_VERIFY(child("over time") != nullptr && child("over time")->bars.size() == 3);
        QModelIndex peak;
        for (int row = 0; row < model().rowCount(keyed("tag")); ++row)
            if (model().index(row, 0, keyed("tag")).data().toString() == "peak")
                peak = model().index(row, 0, keyed("tag"));
        emit m_panel->view().activated(peak);
        QCOMPARE(selected().size(), std::size_t{1}); // the op at the peak
    }

    void followsTheTags()
    {
        m_document->tagList().add("mine");
        m_document->marks().select({node("b")});
        const auto says = [this] { return lineWith("mine", model().index(0, 0)).isValid(); };
        QVERIFY(!says());
        m_document->painting().paint(std::array{node("b")}, m_document->activeTag());
        QVERIFY(says());
    }

    void aBoxWithItsWeightsIsOneOp()
    {
        openWeight("'dtype':'float32','shape':[2],'stride':[1],'offset':0", test::packed({1.F, 3.F}));
        QVERIFY(lineWith("aten.add.Tensor", model().index(0, 0)).isValid());
        const QModelIndex weight = lineWith("w", model().index(0, 0));
        QCOMPARE(weight.siblingAtColumn(0).data().toString(), QString("constant"));
        QVERIFY(lineWith("f32[2]", model().index(0, 0)).isValid());
        const QModelIndex other = lineWith("held", model().index(0, 0)); // an argument, shown with its name in the schema
        QCOMPARE(other.siblingAtColumn(0).data().toString(), QString("other"));
        m_document->marks().select({node("sum"), node("held")}); // as two separate nodes
        QVERIFY(!lineWith("aten.add.Tensor", model().index(0, 0)).isValid());
    }

    void openingAWeightReadsItsStatistics()
    {
        openWeight("'dtype':'float32','shape':[5],'stride':[1],'offset':0", test::packed({1.F, 3.F, 0.F, NAN, 0.F}));
        QVERIFY(!lineWith("min", model().index(0, 0), 0).isValid());
        m_panel->view().expand(lineWith("w", model().index(0, 0)).siblingAtColumn(0));
        QVERIFY(test::comes([this] { return valueOf("mean") == "1"; }));
        QCOMPARE(valueOf("min"), QString("0.0"));
        QCOMPARE(valueOf("max"), QString("3.0"));
        QCOMPARE(valueOf("std"), QString("1.22474"));
        QCOMPARE(valueOf("zeros"), QString("2 (40%)"));
        QCOMPARE(valueOf("NaN"), QString("1 (20%)"));
        QCOMPARE(valueOf("infinities"), QString("0"));
        const QModelIndex histogram = lineWith("values", model().index(0, 0), 0).siblingAtColumn(1);
        QCOMPARE(histogram.data(InspectorModel::kBarsRole).value<QList<double>>().size(), 32);
        QVERIFY(m_panel->view().isExpanded(lineWith("w", model().index(0, 0)).siblingAtColumn(0)));
        m_panel->view().setCurrentIndex(histogram);
        QVERIFY(!m_panel->grab().isNull());
    }

    void saysWhyAWeightHasNoStatistics()
    {
        openWeight("'dtype':'complex64','shape':[1],'stride':[1],'offset':0", test::packed({1.F, 3.F}));
        m_panel->view().expand(lineWith("w", model().index(0, 0)).siblingAtColumn(0));
        QVERIFY(test::comes([this] { return valueOf("statistics").contains("complex64"); }));
        const QModelIndex again = lineWith("Read again", model().index(0, 0));
        emit m_panel->view().clicked(again);
        QVERIFY(test::comes([this] { return valueOf("statistics").contains("complex64"); }));
    }

    void savesAWeightForNumpy()
    {
        openWeight("'dtype':'bfloat16','shape':[2],'stride':[1],'offset':0", test::packed<std::uint16_t>({1, 2}));
        const QString file = m_folder.filePath("saved.npy");
        QSignalSpy said(m_panel.get(), &InspectorPanel::message);
        QTimer::singleShot(0, m_panel.get(), [&file] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->selectFile(file);
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        });
        emit m_panel->view().clicked(lineWith("Save as .npy…", model().index(0, 0)));
        QVERIFY(test::comes([&said] { return said.size() == 1; }));
        QVERIFY2(said[0][0].toString().contains("NumPy has no bfloat16"), qPrintable(said[0][0].toString()));
        QCOMPARE(QFileInfo(file).size(), 132);
    }

private:
    /// Returns the first line with this key.
    QModelIndex keyed(const QString& key)
    {
        for (int row = 0; row < model().rowCount(); ++row)
            if (model().index(row, 0).data().toString() == key)
                return model().index(row, 0);
        return {};
    }

    /// A model whose op sum reads the weight w; selects both, as a click on the box of sum does.
    void openWeight(const std::string& meta, const std::string& bytes)
    {
        const std::string file = test::writeStoredTensor(m_folder.filePath("m").toStdString(), meta, bytes);
        Result<Program> program = readModel(file);
        QVERIFY(program.has_value());
        m_document->open(prepareModel(std::make_shared<const Snapshot>(std::move(*program))), QString::fromStdString(file));
        m_document->marks().select({node("sum"), node("held")}, {}, node("sum"));
    }

    QString valueOf(const QString& key) const
    {
        return lineWith(key, model().index(0, 0), 0).siblingAtColumn(1).data().toString();
    }

    QAbstractItemModel& model() const { return *m_panel->view().model(); }

    /// The first row with this value, or this key, at any depth.
    QModelIndex lineWith(const QString& value, const QModelIndex& from, int column = 1) const
    {
        const QModelIndexList lines = model().match(from.siblingAtColumn(column), Qt::DisplayRole, value, 1,
                                                    Qt::MatchExactly | Qt::MatchCaseSensitive | Qt::MatchRecursive);
        return lines.isEmpty() ? QModelIndex() : lines.front();
    }

    Jobs m_jobs;
    QTemporaryDir m_folder;
    std::unique_ptr<InspectorPanel> m_panel;
};

const test::Registered<InspectorPanelTest> inspectorPanelTest("inspector_panel_test");
#include "inspector_panel_test.moc"
