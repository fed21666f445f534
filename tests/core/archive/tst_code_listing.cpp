#include "archive/code_listing.h"

#include "support/test_program.h"

#include <QTest>
#include <fmt/format.h>

using namespace pipescope;
using archive::CodeListing;

namespace {

CodeListing listed(const std::string &code)
{
    CodeListing listing;
    if (const auto ok = archive::listCode(code, "code/__torch__/net.py", listing); !ok)
        qWarning("%s", ok.error().message.c_str());
    return listing;
}

std::string problem(const std::string &code)
{
    CodeListing listing;
    const auto ok = archive::listCode(code, "code/__torch__/net.py", listing);
    return ok ? "none" : ok.error().message;
}

std::string repeated(const std::string &text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string callsText(const CodeListing &listing)
{
    std::string text;
    for (const auto &[name, count] : listing.calls)
        text += fmt::format("{} {}\n", name, count);
    return text;
}

} // namespace

class TestCodeListing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void classesAreNamedByTheirFile()
    {
        const CodeListing listing = listed("class Block(Module):\n"
                                           "  __parameters__ = [\"weight\", \"bias\", ]\n"
                                           "  __buffers__ = [\"mean\", ]\n"
                                           "  weight : Tensor\n"
                                           "  __annotations__[\"0\"] = __torch__.Linear\n"
                                           "class Pair(NamedTuple):\n"
                                           "  a : Tensor\n");
        QCOMPARE(listing.classes.size(), std::size_t(2));
        QCOMPARE(listing.classes.at("__torch__.net.Block").base, std::string("Module"));
        QCOMPARE(listing.classes.at("__torch__.net.Block").parameters, (std::vector<std::string>{"weight", "bias"}));
        QCOMPARE(listing.classes.at("__torch__.net.Pair").base, std::string("NamedTuple"));
    }

    void aClassWithTheNameOfANamedTupleIsStillReadAsItIsWritten()
    {
        const CodeListing listing = listed("class Pair(NamedTuple):\n"
                                           "  a : Tensor\n"
                                           "class Pair:\n"
                                           "  b = torch.relu(a)\n");
        QCOMPARE(listing.classes.at("__torch__.net.Pair").fieldTypes, std::vector<std::string>{"Tensor"});
        QCOMPARE(callsText(listing), std::string("aten::relu 1\n"));
    }

    void signaturesAreOneLineWithoutTheTypeOfSelf()
    {
        const CodeListing listing = listed("class Block(Module):\n"
                                           "  def forward(self: __torch__.net.Block,\n"
                                           "    x: Tensor,\n"
                                           "    other: __torch__.net.Block,\n"
                                           "    scale: float=1.0000000000000001e-05) -> Tuple[Tensor, int]:\n"
                                           "    return (x, 1)\n"
                                           "def pad(input: Tensor, mode: str=\"a: b\") -> Tensor:\n"
                                           "  return input\n");
        QCOMPARE(listing.methods.size(), std::size_t(2));
        QCOMPARE(listing.methods[0], (archive::CodeMethod{"__torch__.net.Block", "forward",
                                                          "(self, x: Tensor, other: __torch__.net.Block, "
                                                          "scale: float=1.0000000000000001e-05) -> Tuple[Tensor, int]",
                                                          2}));
        QCOMPARE(listing.methods[1],
                 (archive::CodeMethod{"__torch__.net", "pad", "(input: Tensor, mode: str=\"a: b\") -> Tensor", 7}));
    }

    void operatorsAreToldFromMethodsFunctionsAndForms()
    {
        const CodeListing listing = listed("def f(x: Tensor) -> Tensor:\n"
                                           "  a = torch.add(torch.relu(x), ops.quantized.linear(x, CONSTANTS.c0))\n"
                                           "  b = annotate(List[int], [int(a), torch.size(a, 0)])\n"
                                           "  c = (self.torch).forward(a)\n"
                                           "  d = __torch__.torch.nn.functional.relu(a, )\n"
                                           "  e = torch.to(a, torch.device(\"cpu\"))\n"
                                           "  g = torch.autograd.grad([a], [x])\n"
                                           "  h = \"torch.inverse(x)\" # torch.inverse(x)\n"
                                           "  i = torch.relu\n"
                                           "  j = x.torch.exp(x)\n"
                                           "  ops.prim.RaiseException(\"no\")\n"
                                           "  return torch.add(a, 1)\n");
        QCOMPARE(callsText(listing), std::string("aten::add 2\naten::grad 1\naten::relu 1\naten::size 1\naten::to 1\n"
                                                 "prim::RaiseException 1\nquantized::linear 1\n"));
    }

