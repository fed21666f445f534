#include "engine/devices.h"

#include <QtTest>

using namespace pipescope;
using engine::parseDevices;
using Devices = std::vector<std::string>;

class TestDevices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNumberAloneCountsDevices()
    {
        QCOMPARE(*parseDevices("cpu:4"), (Devices{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}));
        QCOMPARE(*parseDevices(" cpu:1 "), (Devices{"cpu:0"}));
    }

    void aListNamesADeviceForEachRank()
    {
        QCOMPARE(*parseDevices("cpu:0, cpu:2"), (Devices{"cpu:0", "cpu:2"}));
        QCOMPARE(*parseDevices("cpu:0"), (Devices{"cpu:0"}));
    }

    void theKindAloneLeavesTheNumberOpen() { QCOMPARE(*parseDevices("cpu"), Devices{}); }

    void whatIsNoDeviceIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("nothing") << ""
                                 << "'' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("a number") << "4"
                                  << "'4' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("an empty item")
            << "cpu:0,"
            << "'' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("negative")
            << "cpu:-1"
            << "'cpu:-1' has no whole number after the colon; write cpu:4 for four CPU devices, or a list "
               "like cpu:0,cpu:1";
        QTest::newRow("too many")
            << "cpu:1025"
            << "'cpu:1025' is more than the 1024 devices there can be; write cpu:4 for four CPU devices, or "
               "a list like cpu:0,cpu:1";
        QTest::newRow("beyond int")
            << "cpu:99999999999"
            << "'cpu:99999999999' has no whole number after the colon; write cpu:4 for four CPU devices, "
               "or a list like cpu:0,cpu:1";
        QTest::newRow("no GPU") << "cuda:0"
                                << "'cuda:0': this build runs on CPU devices only";
    }

    void whatIsNoDeviceIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto devices = parseDevices(text.toStdString());
        QVERIFY(!devices);
        QCOMPARE(QString::fromStdString(devices.error().message), message);
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "tst_devices.moc"
