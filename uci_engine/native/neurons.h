/* The inner loops of the network in C; `eval/rows.py` contains them in Python.
 *
 * Neurons come in blocks of 32. With AVX2, a processor computes sixteen at once instead of eight.
 * The loops are compiled for both, and one check at run time chooses between them.
 */
#ifndef HALBZUG_NEURONS_H
#define HALBZUG_NEURONS_H

#if defined(__clang__)
#define HALBZUG_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HALBZUG_LOOP _Pragma("GCC ivdep")
#else
#define HALBZUG_LOOP
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HALBZUG_INLINE static inline __attribute__((always_inline))
#else
#define HALBZUG_INLINE static __inline
#endif

/* `to` and `from` may be the same. */
HALBZUG_INLINE void _rows_move(short *to, const short *from, const signed char *added,
                               const signed char *removed, int count) {
    count &= ~31;
    HALBZUG_LOOP
    for (int i = 0; i < count; i++)
        to[i] = (short)(from[i] + (short)(added[i] - removed[i]));
}

HALBZUG_INLINE void _rows_capture(short *to, const short *from, const signed char *added,
                                  const signed char *removed, const signed char *captured,
                                  int count) {
    count &= ~31;
    HALBZUG_LOOP
    for (int i = 0; i < count; i++)
        to[i] = (short)(from[i] + (short)(added[i] - removed[i]) - captured[i]);
}

/* Castling, and several pieces at once in a new king bucket. */
HALBZUG_INLINE void _rows_two(short *to, const short *from, const signed char *added,
                              const signed char *second_added, const signed char *removed,
                              const signed char *second_removed, int count) {
    count &= ~31;
    HALBZUG_LOOP
    for (int i = 0; i < count; i++)
        to[i] = (short)(from[i] + (short)(added[i] - removed[i]) +
                        (short)(second_added[i] - second_removed[i]));
}

/* 16-bit products, which processors multiply and add in pairs. */
HALBZUG_INLINE int _rows_worth(const short *sums, const signed char *outputs, int full, int count) {
    int total = 0;
    count &= ~31;
    HALBZUG_LOOP
    for (int i = 0; i < count; i++) {
        short value = sums[i];
        value = value > 0 ? value : 0;
        value = value < full ? value : (short)full;
        total += (short)(value * outputs[i]) * value;
    }
    return total;
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(__AVX2__)

#define HALBZUG_AVX2 static __attribute__((target("avx2"), noinline))

HALBZUG_AVX2 void _rows_move_avx2(short *to, const short *from, const signed char *added,
                                  const signed char *removed, int count) {
    _rows_move(to, from, added, removed, count);
}

HALBZUG_AVX2 void _rows_capture_avx2(short *to, const short *from, const signed char *added,
                                     const signed char *removed, const signed char *captured,
                                     int count) {
    _rows_capture(to, from, added, removed, captured, count);
}

HALBZUG_AVX2 void _rows_two_avx2(short *to, const short *from, const signed char *added,
                                 const signed char *second_added, const signed char *removed,
                                 const signed char *second_removed, int count) {
    _rows_two(to, from, added, second_added, removed, second_removed, count);
}

HALBZUG_AVX2 int _rows_worth_avx2(const short *sums, const signed char *outputs, int full,
                                  int count) {
    return _rows_worth(sums, outputs, full, count);
}

/* The compiler's library also checks whether the system saves the wider registers. */
static inline int _rows_has_avx2(void) {
    static int known = -1;
    if (known < 0) {
        __builtin_cpu_init();
        known = __builtin_cpu_supports("avx2") != 0;
    }
    return known;
}

#define HALBZUG_CHOOSE(function, ...) \
    (_rows_has_avx2() ? function##_avx2(__VA_ARGS__) : function(__VA_ARGS__))

#else

#define HALBZUG_CHOOSE(function, ...) function(__VA_ARGS__)

#endif

static inline void c_rows_change(short *to, const short *from, const signed char *added,
                                 const signed char *second_added, const signed char *removed,
                                 const signed char *second_removed, int is_capture, int is_more,
                                 int count) {
    if (is_more)
        HALBZUG_CHOOSE(_rows_two, to, from, added, second_added, removed, second_removed, count);
    else if (is_capture)
        HALBZUG_CHOOSE(_rows_capture, to, from, added, removed, second_removed, count);
    else
        HALBZUG_CHOOSE(_rows_move, to, from, added, removed, count);
}

static inline int c_rows_worth(const short *sums, const signed char *outputs, int full, int count) {
    return HALBZUG_CHOOSE(_rows_worth, sums, outputs, full, count);
}

#endif
