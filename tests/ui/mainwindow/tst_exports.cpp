#include "mainwindow/exports.h"

#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "inspector/histogram.h"
#include "shardview/shard_page.h"
#include "support/file_dialog.h"
#include "support/qt_warnings.h"
#include "support/run_desk.h"
#include "support/test_program.h"
#include "timeline/timeline_view.h"
#include "trace/chrome_trace.h"

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <cmath>

using namespace pipescope;
using inspector::Histogram;

namespace {

/// With all canvases drawn.
struct ExportsDesk : tests::RunDesk
{
    const graphview::GraphCanvas &graph = *find<graphview::GraphCanvas>("graphCanvas");
    const graphview::SplitGutter &order = *find<graphview::SplitGutter>("gutter");
    const timeline::TimelineView &timeline = *window.findChild<timeline::TimelineView *>();
    /// Of the two stages.
    const QList<QColor> stages{window.theme().colour(StageId{0}), window.theme().colour(StageId{1})};

    ExportsDesk() { QTRY_VERIFY(graph.picture() != nullptr); }
    [[nodiscard]] QString path(const char *name) const { return folder.filePath(QString::fromLatin1(name)); }
    /// What the file holds after it was chosen in the dialog of an action of the menu.
    [[nodiscard]] QByteArray exported(const char *action, const char *name) const
    {
        tests::chooseFile(path(name));
        trigger(action);
        return content(name);
    }
    [[nodiscard]] QByteArray content(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

/// Without its patterns, which Qt writes and (before 6.7) does not read: each must be there.
QByteArray withoutPatterns(QByteArray svg)
{
    static const QRegularExpression used(QStringLiteral("url\\(#(fillpattern[^)]*)\\)"));
    for (auto found = used.globalMatch(svg); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        if (!svg.contains("<pattern id=\"" + match.captured(1).toLatin1() + '"'))
            return {};
        svg.replace(match.captured(0).toLatin1(), "none");
    }
    return svg;
}

/// As other programs show it, a pixel for each of its units; null where it is no SVG.
QImage drawn(const QByteArray &svg)
{
    QSvgRenderer renderer(withoutPatterns(svg));
    if (!renderer.isValid())
        return {};
    QImage image(renderer.viewBox().size(), QImage::Format_RGB32);
    image.fill(Qt::magenta); // which nothing has
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QSet<QRgb> coloursOf(const QImage &image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    return colours;
}

/// That all of these were painted, and a ground under them.
void verifyPainted(const QImage &image, const QList<QColor> &colours)
{
    const QSet<QRgb> found = coloursOf(image);
    for (const QColor &colour : colours)
        QVERIFY2(found.contains(colour.rgb()), qPrintable(colour.name()));
    QVERIFY2(found.size() > 2, qPrintable(QString::number(found.size())));
    QVERIFY(!found.contains(QColor(Qt::magenta).rgb()));
}

void verifyPicture(const QImage &image, const QSize &size, const QList<QColor> &colours)
{
    QCOMPARE(image.size(), size);
    verifyPainted(image, colours);
}

/// An SVG of this size and a PNG of twice it.
void verifyPictures(const QByteArray &svg, const QByteArray &png, const QSize &size, const QList<QColor> &colours)
{
    verifyPicture(drawn(svg), size, colours);
    verifyPicture(QImage::fromData(png, "PNG"), 2 * size, colours);
}

QSize sizeOf(const widgets::Drawable &drawing)
{
    return {static_cast<int>(std::ceil(drawing.drawnSize().width())),
            static_cast<int>(std::ceil(drawing.drawnSize().height()))};
}

} // namespace

/// File > Export, and what other programs then read.
class TestExports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theGraphIsAPictureOfItsStages()
    {
        const ExportsDesk desk;
        const QByteArray svg = desk.exported("exportGraph", "graph.svg");
        for (const char *name : {"layers.0", "layers.1"})
            QVERIFY2(svg.contains(name), name);
        verifyPictures(svg, desk.exported("exportGraph", "graph.png"), sizeOf(desk.graph), desk.stages);
    }

    void theProgramOrderIsAPictureOfAllRowsAndTheSplit()
    {
        const ExportsDesk desk;
        const QByteArray svg = desk.exported("exportOrder", "order.svg");
        for (const char *name : {"layers.0", "layers.1", "split 1"})
            QVERIFY2(svg.contains(name), name);
        verifyPictures(svg, desk.exported("exportOrder", "order.png"), sizeOf(desk.order), desk.stages);
    }

    void theTimelineIsAPictureOfTheRun()
    {
        const ExportsDesk desk;
        const QByteArray svg = desk.exported("exportTimeline", "timeline.svg");
        for (const char *name : {"rank 0", "rank 1"})
            QVERIFY2(svg.contains(name), name);
        verifyPictures(svg, desk.exported("exportTimeline", "timeline.png"), sizeOf(desk.timeline), desk.stages);
    }

    void theShardsAreAPictureOfBothLayouts()
    {
        const ExportsDesk desk;
        auto &page = *desk.window.findChild<shardview::ShardPage *>();
        QVERIFY(!desk.action("exportShards").isEnabled());
        desk.trigger("showShards");
        const QByteArray svg = desk.exported("exportShards", "shards.svg");
        for (const char *name : {"Before: S(0) over dp, P(sum) over tp", "reduce-scatter"})
            QVERIFY2(svg.contains(name), name);
        QList<QColor> ranks;
        for (int rank = 0; rank < 8; ++rank)
            ranks << style::Theme::dark().colour(RankId{rank});
        verifyPictures(svg, desk.exported("exportShards", "shards.png"), sizeOf(page.picture()), ranks);
    }

    void theHistogramIsAPictureOfItsBars()
    {
        ExportsDesk desk;
        desk.lookInside();
        const auto &histogram = *desk.find<Histogram>("histogram");
        const QList<QColor> bars{histogram.palette().color(QPalette::Link)};
        histogram.findChild<QAction *>("exportSvg")->trigger();
        tests::exportTo(histogram, desk.path("bars.svg"));
        verifyPicture(drawn(desk.content("bars.svg")), histogram.size(), bars);
        QTRY_VERIFY(histogram.findChild<QFileDialog *>("exportDialog") == nullptr);
        histogram.findChild<QAction *>("exportPng")->trigger();
        tests::exportTo(histogram, desk.path("bars.png"));
        verifyPicture(QImage::fromData(desk.content("bars.png"), "PNG"), 2 * histogram.size(), bars);
    }

    void theLastTraceIsWrittenAsItWasRecorded()
    {
        const ExportsDesk desk;
        const auto read = trace::parseChromeJson(desk.exported("exportTrace", "trace.json").toStdString());
        QVERIFY(read);
        QVERIFY(*read == tests::twoRanksTrace().build());
    }

    void theCurrentTableIsWritten()
    {
        const ExportsDesk desk;
        desk.trigger("showTimeline");
        desk.find<QWidget>("actions")->setFocus();
        const QList<QByteArray> lines = desk.exported("exportTable", "actions.csv").split('\n');
        QVERIFY2(lines.first().contains("stage"), lines.first().constData());
        QCOMPARE(lines.size(), 1 + 4 + 1); // the headers, four computations, the end
    }

    void whatCannotBeWrittenIsToldAndADialogGivenUpIsNot()
    {
        const ExportsDesk desk;
        QCOMPARE(desk.exported("exportGraph", "graph.gif"), QByteArray());
        QVERIFY2(desk.notice().contains("graph.gif") && desk.notice().contains(".svg"), qPrintable(desk.notice()));
        desk.find<mainwindow::NoticeArea>("notices")->remove("error");
        QTimer::singleShot(0, qApp, [] { qobject_cast<QFileDialog *>(QApplication::activeModalWidget())->reject(); });
        desk.trigger("exportTimeline");
        QCOMPARE(desk.notice(), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestExports)
#include "tst_exports.moc"
