#include "core/archive/pickle_text.h"

#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using archive::PickleDialect;
using archive::PickleNode;

namespace {

std::string read(const std::string &bytes)
{
    return testing::readAsText(bytes, PickleDialect::TorchScript);
}

std::string bytes(std::string_view literal)
{
    return std::string(literal);
}

} // namespace

using namespace std::string_view_literals;

class TestPickleTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainValuesAreRead()
    {
        QCOMPARE(read(bytes("\x80\x02(N\x88\x89K\xffM\x01\x02J\xfe\xff\xff\xfft."sv)),
                 std::string("(None, True, False, 255, 513, -2)"));
        QCOMPARE(read(bytes("\x80\x02G\x3f\xf8\0\0\0\0\0\0."sv)), std::string("1.500000"));
        QCOMPARE(read(bytes("\x80\x02\x8a\x02\x00\xff."sv)), std::string("-256"));
        QCOMPARE(read(bytes("\x80\x02X\x03\0\0\0abc."sv)), std::string("'abc'"));
    }

    void containersAreRead()
    {
        QCOMPARE(read(bytes("\x80\x02](K\x01K\x02"
                            "e."sv)),
                 std::string("[1, 2]"));
        QCOMPARE(read(bytes("\x80\x02]K\x01\x61."sv)), std::string("[1]"));
        QCOMPARE(read(bytes("\x80\x02}(K\x01K\x02u."sv)), std::string("{1, 2}"));
        QCOMPARE(read(bytes("\x80\x02}K\x01K\x02s."sv)), std::string("{1, 2}"));
        QCOMPARE(read(bytes("\x80\x02K\x01K\x02K\x03\x87."sv)), std::string("(1, 2, 3)"));
    }

    void callsAndObjectsStayWhatTheyAre()
    {
        QCOMPARE(read(bytes("\x80\x02\x63os\nsystem\nX\x02\0\0\0rm\x85R."sv)), std::string("call<os.system, ('rm')>"));
        QCOMPARE(read(bytes("\x80\x02\x63__torch__\nM\n)\x81}b."sv)), std::string("object<__torch__.M, (), {}>"));
        QCOMPARE(read(bytes("\x80\x02K\x07Q."sv)), std::string("id<7>"));
    }

    void theMemoGivesTheSameNodeAgain()
    {
        const std::string pickle = bytes("\x80\x02]q\x05h\x05\x86."sv);
        const auto tree = archive::readPickle(pickle, "data.pkl", PickleDialect::TorchScript);
        QVERIFY(tree);
        const PickleNode &root = tree->node(tree->root);
        QCOMPARE(root.items.size(), std::size_t(2));
        QCOMPARE(root.items[0], root.items[1]);
    }

    void whatDoesNotAddUpIsNamedWithItsOffset_data()
    {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, std::string_view pickle, const char *message) {
            QTest::newRow(name) << QByteArray(pickle.data(), static_cast<int>(pickle.size())) << message;
        };
        row("empty", ""sv, "at byte 0, it ends in the middle of a value in data.pkl");
        row("no stop", "\x80\x02N"sv, "at byte 3, it ends in the middle of a value in data.pkl");
        row("nothing", "\x80\x02."sv, "at byte 2, a value is missing in data.pkl");
        row("opcode", "\x80\x02\xee."sv, "at byte 2, 0xee is not an opcode TorchScript uses in data.pkl");
        row("no mark", "\x80\x02t."sv, "at byte 2, a mark is missing in data.pkl");
        row("below mark", "\x80\x02N(R."sv, "at byte 4, a value is missing in data.pkl");
        row("length", "\x80\x02X\xff\xff\xff\x7f."sv, "at byte 2, it ends in the middle of a value in data.pkl");
        row("name", "\x80\x02\x63os\nsys"sv, "at byte 2, it ends in the middle of a name in data.pkl");
        row("memo", "\x80\x02h\x07."sv, "at byte 2, it refers to a value it does not have in data.pkl");
        row("append", "\x80\x02NN\x61."sv,
            "at byte 4, a value is put into something that does not hold such in data.pkl");
        row("odd dict", "\x80\x02}(Nu."sv, "at byte 5, a key of a dict has no value in data.pkl");
        row("state", "\x80\x02]}b."sv, "at byte 4, a state is given to something that takes none in data.pkl");
    }

    void whatDoesNotAddUpIsNamedWithItsOffset()
    {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, message);
        QCOMPARE(read(pickle.toStdString()), message.toStdString());
    }

    void anyBytesAreReadOrRefused()
    {
        const std::string opcodes = bytes("().]}aesudlNKMJGXcRbQqrhj\x80\x81\x85\x86\x87\x88\x89\x8a\n\0\1\2"sv);
        int readable = 0;
        for (unsigned seed = 0; seed < 20'000; ++seed) {
            std::mt19937 random(seed);
            std::string pickle = "\x80\x02";
            for (std::size_t i = random() % 40; i > 0; --i)
                pickle += opcodes[random() % opcodes.size()];
            pickle += '.';
            const auto tree = archive::readPickle(pickle, "data.pkl", PickleDialect::TorchScript);
            if (tree)
                ++readable;
            else
                QVERIFY2(!tree.error().message.empty(), qPrintable(QString("seed %1").arg(seed)));
        }
        QVERIFY2(readable > 100 && readable < 10'000, qPrintable(QString::number(readable))); // both are met
    }
};

PIPESCOPE_TEST(TestPickleTree)
#include "tst_pickle_tree.moc"
