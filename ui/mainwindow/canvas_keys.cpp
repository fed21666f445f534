#include "mainwindow/canvas_keys.h"

#include <QCoreApplication>

namespace pipescope::mainwindow {

namespace {

struct Row
{
    const char *keys;
    const char *what;
};

// What graphview/graph_canvas_keys.cpp, graph_canvas_splits.cpp and graph_canvas_input.cpp do.
constexpr Row Graph[] = {
    {QT_TRANSLATE_NOOP("CanvasKeys", "wheel, dragging"), QT_TRANSLATE_NOOP("CanvasKeys", "zoom at the pointer, pan")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "+, -, F"), QT_TRANSLATE_NOOP("CanvasKeys", "zoom, show all")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Home, Page Up, Page Down"),
     QT_TRANSLATE_NOOP("CanvasKeys", "the beginning; up and down")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Up, Down"),
     QT_TRANSLATE_NOOP("CanvasKeys", "previous and next box in program order")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Right, Left"), QT_TRANSLATE_NOOP("CanvasKeys", "into a module, out of it")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Enter, Space, double click"),
     QT_TRANSLATE_NOOP("CanvasKeys", "open or close a module")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "N or F3, with Shift"),
     QT_TRANSLATE_NOOP("CanvasKeys", "next match, previous match")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "1, 2, 3, 4"),
     QT_TRANSLATE_NOOP("CanvasKeys", "colours for stages, time, memory, parameters")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "click on a wire, dragging from it"),
     QT_TRANSLATE_NOOP("CanvasKeys", "place a split there")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Ctrl+click on a wire"), QT_TRANSLATE_NOOP("CanvasKeys", "select its value")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "S"),
     QT_TRANSLATE_NOOP("CanvasKeys", "place a split before the box, or take it away")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Alt+Up, Alt+Down, Delete"),
     QT_TRANSLATE_NOOP("CanvasKeys", "move the selected split, remove it")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Esc"), QT_TRANSLATE_NOOP("CanvasKeys", "select what is around")},
};

// What graphview/split_gutter.cpp does.
constexpr Row ProgramOrder[] = {
    {QT_TRANSLATE_NOOP("CanvasKeys", "Up, Down"), QT_TRANSLATE_NOOP("CanvasKeys", "previous and next gap")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Enter, Space"), QT_TRANSLATE_NOOP("CanvasKeys", "place a split, or remove it")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Alt+Up, Alt+Down"), QT_TRANSLATE_NOOP("CanvasKeys", "move the split")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Delete"), QT_TRANSLATE_NOOP("CanvasKeys", "remove the split")},
};

// What timeline/timeline_input.cpp does.
constexpr Row Timeline[] = {
    {QT_TRANSLATE_NOOP("CanvasKeys", "W, S or wheel"), QT_TRANSLATE_NOOP("CanvasKeys", "zoom at the pointer")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "A, D or Shift+wheel"), QT_TRANSLATE_NOOP("CanvasKeys", "pan")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "dragging"), QT_TRANSLATE_NOOP("CanvasKeys", "select a span")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "dragging in the ruler, Ctrl+dragging"),
     QT_TRANSLATE_NOOP("CanvasKeys", "zoom into it")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Shift+dragging, middle button"), QT_TRANSLATE_NOOP("CanvasKeys", "pan")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Backspace"), QT_TRANSLATE_NOOP("CanvasKeys", "what was seen before")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "F, Z"), QT_TRANSLATE_NOOP("CanvasKeys", "the whole run; what is selected")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "M, then Shift+Left, Shift+Right"),
     QT_TRANSLATE_NOOP("CanvasKeys", "a span of what is selected; shorter, longer")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Left, Right, Up, Down"),
     QT_TRANSLATE_NOOP("CanvasKeys", "walk along a lane, from lane to lane")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "[, ]"),
     QT_TRANSLATE_NOOP("CanvasKeys", "to what it waited for, to what waited for it")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Esc"), QT_TRANSLATE_NOOP("CanvasKeys", "select nothing")},
};

// What shardview/shard_canvas_input.cpp and shardview/shard_page.cpp do.
constexpr Row Shards[] = {
    {QT_TRANSLATE_NOOP("CanvasKeys", "wheel, dragging"), QT_TRANSLATE_NOOP("CanvasKeys", "zoom at the pointer, pan")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "+, -, F"), QT_TRANSLATE_NOOP("CanvasKeys", "zoom, show all")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Left, Right, Up, Down"),
     QT_TRANSLATE_NOOP("CanvasKeys", "previous and next rank")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Page Up, Page Down"), QT_TRANSLATE_NOOP("CanvasKeys", "previous and next step")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Home, End"), QT_TRANSLATE_NOOP("CanvasKeys", "the whole way, the last step")},
    {QT_TRANSLATE_NOOP("CanvasKeys", "Esc"), QT_TRANSLATE_NOOP("CanvasKeys", "select no rank")},
};

QString translated(const char *text)
{
    return QCoreApplication::translate("CanvasKeys", text);
}

template <std::size_t Count>
void add(std::vector<actions::KeyRow> &keys, const char *where, const Row (&rows)[Count])
{
    for (const Row &row : rows)
        keys.push_back({translated(where), translated(row.keys), translated(row.what)});
}

} // namespace

std::vector<actions::KeyRow> canvasKeys()
{
    std::vector<actions::KeyRow> keys;
    add(keys, QT_TRANSLATE_NOOP("CanvasKeys", "graph"), Graph);
    add(keys, QT_TRANSLATE_NOOP("CanvasKeys", "program order"), ProgramOrder);
    add(keys, QT_TRANSLATE_NOOP("CanvasKeys", "timeline"), Timeline);
    add(keys, QT_TRANSLATE_NOOP("CanvasKeys", "shards"), Shards);
    return keys;
}

} // namespace pipescope::mainwindow
