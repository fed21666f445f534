#include "session/stage_hashes.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

const QString OfAbc = QStringLiteral("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

report::StageFile said(const std::string &name, const QString &sha256 = OfAbc)
{
    return {name, {}, {}, {}, sha256.toStdString()};
}

} // namespace

class TestStageHashes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aFileIsKnownWhereItIsWhatTheEngineSaysItWrote()
    {
        QVERIFY(write("stage0.pt", "abc") && write("stage1.pt", "another by now"));
        QCOMPARE(foundAsWritten(m_folder.path(), {said("stage0.pt"), said("stage1.pt"), said("stage2.pt")}),
                 QStringList{OfAbc});
        QCOMPARE(foundAsWritten(m_folder.path(), {said("stage0.pt", QString(64, 'd'))}), QStringList());
    }

    void noOtherFileIsLookedAtWhateverTheEngineNames()
    {
        QVERIFY(QDir(m_folder.path()).mkpath("sub") && write("mine.pt", "abc") && write("sub/stage0.pt", "abc"));
        for (const std::string &name : {std::string("mine.pt"), std::string("sub/stage0.pt"),
                                        m_folder.filePath("mine.pt").toStdString(), std::string()})
            QCOMPARE(foundAsWritten(m_folder.path(), {said(name)}), QStringList());
        QCOMPARE(foundAsWritten(m_folder.filePath("sub"), {said("../mine.pt")}), QStringList());
    }

    void theAnswerComesFromTheEventLoopAndNotOnceNobodyWaits()
    {
        QVERIFY(write("stage0.pt", "abc"));
        QStringList found;
        const auto keep = [&found](const QStringList &hashes) { found += hashes; };
        {
            StageHashes hashes;
            hashes.look(m_folder.path(), {said("stage0.pt")}, keep);
            hashes.look(m_folder.path(), {said("stage0.pt")}, keep); // the first is not given up
            QVERIFY(found.isEmpty());
            QTRY_COMPARE(found, (QStringList{OfAbc, OfAbc}));
            hashes.look(m_folder.path(), {said("stage0.pt")}, keep);
        }
        QCoreApplication::processEvents();
        QCOMPARE(found.size(), 2);
    }

private:
    bool write(const char *name, const QByteArray &bytes) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestStageHashes)
#include "tst_stage_hashes.moc"
