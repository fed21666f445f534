// The method's arguments, what is given for each, and how it is cut into microbatches: text in the grammar of the
// command line, refused with its own words where it cannot be read.
#pragma once

#include "session/document.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <map>
#include <utility>

namespace pipescope::runview {

class InputTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Type, Value, Chunk, ColumnCount };

    /// The document must outlive this.
    explicit InputTableModel(session::Document &document, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Empty text takes the value or the spec away. False, and refused() says why, where the text cannot be read: the
    /// cell then shows it with a warning and the reason as its tool tip, and the plan stays as it was, until something
    /// else is set there, here or by an edit of the plan.
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

    /// What stands in cells and could not be read, by row: a sentence each with the input it is of.
    [[nodiscard]] QStringList refusals() const;
    /// Whether there is anything in the input to cut: what holds no tensor goes to every microbatch as it is.
    [[nodiscard]] bool hasTensors(int row) const;

Q_SIGNALS:
    /// As refusals() has it.
    void refused(const QString &why);
    /// What was typed is what the plan says now.
    void taken();

private:
    void reset();
    void showPlan();
    [[nodiscard]] const std::vector<graph::Argument> &arguments() const;
    [[nodiscard]] QString valueText(int row) const;
    [[nodiscard]] QString chunkText(int row) const;
    [[nodiscard]] QString plannedText(std::pair<int, int> cell) const;
    Status setValue(int row, const std::string &text);
    Status setChunk(int row, const std::string &text);

    /// What was typed into a cell and could not be read.
    struct Refusal
    {
        QString text;
        QString why;
        QString planned; ///< what the plan says of the cell meanwhile
    };
    [[nodiscard]] const Refusal *refusal(const QModelIndex &index) const;
    [[nodiscard]] QString cellName(int row, int column) const;

    session::Document &m_document;
    std::map<std::pair<int, int>, Refusal> m_refused; ///< by row and column
    std::shared_ptr<const report::Inspection> m_model;
};

} // namespace pipescope::runview
