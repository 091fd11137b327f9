#include "canvas/web_page.h"

#include "../../core/layout/picture_checks.h"
#include "canvas/picture_notes.h"
#include "layout/picture/first_sight.h"
#include "test_case.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// A model, and everything that its page needs.
struct Content {
    explicit Content(Program of) : program(std::move(of))
    {
        PictureOptions options{.textWidth = pictureTextWidth(), .columns = {ColumnOptions::Setting::fit, {1600, 1000}}};
        Result<FirstSight> first = firstSight(program, program.root, options, *engine);
        options.open = first->open;
        options.closed = first->closed;
        bodies = *pictureBodies(program, program.root, std::make_shared<const Picture>(std::move(first->picture)), options,
                                *engine);
        tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    }

    std::string page(const QString& title = "model.pt2")
    {
        const TagReport report = checkTags(program, tags);
        style.tags.clear();
        const std::vector<PictureNote> notes = style.notes;
        style = pictureStyle(program, tags, &report, theme(false));
        style.notes = notes;
        const Result<std::string> made = webPage({.title = title,
                                                  .program = program,
                                                  .graph = program.rootGraph(),
                                                  .bodies = bodies,
                                                  .style = style,
                                                  .groups = "Tags",
                                                  .cut = tags.order.empty() ? nullptr : &tags},
                                                 *engine, ProgressMonitor::none());
        return made ? *made : std::string();
    }

    std::unique_ptr<LayoutEngine> engine = makeLayeredEngine();
    Program program;
    PictureBodies bodies;
    TagAssignment tags;
    PictureStyle style;
};

QJsonObject dataOf(const std::string& page)
{
    const QByteArray bytes = QByteArray::fromStdString(page);
    const QByteArray begin = "id=\"data\">";
    const qsizetype at = bytes.indexOf(begin) + begin.size();
    return QJsonDocument::fromJson(bytes.mid(at, bytes.indexOf("</script>", at) - at)).object();
}

} // namespace

class WebPageTest final : public QObject {
    Q_OBJECT
private slots:
    void aPageOf2000OpsIsSmall()
    {
        const std::string page = Content(programFromText(decoder(500))).page();
        QVERIFY(page.size() > 100'000);
        QVERIFY2(page.size() <= 2'000'000, std::to_string(page.size()).c_str());
    }

    void aPageIsTheSameEveryTime()
    {
        QVERIFY(Content(programFromText(decoder(20))).page() == Content(programFromText(decoder(20))).page());
    }

    void aPageNeedsNothingElse()
    {
        QString page = QString::fromStdString(Content(programFromText(decoder(2))).page());
        QVERIFY(page.startsWith("<!doctype html>"));
        QVERIFY(page.contains("Content-Security-Policy\" content=\"default-src 'none';"));
        QVERIFY(!page.remove("http://www.w3.org/2000/svg").contains("://"));
        for (const char* word : {"src=", "href=", "@import", "url(\"", "innerHTML", "<!--"})
            QVERIFY2(!page.contains(word), word);
    }

    void namesCannotEndTheirText()
    {
        const std::string evil = "</script><img src=x onerror=alert(1)>\"'\n\x1b[31m<!--" + std::string(5000, 'x');
        Content content(programFromText(decoder(2)));
        content.tags.order = {intern(evil), intern("]]>")};
        int calls = 0;
        for (const NodeId node : content.program.rootGraph().nodes())
            if (content.program.rootGraph()[node].isCall())
                content.tags.tagOf[node.index()] = calls++ < 4 ? 0 : 1;
        content.style.notes = {pictureNote(*content.program.rootGraph().nodes().begin(), QString::fromStdString(evil), {})};
        const std::string page = content.page(QString::fromStdString(evil));
        const QByteArray bytes = QByteArray::fromStdString(page);
        QCOMPARE(bytes.count("</script"), 2);
        QVERIFY(!bytes.contains("<img"));
        QVERIFY(!bytes.contains('\x1b'));
        const QJsonObject data = dataOf(page);
        const QString shown = data["tags"].toArray()[0].toObject()["name"].toString();
        QVERIFY(shown.startsWith("</script><img src=x onerror=alert(1)>\"'\\n\\x1b[31m"));
        QCOMPARE(data["parts"].toArray()[0].toObject()["name"].toString(), shown);
    }

    void partsAreListedWithWhatCrosses()
    {
        Content content(programFromText(decoder(4)));
        content.tags.order = {intern("front"), intern("back")};
        int calls = 0;
        for (const NodeId node : content.program.rootGraph().nodes())
            if (content.program.rootGraph()[node].isCall())
                content.tags.tagOf[node.index()] = calls++ < 9 ? 0 : 1;
        const QJsonObject data = dataOf(content.page());
        QCOMPARE(data["parts"].toArray().size(), 2);
        QCOMPARE(data["parts"].toArray()[0].toObject()["ops"].toInt(), 9);
        QCOMPARE(data["dag"].toObject()["edges"].toArray().size(), 1);
        QCOMPARE(data["crossings"].toArray()[0].toObject()["values"].toArray().size(), 1);
        QVERIFY(data["legal"].toBool());
        std::ranges::reverse(content.tags.order);
        for (std::int32_t& tag : content.tags.tagOf)
            tag = tag < 0 ? tag : 1 - tag;
        const QJsonObject backward = dataOf(content.page());
        QVERIFY(!backward["legal"].toBool());
        QCOMPARE(backward["problems"].toArray()[0].toArray()[0].toString(), QString("error"));
    }
};

const test::Registered<WebPageTest> webPageTest("web_page_test");
#include "web_page_test.moc"
