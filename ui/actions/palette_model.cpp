#include "actions/palette_model.h"

#include "actions/word_match.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::actions {

PaletteItem::PaletteItem(QString name, QString about, QString what, std::function<void()> doIt)
    : text(std::move(name))
    , detail(std::move(about))
    , kind(std::move(what))
    , done(std::move(doIt))
    , folded((text + ' ' + detail).toLower())
{
}

void PaletteModel::setItems(std::vector<PaletteItems> items)
{
    beginResetModel();
    m_shown.clear();
    m_items = std::move(items);
    endResetModel();
    search(m_typed);
}

void PaletteModel::search(const QString &typed)
{
    struct Found
    {
        int score;
        const PaletteItem *item;
    };
    const QStringList words = wordsOf(typed);
    std::vector<Found> found;
    for (const PaletteItems &items : m_items)
        for (const PaletteItem &item : *items)
            if (const int score = matchScore(words, item.folded); score >= 0)
                found.push_back({score + item.weight, &item});
    const std::size_t shown = std::min<std::size_t>(found.size(), MostShown);
    const auto better = [](const Found &a, const Found &b) { return a.score > b.score; };
    if (!words.isEmpty() && found.size() > shown) {
        std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), found.end(), better);
    }
    beginResetModel();
    m_typed = typed;
    m_found = static_cast<int>(found.size());
    found.resize(shown);
    std::stable_sort(found.begin(), found.end(), better);
    m_shown.clear();
    for (const Found &one : found)
        m_shown.push_back(one.item);
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const PaletteItem &shown = item(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shown.text;
    case Qt::ToolTipRole:
    case WhyNotRole:
        return shown.whyNot;
    case Qt::AccessibleTextRole:
        return QStringList{shown.text, shown.detail, shown.kind, shown.whyNot}.join(' ').simplified();
    case DetailRole:
        return shown.detail;
    case KindRole:
        return shown.kind;
    case KeysRole:
        return shown.keys;
    default:
        return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex &index) const
{
    // What cannot be done can still be reached, to read why.
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

} // namespace pipescope::actions