    void statementsMayRunOverLines()
    {
        const CodeListing listing = listed("def f(x: Tensor) -> Tensor:\n"
                                           "  a = torch.cat([x,\n"
                                           "\n"
                                           "x], 1) + torch.relu(x)\n"
                                           "  b = torch.exp(a) + \\\n"
                                           "torch.log(a)\n"
                                           "  c = \"\"\"torch.sin(\n"
                                           "torch.cos(\"\"\"\n"
                                           "  return torch.tanh(b)\n");
        QCOMPARE(callsText(listing),
                 std::string("aten::cat 1\naten::exp 1\naten::log 1\naten::relu 1\naten::tanh 1\n"));
    }

    void whatIsNoCodeIsNamedByLine()
    {
        QCOMPARE(problem("a = 1\nb = \"no end\nc = 2\n"),
                 std::string("a string does not end in line 2 of code/__torch__/net.py"));
        QCOMPARE(problem("a = 1)\n"),
                 std::string("a bracket is closed that was not opened in line 1 of code/__torch__/net.py"));
        QCOMPARE(problem("a = 1\n\n\x01\n"),
                 std::string("there is a byte that is not text in line 3 of code/__torch__/net.py"));
        QCOMPARE(problem("a = 'x\\"), std::string("a string does not end in line 1 of code/__torch__/net.py"));
    }

    void whatIsTooDeepForAParserIsRefused()
    {
        const std::string where = " in line 1 of code/__torch__/net.py";
        QCOMPARE(problem("x = " + repeated("f(", 201) + repeated(")", 201)), "brackets are nested too deep" + where);
        QCOMPARE(problem("x = " + repeated("not ", 5000) + "x"), "an expression is too long" + where);
        QCOMPARE(problem("x = a" + repeated(".b", 5000)), "an expression is too long" + where);
        QCOMPARE(problem("x = a" + repeated("[0]", 5000)), "an expression is too long" + where);
        QCOMPARE(problem("x = 1" + repeated(" + 1", 5000)), "an expression is too long" + where);
        QCOMPARE(problem(repeated("\n", 1100) + "x = 1\n").substr(0, 28), std::string("there are too many empty lin"));
        std::string nested;
        for (int i = 0; i < 120; ++i)
            nested += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
        QCOMPARE(problem(nested), std::string("blocks are nested too deep in line 101 of code/__torch__/net.py"));
    }

    void howMuchNamesTakeIsBounded()
    {
        QCOMPARE(problem("class " + repeated("A", 65536) + "(Module):\n"), std::string("none"));
        QCOMPARE(problem("x = 1\ny = " + repeated("a", 65537) + "\n"),
                 std::string("a name is longer than 64 KiB in line 2 of code/__torch__/net.py"));

        // 15 bytes of code each, and each has the name of its class.
        const std::string methods = "class " + repeated("A", 4000) + "(Module):\n" + repeated("  def f(self):\n", 3000);
        CodeListing listing;
        const auto ok = archive::listCode(methods, "code/net.py", listing, 10 << 20);
        QVERIFY(!ok);
        QCOMPARE(ok.error().message,
                 std::string("the names in its code are longer than 10.0 MiB together in line 2549 of code/net.py"));
        QVERIFY(listing.bytes > 10 << 20 && listing.bytes < 11 << 20);
    }

    void whatRecordsAddUpToIsBounded()
    {
        for (const char *code : {"torch.a(torch.b(x))\n", "class A(Module):\n  __parameters__ = [\"w\", ]\n",
                                 "class P(NamedTuple):\n  a : Tuple[int, int]\n", "def f() -> int:\n  return 1\n"}) {
            CodeListing listing;
            QVERIFY2(archive::listCode(code, "code/a.py", listing, 400), code);
            const std::size_t first = listing.bytes;
            QVERIFY2(first > 60, code);
            listing.bytes = 400;
            const bool addsNothing = std::string_view(code).substr(0, 5) == "torch"; // an operator is named once
            QCOMPARE(static_cast<bool>(archive::listCode(code, "code/a.py", listing, 400)), addsNothing);
        }
    }

    void longButShallowCodeIsFine()
    {
        QCOMPARE(problem("x = [" + repeated("-1.5, ", 100'000) + "]\n"), std::string("none"));
        QCOMPARE(problem("x = " + repeated("torch.relu(", 150) + "x" + repeated(")", 150) + "\n"), std::string("none"));
        QCOMPARE(problem(repeated("a = torch.add(a, 1)\n", 50'000)), std::string("none"));
    }
};

PIPESCOPE_TEST(TestCodeListing)
#include "tst_code_listing.moc"
