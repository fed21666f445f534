#include "session/use_name.h"

#include "session/translate.h"
#include "trace/explain/cause_words.h"

namespace pipescope::session {

QString useName(trace::Use use)
{
    switch (use) {
    case trace::Use::Forward:
        return tr("forward");
    case trace::Use::Backward:
        return tr("backward");
    case trace::Use::InputGradient:
        return tr("input gradient");
    case trace::Use::WeightGradient:
        return tr("weight gradient");
    case trace::Use::Send:
        return tr("send");
    case trace::Use::Receive:
        return tr("receive");
    case trace::Use::Input:
        return tr("wait for input");
    case trace::Use::Credit:
        return tr("wait for credit");
    case trace::Use::Device:
        return tr("wait for device");
    case trace::Use::Fill:
        return tr(wordsOf(trace::BubbleCause::WarmUp).name);
    case trace::Use::Drain:
        return tr(wordsOf(trace::BubbleCause::CoolDown).name);
    case trace::Use::NotRunning:
        return tr(wordsOf(trace::BubbleCause::NotRunning).name);
    case trace::Use::Runtime:
        break;
    }
    return tr(wordsOf(trace::BubbleCause::Runtime).name);
}

} // namespace pipescope::session
