#include "mainwindow/canvas_keys.h"

#include "support/qt_warnings.h"

#include <QFile>
#include <QtTest>

using namespace pipescope;

class TestCanvasKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theGuideListsTheSameKeysAsTheSheet()
    {
        QFile page(PIPESCOPE_SOURCE_DIR "/docs/guide/keys.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        QStringList inGuide;
        QString where;
        for (const QString &line : QString::fromUtf8(page.readAll()).split('\n')) {
            if (!line.startsWith("| ") || line.startsWith("| ---")) {
                if (line.isEmpty())
                    where.clear();
                continue;
            }
            const QStringList cells = line.split('|');
            if (where.isEmpty())
                where = cells[1].trimmed();
            else if (where != "everywhere")
                inGuide << where + ": " + cells[1].trimmed() + ": " + cells[2].trimmed();
        }
        QStringList inSheet;
        for (const actions::KeyRow &row : mainwindow::canvasKeys())
            inSheet << row.where + ": " + row.keys + ": " + row.what;
        QCOMPARE(inSheet, inGuide);
    }
};

QTEST_GUILESS_MAIN(TestCanvasKeys)
#include "tst_canvas_keys.moc"
