/* Bit scans and sliding attacks in C, for the specialised python-chess and its callers.
 *
 * Portable to gcc, clang and MSVC. Every function accepts any int as a square (only its low six
 * bits count), so none of them can read outside a table.
 * chess_tables.h is generated from python-chess's own tables, see specialise.py.
 */
#ifndef HALBZUG_BITS_H
#define HALBZUG_BITS_H

#include <stdlib.h>
#include "chess_tables.h"

#if defined(__POPCNT__) && defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(_MSC_VER)
#include <intrin.h>
static __inline int _c_lsb(u64 bb) { unsigned long i; return _BitScanForward64(&i, bb) ? (int)i : -1; }
static __inline int _c_msb(u64 bb) { unsigned long i; return _BitScanReverse64(&i, bb) ? (int)i : -1; }
#define halbzug_swap_ranks _byteswap_uint64
#else
static inline int _c_lsb(u64 bb) { return bb ? __builtin_ctzll(bb) : -1; }
static inline int _c_msb(u64 bb) { return bb ? 63 - __builtin_clzll(bb) : -1; }
#define halbzug_swap_ranks __builtin_bswap64
#endif

/* Fetch a cache line before it is needed: a table look-up spends most of its time waiting. */
#if defined(__GNUC__) || defined(__clang__)
#define _c_prefetch(address) __builtin_prefetch(address)
#else
#define _c_prefetch(address) ((void)(address))
#endif

/* The letters of the piece types in FEN. */
static const char PIECE_LETTERS[8] = "?pnbrqk";

static inline u64 _c_bb(int square) { return 1ULL << (square & 63); }

/* Whether this code can run on this processor: whether it was compiled without the POPCNT
 * instruction (see build.py), or the processor has it. __builtin_cpu_supports would ask the
 * compiler's library, and zig's always says no. */
static inline int _c_can_run(void) {
#if defined(__POPCNT__) && defined(__x86_64__)
    unsigned int eax, ebx, ecx, edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_POPCNT) != 0;
#else
    return 1;
#endif
}

/* Without the POPCNT instruction the compiler's builtin is a slow library call. */
static inline int _c_popcount(u64 bb) {
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcountll(bb);
#else
    bb -= (bb >> 1) & 0x5555555555555555ULL;
    bb = (bb & 0x3333333333333333ULL) + ((bb >> 2) & 0x3333333333333333ULL);
    bb = (bb + (bb >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((bb * 0x0101010101010101ULL) >> 56);
#endif
}

static inline u64 _c_ray(int a, int b) { return _t_ray[a & 63][b & 63]; }
static inline u64 _c_between(int a, int b) { return _t_between[a & 63][b & 63]; }

/* Hyperbola quintessence: attacks along one line through a square, for lines that meet each rank
 * at most once. Subtracting the slider finds the first blocker upwards; the same subtraction with
 * the ranks swapped finds the first one downwards. */
static inline u64 halbzug_line(u64 occupied, u64 line, u64 slider) {
    u64 up = occupied & line;
    u64 down = halbzug_swap_ranks(up);
    up -= slider;
    down -= halbzug_swap_ranks(slider);
    return (up ^ halbzug_swap_ranks(down)) & line;
}

static inline u64 _c_diag(int square, u64 occupied) {
    u64 slider = _c_bb(square);
    return halbzug_line(occupied, _t_diagonal[square & 63], slider) |
           halbzug_line(occupied, _t_antidiagonal[square & 63], slider);
}

static inline u64 _c_file(int square, u64 occupied) {
    return halbzug_line(occupied, _t_file_rays[square & 63], _c_bb(square));
}

/* A rank lies within one byte, so its attacks are looked up by the six inner squares. */
static inline u64 _c_rank(int square, u64 occupied) {
    int shift = square & 56;
    return (u64)_t_first_rank[square & 7][(occupied >> (shift + 1)) & 63] << shift;
}

/* The mask if the condition (0 or 1) holds, else 0, without a branch. */
static inline u64 _c_when(int condition, u64 mask) { return mask & (0 - (u64)condition); }

/* Whether a buffer of move codes contains a code. */
static inline int _c_holds(const int *codes, int count, int code) {
    while (count > 0)
        if (codes[--count] == code)
            return 1;
    return 0;
}

/* The index of the greatest rating. Uses conditional moves, because a branch would be unpredictable. */
static inline int _c_best(const long long *ratings, int first, int end) {
    int place = first;
    long long best = ratings[first];
    for (int index = first + 1; index < end; index++) {
        int is_better = ratings[index] > best;
        best = is_better ? ratings[index] : best;
        place = is_better ? index : place;
    }
    return place;
}

/* The length of a list, or 0 for None. */
static inline Py_ssize_t _c_length(PyObject *list) { return list == Py_None ? 0 : PyList_GET_SIZE(list); }

/* The object that the __new__ of a class returns. */
static inline PyObject *_c_new(PyTypeObject *cls, PyObject *arguments) {
    return cls->tp_new(cls, arguments, NULL);
}

/* Read and write a pointer that other threads may write: a thread that sees the pointer also sees
 * the object. */
#if defined(_MSC_VER) && !defined(__clang__)
#define _c_read_pointer(place) (*(PyObject *volatile *)(place))
#define _c_write_pointer(place, value) (*(PyObject *volatile *)(place) = (value))
#else
#define _c_read_pointer(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
#define _c_write_pointer(place, value) __atomic_store_n((place), (value), __ATOMIC_RELEASE)
#endif

#endif
