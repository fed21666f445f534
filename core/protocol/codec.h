// Structs as JSON values and back, from one list of their fields: `fields(visit, value)` names each member once, and
// Encoder and Decoder below are the two visitors. Everything is checked on the way in: a missing key, a wrong type or a
// number out of range is an Error that names the place, "graph.nodes[3].op". Keys that are not known are passed over,
// so that a newer side may send more. Private to protocol/.
#pragma once

#include "base/ids.h"
#include "protocol/cbor.h"

#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace pipescope::protocol {

template <class T, class Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;

/// How many values an enum has; specialised beside its struct's fields.
template <class E>
inline constexpr int EnumSize = 0;

/// Structs of which there are millions go without keys, as arrays in the order of their fields.
template <class T>
inline constexpr bool WithoutKeys = false;

/// What is written as text, with the functions that do so; specialised for grammars that exist anyway.
template <class T>
struct TextForm
{
    static constexpr bool exists = false;
};

class Encoder
{
public:
    template <class T>
    static Json encode(const T &value)
    {
        if constexpr (TextForm<T>::exists) {
            return TextForm<T>::write(value);
        } else if constexpr (std::is_enum_v<T>) {
            static_assert(EnumSize<T> > 0, "say how many values the enum has");
            return static_cast<int>(value);
        } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
            return value;
        } else {
            return encodeCompound(value);
        }
    }

    template <class T>
    void operator()(const char *key, const T &member)
    {
        if (m_withoutKeys)
            m_json.push_back(encode(member));
        else
            m_json[key] = encode(member);
    }

private:
    explicit Encoder(bool withoutKeys)
        : m_withoutKeys(withoutKeys)
        , m_json(withoutKeys ? Json::array() : Json::object())
    {
    }

    template <class Tag>
    static Json encodeCompound(const Id<Tag> &id)
    {
        return id.value;
    }
    template <class T>
    static Json encodeCompound(const std::optional<T> &value)
    {
        return value ? encode(*value) : Json();
    }
    template <class T>
    static Json encodeCompound(const std::vector<T> &items)
    {
        Json array = Json::array();
        for (const T &item : items)
            array.push_back(encode(item));
        return array;
    }
    template <class A, class B>
    static Json encodeCompound(const std::pair<A, B> &pair)
    {
        return Json::array({encode(pair.first), encode(pair.second)});
    }
    template <class T>
    static Json encodeCompound(const T &value)
    {
        Encoder encoder(WithoutKeys<T>);
        fields(encoder, value);
        return std::move(encoder.m_json);
    }

    const bool m_withoutKeys;
    Json m_json;
};

class Decoder
{
public:
    /// `where` is the name of the whole in errors.
    template <class T>
    static Result<T> decode(const Json &json, const std::string &where)
    {
        T value{};
        std::optional<Error> problem;
        read(json, value, where, problem);
        if (problem)
            return *std::move(problem);
        return value;
    }

    template <class T>
    void operator()(const char *key, T &member)
    {
        if (m_problem)
            return;
        if (m_withoutKeys) {
            read(m_json[m_next++], member, m_where, m_problem);
            return;
        }
        const auto found = m_json.find(key);
        if (found == m_json.end())
            fail(m_where, fmt::format("'{}' is missing", key), m_problem);
        else
            read(*found, member, fmt::format("{}.{}", m_where, key), m_problem);
    }

private:
    Decoder(const Json &json, bool withoutKeys, const std::string &where, std::optional<Error> &problem)
        : m_json(json)
        , m_withoutKeys(withoutKeys)
        , m_where(where)
        , m_problem(problem)
    {
    }

    static void fail(const std::string &where, const std::string &what, std::optional<Error> &problem)
    {
        problem = Error{ErrorCode::InvalidFile, fmt::format("{}: {}", where, what), where, {}};
    }

    static void expected(const char *what, const Json &found, const std::string &where, std::optional<Error> &problem)
    {
        fail(where, fmt::format("expected {}, found {}", what, found.type_name()), problem);
    }

