#include "session/document.h"

#include "session/staging.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <set>
#include <vector>

using namespace pipescope;
using session::Document;
using session::Staging;

namespace {

void setMicrobatches(Document &document, int count, const QString &merge = {})
{
    document.edit(
        "Microbatches", [count](plan::Plan &plan) { plan.microbatches = count; }, merge);
}

std::shared_ptr<const report::Inspection> twoParts()
{
    auto model = std::make_shared<report::Inspection>();
    model->graph = tests::graphFromText("in x\ncall a\nh = aten::relu x\nend\ncall b\ny = aten::neg h\nend\nreturn y");
    return model;
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aModelThatWasCountedIsNotKeptAfterwards()
    {
        Document document;
        document.newFor("model.pt");
        for (int i = 0; i < 2; ++i) {
            auto model = std::make_shared<report::Inspection>();
            model->graph = tests::graphFromText("in x\na = aten::sin x\nreturn a");
            const std::weak_ptr<const report::Inspection> seen = model;
            document.setModel(std::move(model));
            QCOMPARE(document.stages(), std::optional<int>(1));
            i == 0 ? document.setModel(nullptr) : document.newFor("other.pt");
            QVERIFY(seen.expired());
        }
    }

    void stagesAreWorkedOutOnceAChangeHoweverManyAsk()
    {
        Document document;
        document.newFor("model.pt");
        QVERIFY(document.staging()->stages.empty()); // no model
        std::set<std::shared_ptr<const Staging>> seen;
        for (int view = 0; view < 3; ++view) {
            const auto ask = [&] {
                seen.insert(document.staging());
                (void)document.stages();
            };
            connect(&document, &Document::planChanged, this, ask);
            connect(&document, &Document::modelChanged, this, ask);
        }
        const auto makesOne = [&](const std::function<void()> &change) {
            const std::shared_ptr<const Staging> before = document.staging();
            seen.clear();
            change();
            return seen == std::set{document.staging()} && document.staging() != before;
        };

        QVERIFY(makesOne([&] { document.setModel(twoParts()); }));
        QCOMPARE(document.stages(), std::optional<int>(1));
        QVERIFY(makesOne([&] { document.edit("Split", [](plan::Plan &plan) { plan.splits = {"b"}; }); }));
        QCOMPARE(document.stages(), std::optional<int>(2));
        QCOMPARE(document.staging()->partition.cuts, std::vector{1});
        QVERIFY(makesOne([&] { document.undoStack().undo(); }));
        QCOMPARE(document.stages(), std::optional<int>(1));
    }

    void anEditThatLeavesTheSplitsKeepsTheStaging()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(twoParts());
        const std::shared_ptr<const Staging> before = document.staging();
        setMicrobatches(document, 8);
        document.undoStack().undo();
        QVERIFY(document.staging() == before);
        document.setModel(twoParts()); // another, if alike
        QVERIFY(document.staging() != before);
    }

    void aNewDocumentIsForItsModelAndUnmodified()
    {
        Document document;
        document.newFor("model.pt");
        QCOMPARE(document.plan().model, std::string("model.pt"));
        QVERIFY(!document.isModified());
        QVERIFY(document.path().isEmpty());
    }

    void everyEditIsUndoneAndRedone()
    {
        Document document;
        document.newFor("model.pt");
        QSignalSpy changes(&document, &Document::planChanged);
        const plan::Plan before = document.plan();
        setMicrobatches(document, 8);
        document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.4"}; });
        const plan::Plan after = document.plan();
        QCOMPARE(document.undoStack().undoText(), QString("Split"));
        document.undoStack().undo();
        QCOMPARE(document.plan().microbatches, 8);
        QVERIFY(document.plan().splits.empty());
        document.undoStack().undo();
        QVERIFY(document.plan() == before);
        QVERIFY(!document.isModified());
        document.undoStack().redo();
        document.undoStack().redo();
        QVERIFY(document.plan() == after);
        QCOMPARE(changes.size(), 6);
    }

