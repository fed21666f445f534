#include "import/type_test.h"

#include "support/test_program.h"

#include <QTest>
#include <optional>
#include <torch/csrc/jit/frontend/script_type_parser.h>

using namespace pipescope;

namespace {

c10::TypePtr typeOf(const QString &text)
{
    return torch::jit::ScriptTypeParser().parseType(text.toStdString());
}

QString decision(const QString &type, const QStringList &tested)
{
    std::vector<c10::TypePtr> types;
    for (const QString &one : tested)
        types.push_back(typeOf(one));
    const std::optional<bool> decided = import::isInstance(*typeOf(type), types);
    return decided ? (*decided ? "always" : "never") : "sometimes";
}

} // namespace

class TestTypeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTypeDecidesWhereAllItsValuesAgree_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("tested");
        QTest::addColumn<QString>("expected");
        QTest::newRow("the same") << "str"
                                  << "str"
                                  << "always";
        QTest::newRow("another") << "bool"
                                 << "str"
                                 << "never";
        QTest::newRow("one of several") << "int"
                                        << "str;int"
                                        << "always";
        QTest::newRow("none of several") << "Tensor"
                                         << "str;int"
                                         << "never";
        QTest::newRow("a union of which some are") << "Union[str, bool]"
                                                   << "str"
                                                   << "sometimes";
        QTest::newRow("a union of which all are") << "Union[str, bool]"
                                                  << "bool;str"
                                                  << "always";
        QTest::newRow("a union of which none are") << "Union[str, bool]"
                                                   << "Tensor;List[str]"
                                                   << "never";
        QTest::newRow("an optional") << "Optional[Tensor]"
                                     << "Tensor"
                                     << "sometimes";
        QTest::newRow("an optional of something else") << "Optional[Tensor]"
                                                       << "int"
                                                       << "never";
        QTest::newRow("none of an optional") << "Optional[Tensor]"
                                             << "NoneType"
                                             << "sometimes";
        QTest::newRow("none of a list") << "List[int]"
                                        << "NoneType"
                                        << "never";
        QTest::newRow("a list, and no tensor") << "List[Tensor]"
                                               << "Tensor"
                                               << "never";
        QTest::newRow("a list of something else, which the value's own type decides") << "List[int]"
                                                                                      << "List[str]"
                                                                                      << "sometimes";
        QTest::newRow("a tuple of more") << "Tuple[int, int]"
                                         << "Tuple[int]"
                                         << "sometimes";
        QTest::newRow("anything") << "Any"
                                  << "int"
                                  << "sometimes";
        QTest::newRow("tested for anything") << "int"
                                             << "Any"
                                             << "always";
        QTest::newRow("tested for an optional") << "NoneType"
                                                << "Optional[int]"
                                                << "always";
        QTest::newRow("tested for an optional of something else") << "str"
                                                                  << "Optional[int]"
                                                                  << "never";
    }
    void aTypeDecidesWhereAllItsValuesAgree()
    {
        QFETCH(QString, type);
        QFETCH(QString, tested);
        QTEST(decision(type, tested.split(';')), "expected");
    }
};

PIPESCOPE_TEST(TestTypeTest)
#include "tst_type_test.moc"
