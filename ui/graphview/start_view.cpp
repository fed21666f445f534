#include "graphview/start_view.h"

#include <algorithm>
#include <iterator>

namespace pipescope::graphview {

double fullestColumns(const std::vector<QRectF> &boxes, const QRectF &first, double width)
{
    std::vector<double> lefts;
    std::vector<double> rights;
    for (const QRectF &box : boxes) {
        if (box.width() > width) // never whole
            continue;
        lefts.push_back(box.left());
        rights.push_back(box.right());
    }
    std::sort(lefts.begin(), lefts.end());
    std::sort(rights.begin(), rights.end());
    double best = first.left();
    std::ptrdiff_t most = 0;
    for (const double left : lefts) {
        if (left > first.left() || left + width < first.right())
            continue;
        // A box that begins before `left` also ends before left + width, being no wider.
        const auto ended = std::upper_bound(rights.begin(), rights.end(), left + width) - rights.begin();
        const auto before = std::lower_bound(lefts.begin(), lefts.end(), left) - lefts.begin();
        if (ended - before > most) {
            most = ended - before;
            best = left;
        }
    }
    return best;
}

} // namespace pipescope::graphview
