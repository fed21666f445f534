#include "plan/devices.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using plan::devicesText;
using plan::parseDevices;
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

    void bracketsMakeAListOfOneDevice()
    {
        QCOMPARE(*parseDevices("[cpu:2]"), Devices{"cpu:2"});
        QCOMPARE(*parseDevices(" [cpu:0, cpu:2] "), (Devices{"cpu:0", "cpu:2"}));
    }

    void theTextReadsBackTheSame_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Devices>("devices");
        QTest::newRow("the number is open") << "cpu" << Devices{};
        QTest::newRow("the first one") << "cpu:1" << Devices{"cpu:0"};
        QTest::newRow("two") << "cpu:2" << Devices{"cpu:0", "cpu:1"};
        QTest::newRow("another one") << "[cpu:2]" << Devices{"cpu:2"};
        QTest::newRow("another order") << "cpu:1, cpu:0" << Devices{"cpu:1", "cpu:0"};
        QTest::newRow("with a gap") << "cpu:0, cpu:2" << Devices{"cpu:0", "cpu:2"};
        QTest::newRow("as many as can be") << "cpu:1024" << plan::cpuDevices(1024);
    }

    void theTextReadsBackTheSame()
    {
        QFETCH(QString, text);
        QFETCH(Devices, devices);
        QCOMPARE(QString::fromStdString(devicesText(devices)), text);
        QCOMPARE(*parseDevices(text.toStdString()), devices);
    }

    void whatAPlanFileSaysThatIsNoDeviceHasATextToo()
    {
        QCOMPARE(devicesText({"gpu"}), std::string("[gpu]"));
        QCOMPARE(devicesText({"gpu", ""}), std::string("gpu, "));
    }

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
        QTest::newRow("an empty list")
            << "[]"
            << "'' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("a list that does not end")
            << "[cpu:0"
            << "'[cpu:0' is no device; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1";
        QTest::newRow("one for two ranks")
            << "cpu:0,cpu:1,cpu:0"
            << "cpu:0 is given to rank 0 and to rank 2; each rank needs a device of its own";
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

PIPESCOPE_TEST(TestDevices)
#include "tst_devices.moc"
