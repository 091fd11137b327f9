#include "canvas/cost_colors.h"
#include "canvas/palette.h"

#include "test_case.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>

#include <cmath>
#include <limits>

using namespace sunder;

namespace {

struct Linear {
    double r, g, b;
};

double toLinear(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Linear linearOf(const QColor& color)
{
    return {toLinear(color.redF()), toLinear(color.greenF()), toLinear(color.blueF())};
}

using Matrix = std::array<double, 9>;
constexpr Matrix kNormal = {1, 0, 0, 0, 1, 0, 0, 0, 1};
// Machado, Oliveira, Fernandes 2009, severity 1.
constexpr Matrix kProtan = {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998};
constexpr Matrix kDeutan = {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881};
constexpr Matrix kTritan = {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900};

Linear seenThrough(const Matrix& m, const Linear& c)
{
    const auto clamp = [](double v) { return std::clamp(v, 0.0, 1.0); };
    return {clamp(m[0] * c.r + m[1] * c.g + m[2] * c.b), clamp(m[3] * c.r + m[4] * c.g + m[5] * c.b),
            clamp(m[6] * c.r + m[7] * c.g + m[8] * c.b)};
}

struct Lab {
    double l, a, b;
};

Lab labOf(const Linear& c)
{
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c.r + 0.3575761 * c.g + 0.1804375 * c.b) / 0.95047);
    const double y = f(0.2126729 * c.r + 0.7151522 * c.g + 0.0721750 * c.b);
    const double z = f((0.0193339 * c.r + 0.1191920 * c.g + 0.9503041 * c.b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Hue in Ottosson's OKLCh, in degrees.
double hueOf(const Linear& c)
{
    const double l = std::cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    const double m = std::cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    const double s = std::cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    const double a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    const double b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    return std::atan2(b, a) * 180 / M_PI;
}

double degrees(double radians)
{
    const double d = radians * 180 / M_PI;
    return d < 0 ? d + 360 : d;
}

/// Sharma, Wu, Dalal 2005.
double deltaE2000(const Lab& p, const Lab& q)
{
    const double meanC = (std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2;
    const double c7 = std::pow(meanC, 7);
    const double g = 0.5 * (1 - std::sqrt(c7 / (c7 + std::pow(25.0, 7))));
    const double a1 = p.a * (1 + g);
    const double a2 = q.a * (1 + g);
    const double c1 = std::hypot(a1, p.b);
    const double c2 = std::hypot(a2, q.b);
    const double h1 = degrees(std::atan2(p.b, a1));
    const double h2 = degrees(std::atan2(q.b, a2));
    double dh = h2 - h1;
    if (dh > 180)
        dh -= 360;
    else if (dh < -180)
        dh += 360;
    const double dL = q.l - p.l;
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * M_PI / 180);
    const double l = (p.l + q.l) / 2;
    const double c = (c1 + c2) / 2;
    double h = (h1 + h2) / 2;
    if (std::abs(h1 - h2) > 180)
        h += h < 180 ? 180 : -180;
    const auto cosd = [](double d) { return std::cos(d * M_PI / 180); };
    const double t = 1 - 0.17 * cosd(h - 30) + 0.24 * cosd(2 * h) + 0.32 * cosd(3 * h + 6) - 0.20 * cosd(4 * h - 63);
    const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sc = 1 + 0.045 * c;
    const double sh = 1 + 0.015 * c * t;
    const double cc7 = std::pow(c, 7);
    const double rotation = -2 * std::sqrt(cc7 / (cc7 + std::pow(25.0, 7)))
        * std::sin(60 * std::exp(-std::pow((h - 275) / 25, 2)) * M_PI / 180);
    return std::sqrt(std::pow(dL / sl, 2) + std::pow(dC / sc, 2) + std::pow(dH / sh, 2) + rotation * dC / sc * dH / sh);
}

/// All backgrounds of text in the theme's own colors, except frames.
std::vector<QColor> groundsOf(const Theme& t)
{
    std::vector<QColor> grounds{t.window, t.panel, t.canvas, t.soft, t.node, selectedRow(t)};
    for (const QColor& tag : t.tags)
        grounds.push_back(activeRow(t, tag));
    return grounds;
}

QString said(const QColor& color, const QColor& ground)
{
    return QStringLiteral("%1 on %2: %3").arg(color.name(), ground.name()).arg(contrast(color, ground));
}

} // namespace

class PaletteTest : public QObject {
    Q_OBJECT

private slots:
    void looks_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textReadsOnEveryGround_data() { looks_data(); }
    void textReadsOnEveryGround()
    {
        QFETCH(bool, dark);
        const Theme& t = theme(dark);
        for (const QColor& ground : groundsOf(t))
            for (const QColor& color : {t.text, t.dim, t.error, t.warning, t.proven})
                QVERIFY2(contrast(color, ground) >= 4.5, qPrintable(said(color, ground)));
        for (std::uint32_t depth = 0; depth < 8; ++depth)
            for (const QColor& color : {t.text, t.dim})
                QVERIFY2(contrast(readable(color, frameGround(t, depth)), frameGround(t, depth)) >= 4.5,
                         qPrintable(said(color, frameGround(t, depth))));
        for (const QColor& ground : groundsOf(t))
            QVERIFY(contrast(readable(t.selection, ground), ground) >= 4.5);
    }

    void edgesAreSeenOnEveryGround_data() { looks_data(); }
    void edgesAreSeenOnEveryGround()
    {
        QFETCH(bool, dark);
        const Theme& t = theme(dark);
        QVERIFY(contrast(t.edge, t.canvas) >= 3);
        QVERIFY(contrast(cutEdgeColor(t), t.canvas) >= 3);
        for (std::uint32_t depth = 0; depth < 8; ++depth)
            for (const QColor& color : {t.edge, t.error, t.producer, t.consumer})
                QVERIFY2(contrast(color, frameGround(t, depth)) >= 3, qPrintable(said(color, frameGround(t, depth))));
    }

    void tagTextAndMarksRead_data() { looks_data(); }
    void tagTextAndMarksRead()
    {
        QFETCH(bool, dark);
        const Theme& t = theme(dark);
        for (std::size_t i = 0; i < 40; ++i) {
            const TagStyle style = tagStyle(t, i);
            QVERIFY(contrast(style.color, t.canvas) >= 3);
            QVERIFY(contrast(style.text, style.tint) >= 4.5);
            QVERIFY(contrast(style.dim, style.tint) >= 4.5);
            QVERIFY(contrast(t.text, style.tint) >= 4.5);
        }
        QVERIFY(contrast(t.producer, t.canvas) >= 3);
        QVERIFY(contrast(t.consumer, t.canvas) >= 3);
        QVERIFY(contrast(t.error, t.canvas) >= 3);
    }

    void anyColorOfATagIsMadeReadable()
    {
        for (const bool dark : {false, true})
            for (const QColor& color : {QColor(Qt::yellow), QColor(Qt::white), QColor(Qt::black), QColor(0x777777)}) {
                const TagStyle style = tagStyle(theme(dark), color);
                QVERIFY(contrast(style.text, style.tint) >= 4.5);
            }
    }

    void tagsStayApartForEveryEye_data() { looks_data(); }
    void tagsStayApartForEveryEye()
    {
        QFETCH(bool, dark);
        std::vector<QColor> colors(theme(dark).tags.begin(), theme(dark).tags.end());
        colors.push_back(theme(dark).error);
        double worst = std::numeric_limits<double>::max();
        for (const Matrix& eye : {kNormal, kProtan, kDeutan, kTritan})
            for (std::size_t i = 0; i < colors.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    worst = std::min(
                        worst,
                        deltaE2000(labOf(seenThrough(eye, linearOf(colors[i]))), labOf(seenThrough(eye, linearOf(colors[k])))));
        QVERIFY2(worst >= 12, qPrintable(QString::number(worst)));
    }

    void aTagHasOneHueInBothThemes()
    {
        constexpr double kAlike = 10; // degrees; the closest two hues of the palette are 13 apart
        for (std::size_t i = 0; i < theme(false).tags.size(); ++i) {
            const QColor& light = theme(false).tags[i];
            const QColor& dark = theme(true).tags[i];
            const double apart = std::abs(std::remainder(hueOf(linearOf(light)) - hueOf(linearOf(dark)), 360));
            QVERIFY2(apart <= kAlike,
                     qPrintable(QStringLiteral("%1 and %2: %3 degrees").arg(light.name(), dark.name()).arg(apart)));
        }
    }

    void costsAreReadWithoutColorVision_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void costsAreReadWithoutColorVision()
    {
        QFETCH(bool, dark);
        const Theme& t = theme(dark);
        constexpr int kSteps = 20;
        for (const Matrix& eye : {kNormal, kProtan, kDeutan, kTritan}) {
            double last = labOf(seenThrough(eye, linearOf(costColor(t, 0)))).l;
            for (int i = 1; i <= kSteps; ++i) {
                const double now = labOf(seenThrough(eye, linearOf(costColor(t, static_cast<double>(i) / kSteps)))).l;
                QVERIFY2(dark ? now > last + 1 : now < last - 1,
                         qPrintable(QStringLiteral("step %1: %2, %3").arg(i).arg(last).arg(now)));
                last = now;
            }
        }
        for (int i = 0; i <= kSteps; ++i) {
            const QColor fill = costColor(t, static_cast<double>(i) / kSteps);
            QVERIFY(contrast(readable(t.text, fill), fill) >= 4.5);
        }
        QVERIFY(contrast(costColor(t, 1), t.canvas) >= 3);
    }

    void hueComesBackWithAPattern()
    {
        const Theme& t = theme(false);
        QCOMPARE(tagStyle(t, 3).pattern, TagPattern::solid);
        QCOMPARE(tagStyle(t, 11).color, tagStyle(t, 3).color);
        QVERIFY(tagStyle(t, 11).pattern != TagPattern::solid);
        QVERIFY(tagStyle(t, 11).pattern != tagStyle(t, 19).pattern);
    }

    void patternsAreTheirColorInSvg()
    {
        const TagStyle style = tagStyle(theme(false), theme(false).tags.size());
        QVERIFY(style.pattern != TagPattern::solid);
        QBuffer written;
        QSvgGenerator svg;
        svg.setOutputDevice(&written);
        QPainter painter(&svg);
        painter.fillRect(QRect(0, 0, 9, 9), tagBrush(style, theme(false), painter));
        painter.end();
        QVERIFY2(written.data().contains("fill=\"" + style.color.name().toLatin1() + '"'), written.data().constData());
    }

    void codesAreShortAndUnique()
    {
        QCOMPARE(tagCode("stage 1"), "S1");
        QCOMPARE(tagCode("encoder_body"), "EB");
        QCOMPARE(tagCode("a"), "A");
        QCOMPARE(tagCode(""), "?");
        QCOMPARE(tagCode("submod_0"), "P0"); // of a partition, and of the tags that it becomes
        QCOMPARE(tagCode("submod_12"), "P12");
        QCOMPARE(tagCode("submod_stage0"), "SS0");
        QCOMPARE(tagCodes({"stage0", "stage1", "stage1_backward", "stage0_backward"}), (QStringList{"S0", "S1", "S1B", "S0B"}));
        const QStringList codes = tagCodes({"stage 1", "side 1", "s1", "front", "first"});
        QCOMPARE(QSet<QString>(codes.begin(), codes.end()).size(), 5);
        QCOMPARE(codes.front(), "S1");
    }
};

const test::Registered<PaletteTest> paletteTest("palette_test");
#include "palette_test.moc"
