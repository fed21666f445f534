#include "runtime/device.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using runtime::checkDevices;

class TestDevice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cpusAreDevicesOfTheirOwn()
    {
        QVERIFY(bool(checkDevices({"cpu:0"})));
        QVERIFY(bool(checkDevices({"cpu:3", "cpu:0", "cpu:10"})));
    }

    void aGpuIsRefusedWithTheReason()
    {
        const Status status = checkDevices({"cpu:0", "cuda:0"});
        QCOMPARE(status.error().code, ErrorCode::Unsupported);
        QCOMPARE(status.error().where, std::string("cuda:0"));
        QCOMPARE(status.error().message,
                 std::string("cuda:0: the GPU plug-in is not in this build; use cpu:0, cpu:1, ..."));
    }

    void whatIsNoDeviceIsRefused_data()
    {
        QTest::addColumn<QString>("device");
        for (const char *device :
             {"", "cpu", "cpu:", "cpu:-1", "cpu:01", "cpu:1x", "CPU:0", "cpu:99999", "gpu:0", ":0"})
            QTest::newRow(device) << device;
    }

    void whatIsNoDeviceIsRefused()
    {
        QFETCH(QString, device);
        const Status status = checkDevices({device.toStdString()});
        QCOMPARE(status.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(status.error().message,
                 "'" + device.toStdString() + "' is not a device; write cpu:0, cpu:1, ..., one for each rank");
    }

    void oneDeviceForTwoRanksIsRefused()
    {
        const Status status = checkDevices({"cpu:0", "cpu:1", "cpu:0"});
        QCOMPARE(status.error().message,
                 std::string("cpu:0 is given to rank 0 and to rank 2; each rank needs a device of its own"));
    }

    void noDeviceAtAllIsRefused()
    {
        QCOMPARE(checkDevices({}).error().message,
                 std::string("no device is given; give one for each rank: cpu:0, cpu:1, ..."));
    }
};

PIPESCOPE_TEST(TestDevice)
#include "tst_device.moc"
