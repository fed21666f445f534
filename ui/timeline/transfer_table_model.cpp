#include "timeline/transfer_table_model.h"

#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::timeline {

TransferTableModel::TransferTableModel(QObject *parent)
    : SpotTableModel({{Rank, tr("rank"), Sort::Id},
                      {Kind, tr("kind"), Sort::Text},
                      {From, tr("from stage"), Sort::Id},
                      {To, tr("to stage"), Sort::Id},
                      {Microbatch, tr("microbatch"), Sort::Id},
                      {Begin, tr("start"), Sort::Time},
                      {Length, tr("duration"), Sort::Time},
                      {Bytes, tr("bytes"), Sort::Number},
                      {Value, tr("value"), Sort::Text}},
                     parent)
{
}

std::vector<Spot> TransferTableModel::spotsOf(const LaneModel &model) const
{
    return slicesOf(model, [](const trace::Slice &slice) { return trackOf(slice.kind) == Track::Transfer; });
}

double TransferTableModel::keyOf(Spot spot, int column) const
{
    const trace::Slice &slice = shown().at({spot.lane, spot.slice});
    const trace::Event &event = shown().eventOf(slice);
    const bool isSend = slice.kind == trace::EventKind::Send;
    switch (column) {
    case Rank:
        return spot.lane;
    case Kind:
        return isSend ? 0 : 1;
    case From:
        return isSend ? slice.stage.value : event.peer.value;
    case To:
        return isSend ? event.peer.value : slice.stage.value;
    case Microbatch:
        return slice.microbatch.value;
    case Begin:
        return static_cast<double>(slice.time.beginNs);
    case Length:
        return slice.time.spanNs();
    case Bytes:
        return static_cast<double>(event.bytes);
    default:
        break;
    }
    // By its first letters: enough to bring those of one name together, and a number.
    double key = 0;
    for (std::size_t i = 0; i < 6; ++i)
        key = key * 256 + (i < event.value.size() ? static_cast<unsigned char>(event.value[i]) : 0);
    return key;
}

QString TransferTableModel::textOf(Spot spot, int column) const
{
    const trace::Event &event = shown().eventOf(shown().at({spot.lane, spot.slice}));
    if (column == Kind)
        return event.kind == trace::EventKind::Send ? tr("send") : tr("receive");
    if (column == Value)
        return QString::fromStdString(event.value);
    if (column == Bytes)
        return widgets::bytesText(event.bytes);
    const double value = keyOf(spot, column);
    return value < 0 ? QString() : QString::number(static_cast<qint64>(value));
}

} // namespace pipescope::timeline
