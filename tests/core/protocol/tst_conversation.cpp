// What a real engine and a window said to each other: every message reads, and is written as it was.
#include "protocol/bodies.h"
#include "support/conversation.h"
#include "support/test_program.h"

#include <QTest>
#include <map>
#include <set>

using namespace pipescope;
using namespace pipescope::protocol;

namespace {

/// "" where the body reads as T and is written with the same bytes.
template <class T>
std::string faultOf(const std::string &body)
{
    const auto value = fromBody<T>(body);
    if (!value)
        return value.error().message;
    return toBody(*value) == body ? "" : "it is written with other bytes";
}

template <class Call>
std::string faultOfCall(bool isRequest, const std::string &body)
{
    return isRequest ? faultOf<typename Call::Request>(body) : faultOf<typename Call::Answer>(body);
}

std::string faultOfBody(std::string_view method, bool isRequest, const std::string &body)
{
    if (method == HelloCall::method)
        return faultOfCall<HelloCall>(isRequest, body);
    if (method == LoadCall::method)
        return faultOfCall<LoadCall>(isRequest, body);
    if (method == ProfileCall::method)
        return faultOfCall<ProfileCall>(isRequest, body);
    if (method == RunCall::method)
        return faultOfCall<RunCall>(isRequest, body);
    if (method == StatisticsCall::method)
        return faultOfCall<StatisticsCall>(isRequest, body);
    return "there is no such method";
}

std::string faultOfNote(std::string_view event, const std::string &body)
{
    if (event == ProgressEvent)
        return faultOf<ProgressNote>(body);
    if (event == WarningEvent || event == StalledEvent)
        return faultOf<TextNote>(body);
    if (event == TraceEvent)
        return faultOf<trace::TracePart>(body);
    if (event == MemoryEvent)
        return faultOf<MemoryNote>(body);
    return "there is no such event";
}

} // namespace

class TestConversation : public QObject
{
    Q_OBJECT

    const std::vector<std::string> m_payloads = tests::readConversation(PIPESCOPE_TEST_DATA "/conversation/mlp.frames");

private Q_SLOTS:
    void everyMessageIsWrittenAsItWasRead()
    {
        std::map<std::int64_t, std::string> methods;
        std::set<std::string> events;
        for (const std::string &payload : m_payloads) {
            const auto message = messageFrom(payload);
            QVERIFY2(message, message ? "" : message.error().message.c_str());
            QVERIFY(toBytes(*message) == payload);
            std::string name;
            std::string fault;
            if (const auto *request = std::get_if<Request>(&*message)) {
                name = methods[request->id] = request->method;
                fault = faultOfBody(request->method, true, request->body);
            } else if (const auto *response = std::get_if<Response>(&*message)) {
                name = methods[response->id] + "'s answer";
                QVERIFY(std::holds_alternative<std::string>(response->answer));
                fault = faultOfBody(methods[response->id], false, std::get<std::string>(response->answer));
            } else {
                const auto &note = std::get<Notification>(*message);
                name = note.event;
                events.insert(note.event);
                QVERIFY(methods.contains(note.id));
                fault = faultOfNote(note.event, note.body);
            }
            QVERIFY2(fault.empty(), (name + ": " + fault).c_str());
        }
        QCOMPARE(methods.size(), std::size_t(6));
        QVERIFY(events.contains("progress") && events.contains("trace") && events.contains("memory"));
    }

    void nothingOfTheMachineIsInIt()
    {
        QVERIFY(!m_payloads.empty());
        for (const std::string &payload : m_payloads) {
            for (const char *path : {"/home", "/root", "/tmp", "/work", "/usr", "/build"})
                QVERIFY2(payload.find(path) == std::string::npos, path);
        }
    }
};

PIPESCOPE_TEST(TestConversation)
#include "tst_conversation.moc"
