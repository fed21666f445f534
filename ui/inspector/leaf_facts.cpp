#include "inspector/leaf_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "widgets/number_text.h"

namespace pipescope::inspector {

namespace {

using namespace widgets;

constexpr int Digits = 4;

} // namespace

std::vector<Fact> leafFacts(const report::LeafStatistics &leaf)
{
    FactSheet sheet;
    const graph::TensorMeta meta{leaf.dtype, leaf.sizes, leaf.bytes, false};
    addFact(sheet, tr("shape"), {plain(QString::fromStdString(toText(meta)))});
    addFact(sheet, tr("elements"), {plain(tr("%1 (%2)").arg(countText(leaf.count), bytesText(leaf.bytes)))});
    if (leaf.mean)
        addFact(sheet, tr("mean"), {plain(numberText(*leaf.mean, Digits))});
    if (leaf.deviation)
        addFact(sheet, tr("std"), {plain(numberText(*leaf.deviation, Digits))});
    if (leaf.smallest && leaf.largest)
        addFact(sheet, tr("range"),
                {plain(tr("%1 … %2").arg(numberText(*leaf.smallest, Digits), numberText(*leaf.largest, Digits)))});
    addFact(sheet, tr("NaN, Inf"), {plain(tr("%1, %2").arg(countText(leaf.nans), countText(leaf.infinities)))});
    addFact(sheet, tr("zeros"),
            {plain(tr("%1 (%2)").arg(countText(leaf.zeros),
                                     shareText(static_cast<double>(leaf.zeros), static_cast<double>(leaf.count))))});
    return sheet.facts;
}

Bins binsOf(const report::LeafStatistics &leaf)
{
    if (!leaf.smallest || !leaf.largest)
        return {};
    return {leaf.histogram, *leaf.smallest, *leaf.largest};
}

} // namespace pipescope::inspector
