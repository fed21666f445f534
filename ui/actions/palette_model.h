// What the command palette offers, and which of it answers what is typed.
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

namespace pipescope::actions {

/// One thing that can be found.
struct PaletteItem
{
    PaletteItem(QString name, QString about, QString what, std::function<void()> doIt);

    QString text;   ///< its name
    QString detail; ///< searched too: an operator, a class
    QString kind;   ///< "node", "stage", "command"
    QString keys = {};
    QString whyNot = {}; ///< why it cannot be done now; "" where it can
    std::function<void()> done;
    int weight = 0; ///< commands come before nodes that match as well
    QString folded; ///< text and detail in lower case, as compared
};

/// Everything of one kind; shared, since a model's nodes are many and stay the same from one opening to the next.
using PaletteItems = std::shared_ptr<const std::vector<PaletteItem>>;

class PaletteModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole, KindRole, KeysRole, WhyNotRole };
    /// More are not shown: who sees none of the first types another word.
    static constexpr int MostShown = 100;

    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<PaletteItems> items);
    /// The best answers to the words, best first.
    void search(const QString &typed);
    /// How many there are, shown or not.
    [[nodiscard]] int found() const { return m_found; }
    [[nodiscard]] const PaletteItem &item(int row) const { return *m_shown[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    std::vector<PaletteItems> m_items;
    std::vector<const PaletteItem *> m_shown;
    QString m_typed;
    int m_found = 0;
};

} // namespace pipescope::actions
