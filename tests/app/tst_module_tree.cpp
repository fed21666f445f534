#include "module_tree.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using app::Detail;
using app::moduleTree;

namespace {

report::Inspection blocks()
{
    report::Inspection inspection;
    inspection.graph.modules = {
        {"", "Model", 1250, 5000, 0},     {"h", "ModuleList", 1200, 4800, 0}, {"h.0", "Block", 400, 1600, 0},
        {"h.0.a", "Linear", 200, 800, 0}, {"h.0.b", "Linear", 200, 800, 0},   {"h.1", "Block", 400, 1600, 0},
        {"h.1.a", "Linear", 200, 800, 0}, {"h.1.b", "Linear", 200, 800, 0},   {"h.2", "Block", 400, 1600, 0},
        {"h.2.a", "Linear", 100, 400, 0}, {"h.2.b", "Linear", 300, 1200, 0},  {"head", "Linear", 50, 200, 8}};
    return inspection;
}

} // namespace

class TestModuleTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void likeNeighboursAreOneLineAboveTheFirstsChildren()
    {
        // h.2 has other sizes inside and stands on its own; a and b of h.0 are alike too.
        QCOMPARE(moduleTree(blocks(), Detail::Short),
                 std::string("module                class       parameters     bytes  buffers\n"
                             "(model)               Model           1.25 k  4.88 KiB\n"
                             "  h                   ModuleList      1.20 k  4.69 KiB\n"
                             "    h.0 .. h.1        2 × Block          800  3.12 KiB\n"
                             "      h.0.a .. h.0.b  2 × Linear         400  1.56 KiB\n"
                             "    h.2               Block              400  1.56 KiB\n"
                             "      h.2.a           Linear             100     400 B\n"
                             "      h.2.b           Linear             300  1.17 KiB\n"
                             "  head                Linear              50     200 B      8 B\n"));
    }

    void allOfThemOneByOneOnRequest()
    {
        const std::string text = moduleTree(blocks(), Detail::All);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(13));
        QVERIFY(text.find("      h.1.b") != std::string::npos);
        QVERIFY(text.find("..") == std::string::npos);
    }

    void measuredCostsAreSummedOverAFoldedLine()
    {
        report::Inspection inspection;
        inspection.graph.modules = {{"", "Model", 8, 32, 0}, {"a", "Linear", 4, 16, 0}, {"b", "Linear", 4, 16, 0}};
        inspection.moduleCosts = {{1, 1.0, 3000.0, {}}, {1, 0.25, 1000.0, {}}, {2, 0.5, 2000.0, {}}};
        QCOMPARE(moduleTree(inspection, Detail::Short),
                 std::string("module    class       parameters  bytes  calls    time    share   FLOPs\n"
                             "(model)   Model                8   32 B      1  1.00 s  100.0 %  3.00 k\n"
                             "  a .. b  2 × Linear           8   32 B      3  750 ms   75.0 %  3.00 k\n"));
    }

    void deepTreesAreNoTroubleForTheStack()
    {
        report::Inspection inspection;
        std::string fqn;
        inspection.graph.modules.push_back({"", "M", 1, 4, 0});
        for (int i = 0; i < 300; ++i) {
            fqn += fqn.empty() ? "m" : ".m";
            inspection.graph.modules.push_back({fqn, "M", 1, 4, 0});
        }
        const std::string text = moduleTree(inspection, Detail::Short);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(302));
    }
};

PIPESCOPE_TEST(TestModuleTree)
#include "tst_module_tree.moc"