    template <class T>
    static void read(const Json &json, T &value, const std::string &where, std::optional<Error> &problem)
    {
        if constexpr (TextForm<T>::exists) {
            if (!json.is_string())
                return expected("text", json, where, problem);
            Result<T> parsed = TextForm<T>::parse(json.get_ref<const std::string &>());
            if (!parsed)
                return fail(where, parsed.error().message, problem);
            value = *std::move(parsed);
        } else if constexpr (std::is_enum_v<T>) {
            int number = 0;
            read(json, number, where, problem);
            if (!problem && (number < 0 || number >= EnumSize<T>))
                fail(where, fmt::format("{} is not one of the {} there are", number, EnumSize<T>), problem);
            value = static_cast<T>(number);
        } else if constexpr (std::same_as<T, bool>) {
            if (!json.is_boolean())
                return expected("true or false", json, where, problem);
            value = json.get<bool>();
        } else if constexpr (std::integral<T>) {
            readInteger(json, value, where, problem);
        } else if constexpr (std::floating_point<T>) {
            if (!json.is_number())
                return expected("a number", json, where, problem);
            value = json.get<T>();
        } else if constexpr (std::same_as<T, std::string>) {
            if (!json.is_string())
                return expected("text", json, where, problem);
            value = json.get_ref<const std::string &>();
        } else {
            readCompound(json, value, where, problem);
        }
    }

    template <class T>
    static void readInteger(const Json &json, T &value, const std::string &where, std::optional<Error> &problem)
    {
        using Limits = std::numeric_limits<T>;
        const bool fits = json.is_number_unsigned()
                              ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(Limits::max())
                              : json.is_number_integer() && std::signed_integral<T> &&
                                    json.get<std::int64_t>() >= static_cast<std::int64_t>(Limits::min());
        if (!fits)
            return json.is_number() ? fail(where, "a number is out of range", problem)
                                    : expected("a whole number", json, where, problem);
        value = json.get<T>();
    }

    template <class Tag>
    static void readCompound(const Json &json, Id<Tag> &id, const std::string &where, std::optional<Error> &problem)
    {
        readInteger(json, id.value, where, problem);
    }
    template <class T>
    static void readCompound(const Json &json, std::optional<T> &value, const std::string &where,
                             std::optional<Error> &problem)
    {
        if (json.is_null())
            value.reset();
        else
            read(json, value.emplace(), where, problem);
    }
    template <class T>
    static void readCompound(const Json &json, std::vector<T> &items, const std::string &where,
                             std::optional<Error> &problem)
    {
        if (!json.is_array())
            return expected("a list", json, where, problem);
        items.reserve(json.size());
        for (std::size_t i = 0; i < json.size() && !problem; ++i) {
            T item{};
            read(json[i], item, where, problem);
            if (problem && problem->where.starts_with(where))
                problem = atItem(*std::exchange(problem, std::nullopt), where, i);
            items.push_back(std::move(item));
        }
    }
    template <class A, class B>
    static void readCompound(const Json &json, std::pair<A, B> &pair, const std::string &where,
                             std::optional<Error> &problem)
    {
        if (!json.is_array() || json.size() != 2)
            return expected("a list of two", json, where, problem);
        read(json[0], pair.first, where, problem);
        if (!problem)
            read(json[1], pair.second, where, problem);
    }
    template <class T>
    static void readCompound(const Json &json, T &value, const std::string &where, std::optional<Error> &problem)
    {
        if constexpr (WithoutKeys<T>) {
            if (!json.is_array() || json.size() < countedFields<T>())
                return expected("a list of an event's values", json, where, problem);
        } else if (!json.is_object()) {
            return expected("an object", json, where, problem);
        }
        Decoder decoder(json, WithoutKeys<T>, where, problem);
        fields(decoder, value);
    }

    struct Counter
    {
        std::size_t count = 0;
        template <class T>
        void operator()(const char *, const T &)
        {
            ++count;
        }
    };
    template <class T>
    static std::size_t countedFields()
    {
        Counter counter;
        const T value{};
        fields(counter, value);
        return counter.count;
    }

    /// Only made where something is wrong: most items are right, and naming each would take most of the time.
    static Error atItem(Error error, const std::string &where, std::size_t index)
    {
        const std::string item = fmt::format("{}[{}]", where, index);
        const std::string rest = error.where.substr(where.size());
        if (error.message.starts_with(error.where))
            error.message = item + rest + error.message.substr(error.where.size());
        error.where = item + rest;
        return error;
    }

    const Json &m_json;
    const bool m_withoutKeys;
    std::size_t m_next = 0;
    const std::string &m_where;
    std::optional<Error> &m_problem;
};

} // namespace pipescope::protocol
