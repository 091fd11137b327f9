#include "canvas/picture_notes.h"

#include "canvas/picture_export.h"
#include "synthetic_picture.h"
#include "test_case.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

/// Notes at ops: line breaks, placement, and their presence in exported pictures.
class PictureNotesTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        test::Sketch sketch;
        m_op = sketch.op({0, 0, 120, 40}, {}, "add", "add", "8");
        m_other = sketch.op({0, 100, 120, 40}, {}, "relu", "relu", "8");
        m_picture = sketch.finish({120, 140});
        m_style = {};
    }

    void textIsBrokenIntoLines()
    {
        QCOMPARE(note("one").lines, QStringList{"one"});
        QCOMPARE(note("one\ntwo").lines, (QStringList{"one", "two"}));
        const PictureNote words = note("cut the model here, because the part after this op fits on one device");
        QVERIFY(words.lines.size() > 1);
        QCOMPARE(words.lines.join(' '), QString("cut the model here, because the part after this op fits on one device"));
        const PictureNote longWord = note(QString(200, u'm'));
        QVERIFY(longWord.lines.size() > 2);
        QVERIFY(longWord.size.width() < 220);
        const PictureNote endless = note(QString("line\n").repeated(500));
        QVERIFY(endless.lines.size() < 20);
        QVERIFY(endless.lines.back().endsWith(QChar(0x2026)));
        QVERIFY(note("").lines.size() <= 1);
    }

    void notesStandBesideTheirOps()
    {
        m_style.notes = {note("first"), pictureNote(node(m_other), "second", {10, 5})};
        const std::vector<PlacedNote> placed = place(1);
        QCOMPARE(placed.size(), 2U);
        QCOMPARE(placed[0].item, m_op);
        QCOMPARE(placed[0].rect.topLeft(), QPointF(150, -10));
        QCOMPARE(placed[1].rect.topLeft(), QPointF(130, 105));
        QVERIFY(!placed[0].isSign);
        QVERIFY(place(0.4)[0].isSign); // too small to be readable
        m_picture.itemOf[node(m_op).index()] = ItemId();
        QCOMPARE(place(1).size(), 1U); // its op is not shown
    }

    void severalNotesOfOneBoxStandBelowEachOther()
    {
        m_picture.itemOf[node(m_other).index()] = m_op; // for example, both are in one closed module
        m_style.notes = {note("first"), pictureNote(node(m_other), "second", {30, -10})};
        const std::vector<PlacedNote> placed = place(1);
        QVERIFY(!placed[0].rect.intersects(placed[1].rect));
    }

    void picturesHaveThem()
    {
        const auto exported = [this] {
            const QString path = m_folder.filePath("p.svg");
            const Result<void> done = exportPicture(test::sceneOf(m_picture), m_style, path.toStdString());
            QFile file(path);
            return done && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = exported();
        QVERIFY(!before.isEmpty());
        m_style.notes = {note("ask Kim")};
        const QByteArray after = exported();
        QVERIFY2(after.contains("ask Kim"), after.left(400).constData());
        const auto widthOf = [](const QByteArray& svg) {
            const qsizetype at = svg.indexOf("viewBox=\"") + 9;
            return svg.mid(at, svg.indexOf('"', at) - at).split(' ').value(2).toDouble();
        };
        QVERIFY(widthOf(after) > widthOf(before) + 20); // the note is next to the graph
    }

private:
    NodeId node(ItemId item) const { return m_picture.items[item.index()].node; }
    PictureNote note(const QString& text) const { return pictureNote(node(m_op), text, {30, -10}); }
    std::vector<PlacedNote> place(double zoom)
    {
        const PictureTables tables(m_picture);
        const PictureLooks looks(m_picture, tables, m_style);
        return placeNotes({.picture = m_picture,
                           .style = m_style,
                           .looks = looks,
                           .camera = Camera({}, zoom),
                           .view = QRectF(-200, -200, 1000, 1000)});
    }

    QTemporaryDir m_folder;
    ItemId m_op;
    ItemId m_other;
    Picture m_picture;
    PictureStyle m_style;
};

const test::Registered<PictureNotesTest> pictureNotesTest("picture_notes_test");
#include "picture_notes_test.moc"
