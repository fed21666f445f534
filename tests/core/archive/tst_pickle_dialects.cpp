#include "core/archive/pickle_text.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace std::string_view_literals;
using archive::PickleDialect;

namespace {

std::string torchSave(std::string_view bytes)
{
    return testing::readAsText(bytes, PickleDialect::TorchSave);
}

std::string torchScript(std::string_view bytes)
{
    return testing::readAsText(bytes, PickleDialect::TorchScript);
}

} // namespace

class TestPickleDialects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void protocolFourIsTorchSaves()
    {
        // pickle.dumps(["a", "a"], 4) and pickle.dumps(print, 4)
        constexpr auto List = "\x80\x04\x95\x0b\0\0\0\0\0\0\0]\x94(\x8c\x01\x61\x94h\x01\x65."sv;
        constexpr auto Name = "\x80\x04\x95\x14\0\0\0\0\0\0\0\x8c\x08\x62uiltins\x94\x8c\x05print\x94\x93\x94."sv;
        QCOMPARE(torchSave(List), std::string("['a', 'a']"));
        QCOMPARE(torchSave(Name), std::string("builtins.print"));
        QCOMPARE(torchScript(List), std::string("at byte 2, 0x95 is not an opcode TorchScript uses in data.pkl"));
    }

    void someOpcodesAreTorchScriptsOnly()
    {
        QCOMPARE(torchScript("\x80\x02(K\x01l."sv), std::string("[1]"));
        QCOMPARE(torchSave("\x80\x02(K\x01l."sv),
                 std::string("at byte 5, its opcode 0x6c is none that torch.save writes in data.pkl"));
    }

    void bytesAreTextInTorchScript()
    {
        QCOMPARE(torchScript("\x80\x02\x43\x02hi."sv), std::string("'hi'"));
        QCOMPARE(torchSave("\x80\x02\x43\x02hi."sv), std::string("b'hi'"));
    }

    void onlyTorchScriptMayHaveLargerIntegers()
    {
        constexpr auto Long = "\x80\x02\x8a\x09"
                              "012345678."sv;
        QCOMPARE(torchScript(Long), std::string("'012345678'"));
        QCOMPARE(torchSave(Long), std::string("at byte 2, it holds an integer of more than 64 bits in data.pkl"));
        QCOMPARE(torchSave("\x80\x02\x8a\0."sv), std::string("0"));
    }

    void torchSavesProtocolsAreTwoToFive()
    {
        QCOMPARE(torchSave("\x80\x05N."sv), std::string("None"));
        QCOMPARE(torchSave("\x80\x06N."sv), std::string("at byte 0, its protocol 6 is not one of 2 to 5 in data.pkl"));
        QCOMPARE(torchSave("\x80\x01N."sv), std::string("at byte 0, its protocol 1 is not one of 2 to 5 in data.pkl"));
    }

    void onlyTorchScriptTellsObjectsAndKeepsTheirState()
    {
        constexpr auto Object = "\x80\x02\x63m\nM\n)\x81}b."sv;
        QCOMPARE(torchScript(Object), std::string("object<m.M, (), {}>"));
        QCOMPARE(torchSave(Object), std::string("call<m.M, ()>"));
        QCOMPARE(torchSave("\x80\x02]Nb."sv), std::string("[]"));
    }

    void onlyTorchSaveFillsWhatACallGives()
    {
        constexpr auto Ordered = "\x80\x02\x63"
                                 "collections\nOrderedDict\n)RK\x01K\x02s(K\x03K\x04u."sv;
        QCOMPARE(torchSave(Ordered), std::string("call<collections.OrderedDict, (), 1, 2, 3, 4>"));
        QCOMPARE(torchScript(Ordered),
                 std::string("at byte 33, a value is put into something that does not hold such in data.pkl"));
    }

    void onlyTorchSavesValuesMayHoldThemselves()
    {
        constexpr auto Itself = "\x80\x02]q\0h\0\x61."sv;
        QCOMPARE(torchScript(Itself), std::string("a value contains itself in data.pkl"));
        QVERIFY(archive::readPickle(Itself, "data.pkl", PickleDialect::TorchSave));
        std::string deep = "\x80\x02" + std::string(1100, ']') + std::string(1099, 'a') + ".";
        QCOMPARE(torchScript(deep), std::string("its values are nested deeper than 1000 levels in data.pkl"));
        QVERIFY(archive::readPickle(deep, "data.pkl", PickleDialect::TorchSave));
    }

    void whatDoesNotAddUpIsNamed()
    {
        QCOMPARE(torchSave("\x80\x02X\xff\xff\xff\xff"
                           "abc."sv),
                 std::string("at byte 2, it ends too early in data.pkl"));
        QCOMPARE(torchSave("\x80\x02\x63os\nsys"sv), std::string("at byte 2, it ends too early in data.pkl"));
        QCOMPARE(torchSave("\x80\x02h\x07."sv),
                 std::string("at byte 2, it refers to value 7, which is not there in data.pkl"));
        QCOMPARE(torchSave("\x80\x04NN\x93."sv), std::string("at byte 4, a name in it is no text in data.pkl"));
        QCOMPARE(torchSave("\x80\x04N\x93."sv), std::string("at byte 3, a value is missing in data.pkl"));
        QCOMPARE(torchSave("\x80\x04Nb."sv), std::string("at byte 3, a value is missing in data.pkl"));
    }

    void numbersOfValuesAndNamesAreBoundedInBoth()
    {
        for (const PickleDialect dialect : {PickleDialect::TorchScript, PickleDialect::TorchSave}) {
            QCOMPARE(testing::readAsText("\x80\x02Nr\xff\0\0\0."sv, dialect),
                     std::string("at byte 3, it numbers a value beyond its own size in data.pkl"));
            QCOMPARE(testing::readAsText("\x80\x02\x63m\n" + std::string(70'000, 'x') + "\n.", dialect),
                     std::string("at byte 2, the name of a class is longer than 64.0 KiB in data.pkl"));
            // That is no damage.
            const auto tree =
                archive::readPickle("\x80\x02\x63m\n" + std::string(70'000, 'x') + "\n.", "data.pkl", dialect);
            QCOMPARE(tree.error().code, ErrorCode::Unsupported);
            QVERIFY(archive::readPickle("\x80\x02\x63m\n" + std::string(60'000, 'x') + "\n.", "data.pkl", dialect));
        }
        std::string name("X\x70\x11\x01\0", 5);
        name.append(70'000, 'x');
        QCOMPARE(torchSave("\x80\x04" + name + "\x8c\x01m\x93."),
                 std::string("at byte 70010, the name of a class is longer than 64.0 KiB in data.pkl"));
    }

    void howMuchIsReadIsBounded()
    {
        QCOMPARE(torchSave("\x80\x02" + std::string(4'000'001, 'N') + "."),
                 std::string("at byte 4000002, it holds more than 4000000 values in data.pkl"));
        QCOMPARE(torchScript("\x80\x02" + std::string(16'000'000, '(') + "."),
                 std::string("at byte 16000001, it holds more than 16000000 values in data.pkl"));
    }
};

PIPESCOPE_TEST(TestPickleDialects)
#include "tst_pickle_dialects.moc"