    void whatAnotherWindowSavedIsSeenByItsContent()
    {
        using FileState = Document::FileState;
        const QTemporaryDir folder;
        const QString path = folder.filePath("plan.json");
        Document mine;
        QCOMPARE(mine.fileState(), FileState::None);
        mine.newFor(folder.filePath("model.pt"));
        mine.edit("Input",
                  [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=@x.pt")}; }); // a relative path
        QVERIFY(mine.saveAs(path));
        QCOMPARE(mine.fileState(), FileState::Same);
        Document theirs;
        QVERIFY(theirs.open(path));
        QCOMPARE(theirs.fileState(), FileState::Same);
        setMicrobatches(theirs, 3);
        QCOMPARE(theirs.fileState(), FileState::Same); // an edit is not in the file yet

        QVERIFY(theirs.saveAs(path));
        QCOMPARE(theirs.fileState(), FileState::Same);
        QCOMPARE(mine.fileState(), FileState::Changed);
        QVERIFY(mine.saveAs(path));
        QCOMPARE(mine.fileState(), FileState::Same);
        QCOMPARE(theirs.fileState(), FileState::Changed);

        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray bytes = file.readAll();
        file.write("\n\n"); // nothing that would be lost
        file.close();
        QCOMPARE(mine.fileState(), FileState::Same);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes.left(bytes.size() / 2));
        file.close();
        QCOMPARE(mine.fileState(), FileState::Changed);
        QVERIFY(file.remove());
        QCOMPARE(mine.fileState(), FileState::Gone);
    }

    void aPlanIsSavedWithTheHashOfItsModel()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("plan.json");
        Document document;
        document.newFor(folder.filePath("model.pt"));
        report::Inspection model;
        model.sha256 = std::string(64, 'a');
        document.setModel(std::make_shared<const report::Inspection>(model));
        const plan::Plan before = document.plan();
        QVERIFY(document.saveAs(path));
        QCOMPARE(document.fileState(), Document::FileState::Same);
        QVERIFY(document.plan() == before); // which is no edit of it
        QVERIFY(document.open(path));
        QCOMPARE(document.plan().modelSha256, model.sha256);
    }

    void anEditThatChangesNothingIsNoStep()
    {
        Document document;
        document.newFor("model.pt");
        setMicrobatches(document, 1);
        QCOMPARE(document.undoStack().count(), 0);
    }

    void editsOfOneKindThatFollowOneAnotherAreOneStep()
    {
        Document document;
        document.newFor("model.pt");
        for (const int count : {2, 3, 4})
            setMicrobatches(document, count, "microbatches");
        QCOMPARE(document.undoStack().count(), 1);
        document.edit(
            "Seed", [](plan::Plan &plan) { plan.seed = 7; }, "seed");
        setMicrobatches(document, 5, "microbatches");
        QCOMPARE(document.undoStack().count(), 3);
        document.undoStack().undo();
        QCOMPARE(document.plan().microbatches, 4);
    }

    void turningBackToTheStartLeavesNoStep()
    {
        Document document;
        document.newFor("model.pt");
        for (const int count : {2, 1})
            setMicrobatches(document, count, "microbatches");
        QCOMPARE(document.undoStack().count(), 0);
        QCOMPARE(document.plan().microbatches, 1);
    }

    void whatIsSavedOpensTheSame()
    {
        Document document;
        document.newFor(file("model.pt"));
        setMicrobatches(document, 8);
        document.edit("Devices", [](plan::Plan &plan) { plan.devices = {"cpu:0", "cpu:1"}; });
        QVERIFY(document.isModified());
        QVERIFY(document.saveAs(file("plan.json")));
        QVERIFY(!document.isModified());
        QCOMPARE(document.path(), file("plan.json"));
        Document other;
        QVERIFY(other.open(file("plan.json")));
        QVERIFY(other.plan() == document.plan());
        QVERIFY(!other.isModified());
        document.undoStack().undo();
        QVERIFY(document.isModified());
    }

    void aFileThatCannotBeOpenedLeavesTheDocumentAsItWas()
    {
        Document document;
        document.newFor("model.pt");
        setMicrobatches(document, 8);
        const auto model = std::make_shared<const report::Inspection>();
        document.setModel(model);
        const Status opened = document.open(file("nowhere.json"));
        QVERIFY(!opened);
        QCOMPARE(document.plan().microbatches, 8);
        QVERIFY(document.model() == model);
        QCOMPARE(document.undoStack().count(), 1);
    }

    void aFileThatCannotBeWrittenLeavesTheDocumentModified()
    {
        Document document;
        document.newFor("model.pt");
        document.edit("Devices", [](plan::Plan &plan) { plan.devices = {"cpu:0"}; });
        const Status saved = document.saveAs(file("nowhere/plan.json"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
        QVERIFY(document.isModified());
        QVERIFY(document.path().isEmpty());
    }

    void anotherModelForgetsThePictureOfTheFirst()
    {
        Document document;
        document.newFor("a.pt");
        document.setModel(std::make_shared<const report::Inspection>());
        document.newFor("b.pt");
        QVERIFY(!document.model());
        QCOMPARE(document.undoStack().count(), 0);
    }

private:
    QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestDocument)
#include "tst_document.moc"
