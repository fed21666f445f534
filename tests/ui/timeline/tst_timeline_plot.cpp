#include "timeline/timeline_plot.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QColor>
#include <QGuiApplication>
#include <QImage>
#include <QTest>
#include <QWidget>
#include <memory>

using namespace pipescope;
using namespace pipescope::timeline;

namespace {

/// A plot of two ranks that counts what it asks for.
struct Plotted
{
    ShownRuns runs = tests::shown(tests::twoRanks());
    int scenes = 0;
    int overlays = 0;
    TimelinePlot plot{{[this] {
                           ++scenes;
                           return scene();
                       },
                       [this] {
                           ++overlays;
                           return Overlay();
                       }}};
    std::unique_ptr<QWidget> widget{plot.widget()};

    Plotted()
    {
        widget->resize(1144, 128);
        plot.setTheme(style::Theme::dark());
        plot.resize();
        widget->show(); // one that is hidden is given its size anew whenever it is painted
        QCoreApplication::processEvents();
    }
    [[nodiscard]] Scene scene() const
    {
        LaneGeometry geometry;
        geometry.width = 1144;
        geometry.height = 128;
        geometry.lanes = 2;
        return {runs, style::Theme::dark(), geometry, {0, 1000, 1000}, QGuiApplication::font()};
    }
    QImage painted()
    {
        plot.plotChanges();
        return widget->grab().toImage();
    }
};

} // namespace

class TestTimelinePlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatThePointerChangesIsPlottedAlone()
    {
        Plotted plotted;
        (void)plotted.painted();
        plotted.scenes = plotted.overlays = 0;
        plotted.plot.changeLanes();
        (void)plotted.painted();
        QVERIFY(std::exchange(plotted.scenes, 0) > 1);
        QCOMPARE(std::exchange(plotted.overlays, 0), 1);
        (void)plotted.painted();
        QCOMPARE(plotted.scenes, 0);
        plotted.plot.changeOverlay();
        (void)plotted.painted();
        QCOMPARE(plotted.scenes, 1);
        QCOMPARE(plotted.overlays, 1);
    }

    void theRulerIsAnAxisOfTime()
    {
        Plotted plotted;
        const QImage image = plotted.painted();
        const QColor ground = style::Theme::dark().colour(style::Token::Canvas);
        const auto isWrittenAt = [&](int ns) {
            for (int y = 4; y < 24; ++y)
                for (int x = ns - 20; x < ns + 20; ++x)
                    if (image.pixelColor(144 + x, y) != ground)
                        return true;
            return false;
        };
        QVERIFY(isWrittenAt(200) && isWrittenAt(400));
        QVERIFY(!isWrittenAt(250));
        // Its grid stands below the lanes.
        QCOMPARE(image.pixelColor(144 + 800, 126), style::Theme::dark().colour(style::Token::Grid));
    }
};

PIPESCOPE_WIDGET_TEST(TestTimelinePlot)
#include "tst_timeline_plot.moc"
