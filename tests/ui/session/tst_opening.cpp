#include "session/opening.h"

#include "plan/plan_file.h"
#include "session/file_kind.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct OpeningDesk : tests::SessionDesk
{
    QTemporaryDir folder;
    Opening opening{document, client};

    OpeningDesk() { begin("/models/before.pt"); }
    [[nodiscard]] QString file(const char *name, const QByteArray &bytes = {}) const
    {
        QFile made(folder.filePath(QString::fromLatin1(name)));
        if (!made.open(QIODevice::WriteOnly) || made.write(bytes) != bytes.size())
            qFatal("no file");
        return made.fileName();
    }
    [[nodiscard]] QString plan(const char *name, const std::string &split) const
    {
        plan::Plan plan;
        plan.model = folder.filePath("model.pt").toStdString();
        plan.splits = {split};
        const QString path = folder.filePath(QString::fromLatin1(name));
        if (!plan::savePlan(plan, path.toStdString()))
            qFatal("no plan");
        return path;
    }
};

} // namespace

class TestOpening : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void aFileIsWhatItsContentIs()
    {
        const OpeningDesk desk;
        QVERIFY(fileKind(desk.folder.filePath("nowhere")) == FileKind::Missing);
        QVERIFY(fileKind(desk.folder.path()) == FileKind::Missing);
        QVERIFY(fileKind(desk.plan("named.pt", "a")) == FileKind::Plan);
        QVERIFY(fileKind(desk.file("named.json", "PK\x03\x04")) == FileKind::Model);
        QVERIFY(fileKind(desk.file("empty", "")) == FileKind::Model);
        QVERIFY(fileKind(desk.file("trace.pt", "\n{\"displayTimeUnit\": \"ms\", \"traceEvents\": []}")) ==
                FileKind::Trace);
        QVERIFY(fileKind(desk.file("events", "\xef\xbb\xbf[{\"ph\": \"X\"}]")) == FileKind::Trace);
    }

    void aFileIsCalledByItsNameWithoutFolders()
    {
        QCOMPARE(fileName("/home/models/mlp.pt"), QStringLiteral("mlp.pt"));
        QCOMPARE(fileName("mlp.pt"), QStringLiteral("mlp.pt"));
        QCOMPARE(fileName(""), QString());
    }

    void theDocumentIsAnotherOnlyOnceTheEngineHasReadTheModel()
    {
        OpeningDesk desk;
        const QSignalSpy opened(&desk.opening, &Opening::opened);
        QVERIFY(desk.opening.open(desk.file("model.pt")));
        QVERIFY(desk.opening.isActive());
        QVERIFY(desk.asked<report::InspectRequest>().structureOnly);
        QCOMPARE(desk.document.plan().model, std::string("/models/before.pt"));
        desk.answer(report::Inspection());
        QCOMPARE(desk.document.plan().model, desk.folder.filePath("model.pt").toStdString());
        QVERIFY(desk.document.model() != nullptr);
        QCOMPARE(opened.size(), 1);
        QVERIFY(!desk.opening.isActive());
    }

    void aModelTheEngineCannotReadLeavesTheDocumentAsItWas()
    {
        OpeningDesk desk;
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"a"}; });
        const QSignalSpy failed(&desk.opening, &Opening::failed);
        QVERIFY(desk.opening.open(desk.file("model.pt")));
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id, Error{ErrorCode::InvalidFile, "no model", {}, {}}});
        QCOMPARE(failed.size(), 1);
        QCOMPARE(desk.document.plan().model, std::string("/models/before.pt"));
        QVERIFY(desk.document.undoStack().canUndo());
    }

    void anEngineThatDiesMeanwhileLeavesTheDocumentAsItWas()
    {
        OpeningDesk desk;
        const QSignalSpy failed(&desk.opening, &Opening::failed);
        QVERIFY(desk.opening.open(desk.file("model.pt")));
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        QCOMPARE(failed.size(), 1);
        QCOMPARE(desk.document.plan().model, std::string("/models/before.pt"));
    }

    void whatIsNoFileOrABrokenPlanIsRefusedAtOnce()
    {
        OpeningDesk desk;
        QVERIFY(desk.opening.open(desk.folder.filePath("nowhere.pt")).error().code == ErrorCode::NotFound);
        const Status broken = desk.opening.open(desk.file("broken.json", "{\"pipescopePlan\": 1, \"model\": 3}"));
        QVERIFY(broken.error().message.find("model") != std::string::npos);
        QVERIFY(!desk.opening.isActive());
    }

    void aModelOnTheEnginesMachineIsNotLookedForHere()
    {
        OpeningDesk desk;
        const Status relative = desk.opening.openThere("models/there.pt");
        QVERIFY(!relative);
        QVERIFY(relative.error().message.find("absolute") != std::string::npos);
        QVERIFY(!desk.opening.isActive());
        QVERIFY(desk.opening.openThere("/nowhere/on/this/machine.pt"));
        QCOMPARE(desk.asked<report::InspectRequest>().model, std::string("/nowhere/on/this/machine.pt"));
        desk.answer(report::Inspection());
        QCOMPARE(desk.document.plan().model, std::string("/nowhere/on/this/machine.pt"));
        QCOMPARE(desk.document.path(), QString());
    }

    /// Reading a file lists all its methods, and the engine refuses to be asked for one of them.
    void aPlanForAnotherMethodIsReadAsAnyOther()
    {
        OpeningDesk desk;
        plan::Plan plan;
        plan.model = desk.folder.filePath("model.pt").toStdString();
        plan.method = "encode";
        plan.opLibraries = {"libops.so"};
        const QString path = desk.folder.filePath("encode.json");
        QVERIFY(plan::savePlan(plan, path.toStdString()));
        QVERIFY(desk.opening.open(path));
        QCOMPARE(desk.asked<report::InspectRequest>().method, std::string("forward"));
        QVERIFY(desk.asked<report::InspectRequest>().opLibraries.empty());
        desk.answer(report::Inspection());
        QCOMPARE(desk.document.plan().method, std::string("encode"));
    }

    void theLaterOfTwoIsOpened()
    {
        OpeningDesk desk;
        QVERIFY(desk.opening.open(desk.plan("first.json", "a")));
        const std::int64_t first = desk.engine.requests.back().id;
        QVERIFY(desk.opening.open(desk.plan("second.json", "b")));
        desk.engine.answer(first, report::Inspection());
        QCOMPARE(desk.document.plan().model, std::string("/models/before.pt"));
        desk.answer(report::Inspection());
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"b"});
        QCOMPARE(desk.document.path(), desk.folder.filePath("second.json"));
    }

    /// Who is asked whether the document may go turns the event loop.
    void oneThatIsBegunWhileTheUserIsAskedTakesThePlaceOfTheOneBefore()
    {
        OpeningDesk desk;
        const QString first = desk.plan("first.json", "a");
        const QString second = desk.plan("second.json", "b");
        const QSignalSpy opened(&desk.opening, &Opening::opened);
        int asked = 0;
        connect(&desk.opening, &Opening::replacing, &desk.opening, [&] {
            if (++asked == 1)
                QVERIFY(desk.opening.open(second));
        });
        QVERIFY(desk.opening.open(first));
        desk.answer(report::Inspection());
        QVERIFY(desk.opening.isActive());
        QVERIFY(opened.empty());
        QCOMPARE(desk.document.plan().model, std::string("/models/before.pt"));
        QVERIFY(!desk.document.model());
        desk.answer(report::Inspection());
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), second);
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"b"});
    }

    void oneThatIsEvenOpenedWhileTheUserIsAskedStays()
    {
        OpeningDesk desk;
        const QString first = desk.plan("first.json", "a");
        const QString second = desk.plan("second.json", "b");
        const QSignalSpy opened(&desk.opening, &Opening::opened);
        int asked = 0;
        connect(&desk.opening, &Opening::replacing, &desk.opening, [&] {
            if (++asked > 1)
                return;
            QVERIFY(desk.opening.open(second));
            desk.answer(report::Inspection());
        });
        QVERIFY(desk.opening.open(first));
        desk.answer(report::Inspection());
        QCOMPARE(opened.size(), 1);
        QCOMPARE(desk.document.path(), second);
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"b"});
    }

    void aRecoveredPlanIsItsFileWithTheChangesAsOneStep()
    {
        OpeningDesk desk;
        const QString path = desk.plan("plan.json", "a");
        plan::Plan changed = *plan::loadPlan(path.toStdString());
        changed.splits = {"b"};
        desk.opening.recover(changed, path);
        desk.answer(report::Inspection());
        QCOMPARE(desk.document.path(), path);
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"b"});
        QVERIFY(desk.document.isModified());
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"a"});
    }
};

PIPESCOPE_TEST(TestOpening)
#include "tst_opening.moc"
