#include "archive/type_size.h"

#include "support/test_program.h"

#include <QTest>
#include <fmt/format.h>

using namespace pipescope;

namespace {

/// What is said of the types of a file's code.
std::string sizeProblem(const std::string &code)
{
    archive::CodeListing listing;
    const auto listed = archive::listCode(code, "code/__torch__.py", listing);
    const Status checked = listed ? archive::checkTypeSizes(listing) : listed;
    return checked ? "none" : checked.error().message;
}

/// NamedTuples P00000, P00001, ...: each with `fields` fields of the one before.
std::string chain(int length, int fields)
{
    std::string code;
    for (int i = 0; i < length; ++i) {
        code += fmt::format("class P{:05}(NamedTuple):\n", i);
        for (int k = 0; k < fields; ++k)
            code += i == 0 ? fmt::format("  f{} : Tensor\n", k)
                           : fmt::format("  f{} : Optional[__torch__.P{:05}]\n", k, i - 1);
    }
    return code;
}

} // namespace

class TestTypeSize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void typesThatGrowByDoublingAreRefused()
    {
        QCOMPARE(sizeProblem(chain(10, 2)), std::string("none"));
        QCOMPARE(sizeProblem(chain(28, 2)),
                 std::string("the NamedTuple __torch__.P00011 has more than 10000 parts, those of "
                             "its fields counted"));
    }

    void longChainsAreRefusedInWhateverOrderTheyAreRead()
    {
        QCOMPARE(sizeProblem(chain(200, 1)), std::string("none"));
        QCOMPARE(sizeProblem(chain(20'000, 1)), std::string("the NamedTuple __torch__.P00200 nests too deep"));
        std::string backwards;
        for (int i = 0; i < 20'000; ++i)
            backwards += fmt::format("class Q{:05}(NamedTuple):\n  f : __torch__.Q{:05}\n", i, i + 1);
        QCOMPARE(sizeProblem(backwards), std::string("the NamedTuple __torch__.Q00200 nests too deep"));
    }

    void manyFieldsAndOtherClassesAreFine()
    {
        QCOMPARE(sizeProblem(chain(1, 9'000)), std::string("none"));
        std::string code = "class M0(Module):\n  a : Tensor\n";
        for (int i = 1; i < 40; ++i)
            code += fmt::format("class M{0}(Module):\n  a : __torch__.M{1}\n  b : __torch__.M{1}\n", i, i - 1);
        QCOMPARE(sizeProblem(code), std::string("none"));
    }

    void aTypeThatHoldsItselfIsLeftToLibTorch()
    {
        QCOMPARE(sizeProblem("class A(NamedTuple):\n  b : __torch__.B\nclass B(NamedTuple):\n  a : __torch__.A\n"),
                 std::string("none"));
    }
};

PIPESCOPE_TEST(TestTypeSize)
#include "tst_type_size.moc"
