#include "widgets/export.h"

#include "support/as_other_user.h"
#include "support/full_disk.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/drawable.h"

#include <QColor>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/stat.h>

using namespace pipescope;
using namespace pipescope::widgets;

namespace {

constexpr auto Ground = Qt::yellow;

class Square : public Drawable
{
public:
    explicit Square(const QSizeF &size)
        : m_size(size)
    {
    }
    [[nodiscard]] QSizeF drawnSize() const override { return m_size; }
    void draw(QPainter &painter) const override
    {
        painter.fillRect(QRectF(QPointF(), m_size), Ground);
        painter.drawText(QPointF(10, 20), "stage 0");
    }
    [[nodiscard]] QString drawnName() const override { return "decoder <graph>"; }

private:
    QSizeF m_size;
};

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::unique_ptr<QStandardItemModel> table(const QList<QStringList> &rows)
{
    auto model = std::make_unique<QStandardItemModel>();
    model->setHorizontalHeaderLabels({"name", "time, each"});
    for (const QStringList &cells : rows) {
        QList<QStandardItem *> items;
        for (const QString &cell : cells)
            items += new QStandardItem(cell); // the model's from here on
        model->appendRow(items);
    }
    return model;
}

} // namespace

class TestExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void anSvgHasItsTitleAndViewBox()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("picture.svg");
        QVERIFY(saveDrawing(Square({120.5, 40}), path));
        QXmlStreamReader xml(contents(path));
        QString viewBox;
        QString title;
        bool hasText = false;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (xml.name() == u"svg")
                viewBox = xml.attributes().value("viewBox").toString();
            else if (xml.name() == u"title")
                title = xml.readElementText();
            else if (xml.name() == u"text")
                hasText = xml.readElementText().contains("stage 0");
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(viewBox, QString("0 0 121 40"));
        QCOMPARE(title, QString("decoder graph")); // markup in a name stays out of the file
        QVERIFY(hasText);
    }

    void aPngHasTwoPixelsForEachOfTheWindow()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("picture.PNG");
        QVERIFY(saveDrawing(Square({120, 40}), path));
        const QImage read(path);
        QCOMPARE(read.size(), QSize(240, 80));
        QCOMPARE(read.pixelColor(239, 79), QColor(Ground));
        QCOMPARE(read.text("Title"), QString("decoder <graph>"));
    }

    void whatIsTooLargeForAPngIsRefusedWithTheWayOut()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("picture.png");
        for (const QSizeF &size : {QSizeF(20'000, 10), QSizeF(8'000, 8'000), QSizeF(1e8, 1e8)}) {
            const Status saved = saveDrawing(Square(size), path);
            QVERIFY(!saved);
            QCOMPARE(saved.error().code, ErrorCode::InvalidArgument);
            QVERIFY2(saved.error().message.find("SVG") != std::string::npos, saved.error().message.c_str());
        }
        QVERIFY(!QFile::exists(path));
        QVERIFY(saveDrawing(Square({20'000, 10}), folder.filePath("picture.svg")));
    }

    void nothingToDrawAnUnknownSuffixAndAMissingFolderAreToldApart()
    {
        const QTemporaryDir folder;
        QCOMPARE(saveDrawing(Square({}), folder.filePath("a.svg")).error().message,
                 std::string("There is nothing to draw yet."));
        const Status unknown = saveDrawing(Square({8, 8}), folder.filePath("a.gif"));
        QCOMPARE(unknown.error().code, ErrorCode::InvalidArgument);
        QVERIFY(unknown.error().message.find(".png") != std::string::npos);
        const Status missing = saveDrawing(Square({8, 8}), folder.filePath("none/a.svg"));
        QCOMPARE(missing.error().code, ErrorCode::WriteFailed);
        QCOMPARE(missing.error().where, folder.filePath("none/a.svg").toStdString());
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void aFullDiskOrAFolderThatMayNotBeWrittenLeavesWhatWasThere()
    {
        const QTemporaryDir folder;
        const auto model = table({{"a", "b"}});
        const auto save = [&](const QString &name) {
            const QString path = folder.filePath(name);
            return name == "a.csv" ? saveTable(*model, path) : saveDrawing(Square({120, 40}), path);
        };
        const QStringList names{"a.csv", "a.png", "a.svg"};
        for (const QString &name : names) {
            QFile old(folder.filePath(name));
            QVERIFY(old.open(QIODevice::WriteOnly));
            old.write("old");
        }
        for (const QString &name : names) {
            std::optional<tests::FullDisk> full(std::in_place);
            Status saved = save(name);
            full.reset();
            QVERIFY2(!saved, qPrintable(name));
            QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
            QVERIFY2(saved.error().message.ends_with(std::strerror(EFBIG)), saved.error().message.c_str());
            const tests::AsOtherUser user(folder.path().toStdString());
            QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner);
            saved = save(name);
            QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            QVERIFY2(!saved, qPrintable(name));
            QVERIFY2(saved.error().message.ends_with(std::strerror(EACCES)), saved.error().message.c_str());
        }
        for (const QString &name : names)
            QCOMPARE(contents(folder.filePath(name)), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), names);
    }

    void whatIsNoFileIsNotReplacedByOne()
    {
        const QTemporaryDir folder;
        const QString pipe = folder.filePath("pipe.csv");
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        const Status saved = saveTable(*table({}), pipe);
        QVERIFY(!saved);
        QVERIFY2(saved.error().message.ends_with("it is not a regular file"), saved.error().message.c_str());
        QVERIFY(!QFileInfo(pipe).isFile());
    }

    void aTableIsCommaSeparatedAsTheStandardHasIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("table.csv");
        const auto model = table({{"say \"hi\"", "1.5 µs"}, {"two\nlines", "plain"}, {"a,b", ""}});
        QVERIFY(saveTable(*model, path));
        QCOMPARE(contents(path), QByteArray("name,\"time, each\"\r\n"
                                            "\"say \"\"hi\"\"\",1.5 µs\r\n"
                                            "\"two\nlines\",plain\r\n"
                                            "\"a,b\",\r\n"));
        QCOMPARE(saveTable(*model, folder.filePath("none/table.csv")).error().code, ErrorCode::WriteFailed);
    }

    void noCellBecomesAFormulaOfASpreadsheet()
    {
        const auto model = table({{"=cmd|' /C calc'!A0", "-1.5e-3"}, {"@x.pt", "+2"}, {"-x", "−3.91"}});
        QCOMPARE(csvOf(*model), QString("name,\"time, each\"\r\n"
                                        "'=cmd|' /C calc'!A0,-1.5e-3\r\n"
                                        "'@x.pt,+2\r\n"
                                        "'-x,-3.91\r\n")); // as programs read it
    }

    void numbersAreWrittenAsProgramsReadThem()
    {
        const auto model = table({{"a\u202fb", QStringLiteral("\u22121\u202f234\u202f567.5")}});
        QCOMPARE(csvOf(*model).section("\r\n", 1, 1), QStringLiteral("a\u202fb,-1234567.5"));
        QCOMPARE(tsvOf(*model, {0}), QStringLiteral("a\u202fb\t-1234567.5"));
    }

    void rowsToPasteHaveTheirCellsApartByTabs()
    {
        const auto model = table({{"a\tb", "1"}, {"c", "2"}, {"two\nlines", "3"}});
        QCOMPARE(tsvOf(*model, {0, 2}), QString("a b\t1\ntwo lines\t3"));
        QCOMPARE(tsvOf(*model, {}), QString());
    }
};

PIPESCOPE_WIDGET_TEST(TestExport)
#include "tst_export.moc"
