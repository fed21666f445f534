#include "session/run_model.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <memory>

using namespace pipescope;
using session::isOfModel;
using session::nodeOf;

namespace {

const std::string ThisFile(64, 'a');
const std::string OtherFile(64, 'b');

plan::Plan runWithHash(const std::string &sha256)
{
    plan::Plan plan;
    plan.model = "model.pt";
    plan.modelSha256 = sha256;
    return plan;
}

struct OpenModel
{
    session::Document document;

    explicit OpenModel(const std::string &sha256, bool isOnlyRead = false)
    {
        document.newFor("model.pt");
        report::Inspection model;
        model.path = "model.pt";
        model.sha256 = sha256;
        model.structureOnly = isOnlyRead;
        model.graph = tests::graphFromText("in x\na = aten::sin x\nb = aten::cos a\nreturn b");
        document.setModel(std::make_shared<const report::Inspection>(model));
    }
    [[nodiscard]] std::string name(int node) const { return document.model()->graph.node(NodeId{node}).name; }
};

} // namespace

class TestRunModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRunIsOfTheSamePathMethodAndFile()
    {
        const OpenModel open(ThisFile);
        QVERIFY(isOfModel(runWithHash(ThisFile), ThisFile, open.document));
        QVERIFY(isOfModel(runWithHash({}), {}, open.document)); // nothing says otherwise
        QVERIFY(!isOfModel(runWithHash(OtherFile), OtherFile, open.document));
        plan::Plan ofAValue = runWithHash(ThisFile);
        ofAValue.specialised = {*plan::parseInputSpec("rate=16000")};
        QVERIFY(!isOfModel(ofAValue, ThisFile, open.document)); // another graph
        plan::Plan elsewhere = runWithHash(ThisFile);
        elsewhere.model = "folder/model.pt";
        QVERIFY(!isOfModel(elsewhere, ThisFile, open.document));
        plan::Plan encode = runWithHash(ThisFile);
        encode.method = "encode";
        QVERIFY(!isOfModel(encode, ThisFile, open.document));
    }

    void aNodeIsFoundInTheModelThatWasRunOnly()
    {
        const OpenModel open(ThisFile);
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{1}, open.name(1), open.document), NodeId{1});
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{1}, {}, open.document), NodeId{1});
        QCOMPARE(nodeOf(runWithHash(OtherFile), NodeId{1}, open.name(1), open.document), NodeId{});
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{0}, open.name(1), open.document),
                 NodeId{}); // another stands there
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{2}, {}, open.document), NodeId{});
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{}, {}, open.document), NodeId{});
    }

    void anOutlineNumbersItsNodesOtherwise()
    {
        const OpenModel open(ThisFile, true);
        QCOMPARE(nodeOf(runWithHash(ThisFile), NodeId{1}, open.name(1), open.document), NodeId{});
    }
};

PIPESCOPE_TEST(TestRunModel)
#include "tst_run_model.moc"
