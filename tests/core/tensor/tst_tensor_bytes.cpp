// The corpus of the fuzz target of tensor files, as it is and damaged.
#include "fuzz/torch/tensor_bytes.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <random>

using namespace pipescope;

namespace {

QDir corpus()
{
    return {QStringLiteral(PIPESCOPE_SOURCE_DIR "/tests/fuzz/corpus/tensor_file")};
}

std::string bytesOf(const QString &name)
{
    QFile file(corpus().filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class TestTensorBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTorchSaveWritesIsRead_data()
    {
        QTest::addColumn<int>("tensors");
        QTest::addColumn<bool>("comesBack"); // what is quantized is not written
        QTest::newRow("tensor") << 1 << true;
        QTest::newRow("state_dict") << 2 << true;
        QTest::newRow("views") << 3 << true;
        QTest::newRow("parameter") << 1 << true;
        QTest::newRow("bools") << 1 << true;
        QTest::newRow("complex") << 1 << true;
        QTest::newRow("new_dtypes") << 2 << true;
        QTest::newRow("quantized") << 1 << false;
        QTest::newRow("per_channel") << 1 << false;
        QTest::newRow("nested") << 1 << true;
        QTest::newRow("dtype") << 0 << true;
        QTest::newRow("attributes") << 1 << true;
    }

    void whatTorchSaveWritesIsRead()
    {
        QFETCH(int, tensors);
        QFETCH(bool, comesBack);
        const tests::ReadBytes read = tests::readAsTensors(bytesOf(QTest::currentDataTag()));
        QCOMPARE(read.fault, std::string());
        QCOMPARE(read.refusal, std::string());
        QCOMPARE(static_cast<int>(read.read.size()), tensors);
        QCOMPARE(read.cameBack, comesBack);
    }

    void whatIsNoValueIsRefusedByName()
    {
        const tests::ReadBytes read = tests::readAsTensors(bytesOf("not_loaded"));
        QCOMPARE(read.fault, std::string());
        QVERIFY2(read.refusal.find("torch.nn.modules.linear.Linear") != std::string::npos, read.refusal.c_str());
    }

    /// All but the first: the storage has 64 bytes.
    void aTensorThatReachesBeyondItsStorageIsRefused_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<bool>("isRead");
        // Sizes [2, 3] and strides [3, 1], as a pickle has two small numbers.
        QTest::newRow("16 floats") << QByteArray("K\x02K\x03\x86") << QByteArray("K\x02K\x08\x86") << true;
        QTest::newRow("a row more") << QByteArray("K\x02K\x03\x86") << QByteArray("K\x06K\x03\x86") << false;
        QTest::newRow("wide strides") << QByteArray("K\x03K\x01\x86") << QByteArray("K\x0fK\x01\x86") << false;
    }

    void aTensorThatReachesBeyondItsStorageIsRefused()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(bool, isRead);
        QByteArray bytes = QByteArray::fromStdString(bytesOf("tensor"));
        QCOMPARE(bytes.count(from), 1);
        const tests::ReadBytes read = tests::readAsTensors(bytes.replace(from, to).toStdString());
        QCOMPARE(read.fault, std::string());
        QCOMPARE(read.refusal.empty(), isRead);
        if (!isRead)
            QVERIFY2(read.refusal.find("reaches beyond the data the file holds") != std::string::npos,
                     read.refusal.c_str());
    }

    void damagedBytesDoNoHarm()
    {
        std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same damage each time
        int refused = 0;
        int read = 0;
        for (const QString &name : corpus().entryList(QDir::Files)) {
            const std::string whole = bytesOf(name);
            QVERIFY(!whole.empty());
            for (int i = 0; i < 300; ++i) {
                std::string bytes = whole;
                for (unsigned change = random() % 4; change < 4; ++change)
                    bytes[random() % bytes.size()] = static_cast<char>(random());
                if (random() % 4 == 0)
                    bytes.resize(random() % bytes.size());
                const tests::ReadBytes found = tests::readAsTensors(bytes);
                QVERIFY2(found.fault.empty(), (name.toStdString() + ": " + found.fault).c_str());
                ++(found.refusal.empty() ? read : refused);
            }
        }
        QVERIFY2(refused > 1000 && read > 100, QByteArray::number(read).constData()); // both happen
    }
};

PIPESCOPE_TEST(TestTensorBytes)
#include "tst_tensor_bytes.moc"
