// The arithmetic of one cut: a dimension of some length is cut in pieces, each piece in chunks as torch.chunk cuts, and
// a part is its chunk of every piece, one after another. All functions take a time that depends on neither length nor
// number of pieces.
#pragma once

#include <cstdint>

namespace pipescope::shard {

/// A position within a part.
struct PartPosition
{
    int part = 0;
    std::int64_t position = 0;

    friend bool operator==(const PartPosition &, const PartPosition &) = default;
};

class DimCut
{
public:
    /// length >= 0, parts >= 1, splitFactor >= 1. With splitFactor 1 the parts are those of torch.chunk: length 10 in 4
    /// gives 3, 3, 3, 1; length 9 gives 3, 3, 3, 0.
    DimCut(std::int64_t length, int parts, std::int64_t splitFactor = 1);

    /// Elements of the part.
    [[nodiscard]] std::int64_t size(int part) const;
    /// The most elements that a part has: the size that a collective of equal sizes pads to.
    [[nodiscard]] std::int64_t largest() const { return size(0); }
    /// Where an element of a part stands in the uncut dimension, 0 <= position < size(part). Grows with the position.
    [[nodiscard]] std::int64_t whole(int part, std::int64_t position) const;
    /// Which part holds an element of the uncut dimension, and where in it, 0 <= position < length.
    [[nodiscard]] PartPosition part(std::int64_t position) const;
    /// How many elements of the part, from `position` on, stand side by side in the uncut dimension.
    [[nodiscard]] std::int64_t runFrom(int part, std::int64_t position) const;

    friend bool operator==(const DimCut &, const DimCut &) = default;

private:
    std::int64_t m_fullPieces; ///< pieces of the full length
    std::int64_t m_piece;      ///< length of a full piece
    std::int64_t m_chunk;      ///< length of its full chunks
    std::int64_t m_rest;       ///< length of the one shorter piece after them, 0 for none
    std::int64_t m_restChunk;  ///< length of that one's full chunks
};

} // namespace pipescope::shard
