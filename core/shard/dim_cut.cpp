#include "shard/dim_cut.h"

#include "base/error.h"

#include <algorithm>

namespace pipescope::shard {

namespace {

/// Rounded up. Unlike (a + b - 1) / b, this does not overflow.
std::int64_t dividedUp(std::int64_t length, std::int64_t by)
{
    return length / by + (length % by == 0 ? 0 : 1);
}

/// What is left of a piece for the chunk that begins at `begin`.
std::int64_t chunkSize(std::int64_t piece, std::int64_t chunk, std::int64_t begin)
{
    return std::clamp<std::int64_t>(piece - begin, 0, chunk);
}

} // namespace

DimCut::DimCut(std::int64_t length, int parts, std::int64_t splitFactor)
    : m_fullPieces(length == 0 ? 0 : length / dividedUp(length, splitFactor))
    , m_piece(dividedUp(length, splitFactor))
    , m_chunk(dividedUp(m_piece, parts))
    , m_rest(length - m_fullPieces * m_piece)
    , m_restChunk(dividedUp(m_rest, parts))
{
    PIPESCOPE_ASSERT(length >= 0 && parts >= 1 && splitFactor >= 1);
}

std::int64_t DimCut::size(int part) const
{
    return m_fullPieces * chunkSize(m_piece, m_chunk, part * m_chunk) +
           chunkSize(m_rest, m_restChunk, part * m_restChunk);
}

std::int64_t DimCut::whole(int part, std::int64_t position) const
{
    if (m_fullPieces == 1 && m_rest == 0)
        return part * m_chunk + position; // a plain cut, without a division
    const std::int64_t ofPiece = chunkSize(m_piece, m_chunk, part * m_chunk);
    const std::int64_t ofFull = m_fullPieces * ofPiece;
    if (position >= ofFull)
        return m_fullPieces * m_piece + part * m_restChunk + (position - ofFull);
    return position / ofPiece * m_piece + part * m_chunk + position % ofPiece;
}

PartPosition DimCut::part(std::int64_t position) const
{
    const std::int64_t piece = position / m_piece;
    const std::int64_t inPiece = position - piece * m_piece;
    const bool isFull = piece < m_fullPieces;
    const auto part = static_cast<int>(inPiece / (isFull ? m_chunk : m_restChunk));
    const std::int64_t begin = part * (isFull ? m_chunk : m_restChunk);
    return {part, piece * chunkSize(m_piece, m_chunk, part * m_chunk) + inPiece - begin};
}

std::int64_t DimCut::runFrom(int part, std::int64_t position) const
{
    if (m_chunk == m_piece) // the first part holds everything
        return size(part) - position;
    const std::int64_t ofPiece = chunkSize(m_piece, m_chunk, part * m_chunk);
    const std::int64_t ofFull = m_fullPieces * ofPiece;
    if (position >= ofFull)
        return chunkSize(m_rest, m_restChunk, part * m_restChunk) - (position - ofFull);
    return ofPiece - position % ofPiece;
}

} // namespace pipescope::shard
