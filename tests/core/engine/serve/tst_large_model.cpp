// In which order a window hears of a large model's file: what is in it, then how far reading it to its end is.
#include "core/engine/serve/served_engine.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::CancelCall;
using protocol::LoadCall;

class TestLargeModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsInItIsAnsweredBeforeItIsReadToItsEnd()
    {
        const ServedModel small;
        report::InspectRequest read;
        read.model = small.folder.filePath("large.pt").toStdString();
        testing::withHole(small.path, read.model, std::uint64_t(4) << 30);
        ServedEngine engine;
        QVERIFY(engine.greet());
        read.structureOnly = true;
        read.hashLater = true;
        engine.talk->ask<LoadCall>(2, read);
        const auto shown = engine.talk->answer<LoadCall>(2);
        QVERIFY2(shown, messageOf(shown).c_str());
        QVERIFY(shown->hashLeftOut && shown->sha256.empty());
        QCOMPARE(shown->graph.modules.size(), std::size_t(4));
        const auto isHashing = [](const protocol::Notification &told) {
            return told.event == protocol::ProgressEvent &&
                   protocol::fromBody<protocol::ProgressNote>(told.body)->fraction >= 0;
        };
        QVERIFY(std::none_of(engine.talk->notifications.begin(), engine.talk->notifications.end(), isHashing));

        read.hashLater = false;
        engine.talk->ask<LoadCall>(3, read);
        bool isFarther = false;
        while (!isFarther) {
            const auto message = engine.talk->next();
            QVERIFY(message);
            const auto *told = std::get_if<protocol::Notification>(&*message);
            isFarther = told != nullptr && isHashing(*told);
        }
        engine.talk->ask<CancelCall>(4, {3});
        auto stopped = engine.talk->response();
        if (stopped && stopped->id == 4)
            stopped = engine.talk->response();
        QVERIFY(stopped && stopped->id == 3);
        const auto *error = std::get_if<Error>(&stopped->answer);
        QVERIFY(error != nullptr);
        QCOMPARE(error->code, ErrorCode::Cancelled);
    }

    void aSmallOneIsAnsweredWithItsHash()
    {
        const ServedModel small;
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::InspectRequest read;
        read.model = small.path;
        read.structureOnly = true;
        read.hashLater = true;
        engine.talk->ask<LoadCall>(2, read);
        const auto shown = engine.talk->answer<LoadCall>(2);
        QVERIFY2(shown, messageOf(shown).c_str());
        QVERIFY(!shown->hashLeftOut);
        QCOMPARE(shown->sha256.size(), std::size_t(64));
    }
};

PIPESCOPE_TEST(TestLargeModel)
#include "tst_large_model.moc"
