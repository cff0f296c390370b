// limit.c - how fast whole games of Bridzik can be played on one core: hand-written C with nothing but the rules.
// The yardstick of the compiled kernel, see limit.py. The rules are in bridzik_sim/games/bridzik/rules.md; cards here
// are numbered with hearts highest, and the random stream is not that of the simulator.
//
// build : gcc -O3 -march=native -o limit limit.c -lm
// use   : ./limit bench  random|heur|simd [games] [reps] [seed]   rates, median of reps, user CPU time
//         ./limit verify random|heur|simd [games] [seed]          naive re-check of every game + chi-squares
//         ./limit trace  random|heur|simd [games] [seed]          transcripts: deals, bids and cards of every round
//
// One game = 4 series x 8 rounds (8,7,..,1 cards each) = 32 rounds, 144 tricks,
// 576 card plays, 128 bids = 704 decisions.
//
// random : scalar. Suit-major bitmask hands (bit = suit*8+rank, hearts = top byte).
//          LANES games run in lockstep to hide latency (LANES=1: one at a time).
//          Bounded randoms: Lemire multiply, batched (one 64-bit word yields several
//          digits).  DEAL=0 partial Fisher-Yates on a byte deck, DEAL=1 pdep
//          select-from-the-rest. Deal is exactly uniform (rejection); bids and plays
//          have a bias below 2^-50 (no rejection there).
// heur   : scalar, rank-major hands (bit = rank*4+suit) so "lowest card" is the lowest bit.
//          bid  = aces + hearts LOWER,UPPER,KING; if forbidden: bid-1, or 1 from 0.
//          play = leader: needs tricks ? highest : lowest
//                 follower: needs tricks ? lowest winning, else lowest legal
//                                        : highest losing, else lowest legal
// simd   : random mode, 16 games per AVX-512 register (vpopcntd), VL registers in lockstep; bounded draw from
//          32 random bits (bias below 2^-27).
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifndef LANES
#define LANES 2
#endif
#ifndef DEAL
#define DEAL 1
#endif
#ifndef RNG
#define RNG 0  // 0 xoshiro256++, 1 splitmix64, 2 wyrand
#endif
#ifndef ABL
#define ABL 0  // ablation, bench only: 1 no tricks (deal + bids), 2 deal only
#endif
#ifndef TU
#define TU 1  // trick loop: 8 unrolled, 1 rolled (less code, stays in the op cache)
#endif
#define PRAGMA(x) _Pragma(#x)
#define UNROLL(n) PRAGMA(GCC unroll n)
#define INL static inline __attribute__((always_inline))
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

// ---------------------------------------------------------------- RNG
typedef struct { u64 s[4]; } rng_t;
INL u64 rotl64(u64 x, int k) { return (x << k) | (x >> (64 - k)); }
INL u64 splitmix(u64 *s) {
    u64 z = (*s += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
INL u64 rnd(rng_t *r) {
#if RNG == 0
    u64 *s = r->s, res = rotl64(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl64(s[3], 45);
    return res;
#elif RNG == 1
    return splitmix(&r->s[0]);
#else
    r->s[0] += 0xa0761d6478bd642full;
    unsigned __int128 t = (unsigned __int128)r->s[0] * (r->s[0] ^ 0xe7037ed1a0b428dbull);
    return (u64)(t >> 64) ^ (u64)t;
#endif
}
static void rng_seed(rng_t *r, u64 seed) { for (int i = 0; i < 4; i++) r->s[i] = splitmix(&seed); }
// next digit in [0,c): multiply-high, the low half stays as randomness for the next digit
INL u32 digit(u64 *x, u64 c) {
    unsigned __int128 m = (unsigned __int128)*x * c;
    *x = (u64)m;
    return (u32)(m >> 64);
}

// r-th set bit of x, as a bit. NTH=1 pdep, NTH=0 clear the lowest r times (portable)
#ifndef NTH
#define NTH 1
#endif
INL u32 nth(u32 x, u32 r) {
#if NTH
    return _pdep_u32(1u << r, x);
#else
    while (r--) x &= x - 1;
    return x & -x;
#endif
}

// ---------------------------------------------------------------- records (verify / trace)
typedef struct {
    int n[32], first[32], order_of_suits;  // order_of_suits: 0 suit-major bits, 1 rank-major bits
    u32 hand[32][4];
    int bid[32][4];
    int lead[32][8];
    u32 card[32][8][4];  // in play order from the leader
    int score[4];
} rec_t;

// ---------------------------------------------------------------- deal
// k-subset of the set *deck, exactly uniform; removes it from *deck
INL u32 take(rng_t *rng, u32 *deck, int m, int k) {
    u64 B = 1, x;
    for (int i = 0; i < k; i++) B *= (u64)(m - i);
    for (;;) {
        u32 d = *deck, out = 0;
        x = rnd(rng);
#pragma GCC unroll 8
        for (int i = 0; i < k; i++) {
            u32 r = digit(&x, (u64)(m - i));
            d ^= nth(d, r);
        }
        if (__builtin_expect(x < B, 0) && x < -B % B) continue;
        out = *deck ^ d;
        *deck = d;
        return out;
    }
}
typedef struct { u8 c[32]; } deck_t;
INL void deal(rng_t *rng, deck_t *dk, int n, u32 h[4]) {
    (void)dk;
#if DEAL == 1
    u32 deck = 0xffffffffu;
    h[0] = take(rng, &deck, 32, n);
    h[1] = take(rng, &deck, 32 - n, n);
    h[2] = take(rng, &deck, 32 - 2 * n, n);
    if (n == 8) h[3] = deck;
    else if (n == 7) { take(rng, &deck, 11, 4); h[3] = deck; }
    else h[3] = take(rng, &deck, 32 - 3 * n, n);
#else
    for (int p = 0; p < 4; p++) {
        u64 B = 1, x;
        for (int i = 0; i < n; i++) B *= (u64)(32 - p * n - i);
        if (n == 8 && p == 3) {
            u32 m = 0;
            for (int i = 24; i < 32; i++) m |= 1u << dk->c[i];
            h[3] = m;
            break;
        }
        for (;;) {
            u32 m = 0;
            x = rnd(rng);
#pragma GCC unroll 8
            for (int i = 0; i < n; i++) {  // a rejected batch is just extra shuffling
                int a = p * n + i, j = a + (int)digit(&x, (u64)(32 - a));
                u8 c = dk->c[j];
                dk->c[j] = dk->c[a];
                dk->c[a] = c;
                m |= 1u << c;
            }
            h[p] = m;
            if (__builtin_expect(x < B, 0) && x < -B % B) continue;
            break;
        }
    }
#endif
}

// ---------------------------------------------------------------- shared helpers
INL u32 rotl32(u32 x, int k) { return (x << (k & 31)) | (x >> (-k & 31)); }
INL int leader_pos(u32 b0, u32 b1, u32 b2, u32 b3) {  // highest bid, earliest in order
    u32 a = b0 * 4 + 3, b = b1 * 4 + 2, c = b2 * 4 + 1, d = b3 * 4;
    a = a > b ? a : b;
    c = c > d ? c : d;
    a = a > c ? a : c;
    return 3 - (int)(a & 3);
}
// packed bytes: 10+bid where bid == won, widened to 4 x u16
INL u64 round_score(u32 bids, u32 won) {
    u32 d = bids ^ won;
    u32 z = ~(d + 0x7f7f7f7fu) & 0x80808080u;
    u32 m = (z - (z >> 7)) | z;
    return _pdep_u64((bids + 0x0a0a0a0au) & m, 0x00ff00ff00ff00ffull);
}

// ---------------------------------------------------------------- random mode, scalar
#define SM_HEARTS 0xff000000u
INL void rounds_random(int n, int first, rng_t *rng, deck_t *dk, u64 tot[LANES], rec_t *R, int ri) {
    u32 h[LANES][4], bids[LANES], won[LANES];
    int lead[LANES];
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) deal(rng, dk, n, h[j]);
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) {
        u64 x = rnd(rng);
        u32 b0 = digit(&x, n + 1), b1 = digit(&x, n + 1), b2 = digit(&x, n + 1);
        int f = n - (int)(b0 + b1 + b2);
        u32 ok = f >= 0;
        u32 b3 = digit(&x, n + 1 - ok);
        b3 += ok & (b3 >= (u32)f);
        bids[j] = rotl32(b0 | b1 << 8 | b2 << 16 | b3 << 24, 8 * first);
        lead[j] = first + leader_pos(b0, b1, b2, b3);
        won[j] = 0;
        if (R) {
            R[j].n[ri] = n; R[j].first[ri] = first; R[j].order_of_suits = 0;
            for (int p = 0; p < 4; p++) { R[j].hand[ri][p] = h[j][p]; R[j].bid[ri][p] = bids[j] >> 8 * p & 255; }
        }
    }
    if (ABL) for (int j = 0; j < LANES; j++) {  // keep the deal alive
        won[j] = h[j][0] + h[j][1] * 3 + h[j][2] * 5 + h[j][3] * 7;
        if (ABL == 2) bids[j] = 0;
        else bids[j] += (u32)lead[j];
    }
UNROLL(TU)
    for (int t = 0; t < (ABL ? 0 : n); t++) {
        int c = n - t;
#pragma GCC unroll 8
        for (int j = 0; j < LANES; j++) {
            int L = lead[j];
            u64 x = c > 1 ? rnd(rng) : 0;
            u32 b[4], m = 0;
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                u32 *hp = &h[j][(L + k) & 3], hd = *hp, l = hd;
                if (c == 1) b[k] = hd;  // forced
                else {
                    if (k) {
                        u32 l1 = hd & SM_HEARTS, l2 = hd & m;
                        l = l1 ? l1 : l;
                        l = l2 ? l2 : l;
                    }
                    u32 r = digit(&x, k ? (u64)_mm_popcnt_u32(l) : (u64)c);
                    b[k] = nth(l, r);
                    *hp = hd ^ b[k];
                }
                if (!k) m = 0xffu << (_tzcnt_u32(b[0]) & 24);
            }
            u32 v = (b[0] | b[1] | b[2] | b[3]) & (m | SM_HEARTS);
            u32 pos = 31 - _lzcnt_u32(v);
            u32 w = ((b[1] | b[3]) >> pos & 1) + 2 * ((b[2] | b[3]) >> pos & 1);
            if (R) { R[j].lead[ri][t] = L & 3; for (int k = 0; k < 4; k++) R[j].card[ri][t][k] = b[k]; }
            L = (L + (int)w) & 3;
            won[j] += 1u << 8 * L;
            lead[j] = L;
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) tot[j] += round_score(bids[j], won[j]);
}
// LANES whole games
#define GAMES(NAME, ROUND)                                                              \
    INL void NAME(rng_t *rng, deck_t *dk, u64 tot[LANES], rec_t *R) {                    \
        for (int j = 0; j < LANES; j++) tot[j] = 0;                                      \
        for (int s = 0; s < 4; s++) {                                                    \
            ROUND(8, (s + 0) & 3, rng, dk, tot, R, s * 8 + 0);                           \
            ROUND(7, (s + 1) & 3, rng, dk, tot, R, s * 8 + 1);                           \
            ROUND(6, (s + 2) & 3, rng, dk, tot, R, s * 8 + 2);                           \
            ROUND(5, (s + 3) & 3, rng, dk, tot, R, s * 8 + 3);                           \
            ROUND(4, (s + 0) & 3, rng, dk, tot, R, s * 8 + 4);                           \
            ROUND(3, (s + 1) & 3, rng, dk, tot, R, s * 8 + 5);                           \
            ROUND(2, (s + 2) & 3, rng, dk, tot, R, s * 8 + 6);                           \
            ROUND(1, (s + 3) & 3, rng, dk, tot, R, s * 8 + 7);                           \
        }                                                                                \
        if (R) for (int j = 0; j < LANES; j++) for (int p = 0; p < 4; p++)               \
            R[j].score[p] = tot[j] >> 16 * p & 0xffff;                                   \
    }
GAMES(games_random, rounds_random)

// ---------------------------------------------------------------- heuristic mode, scalar
// c != 0 ? a : b as a cmov, whatever gcc thinks (branches here are coin flips)
INL u32 sel(u32 c, u32 a, u32 b) {
    __asm__("testl %1, %1\n\tcmovnel %2, %0" : "+r"(b) : "r"(c), "r"(a) : "cc");
    return b;
}
#define RM_HEARTS 0x88888888u
INL void rounds_heur(int n, int first, rng_t *rng, deck_t *dk, u64 tot[LANES], rec_t *R, int ri) {
    u32 h[LANES][4], bids[LANES], won[LANES];
    int lead[LANES];
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) deal(rng, dk, n, h[j]);
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) {
        u32 b[4];
        for (int k = 0; k < 4; k++) b[k] = _mm_popcnt_u32(h[j][(first + k) & 3] & 0xf8880000u);
        u32 bad = b[0] + b[1] + b[2] + b[3] == (u32)n;
        b[3] = sel(bad, sel(b[3], b[3] - 1, 1), b[3]);
        bids[j] = rotl32(b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24, 8 * first);
        lead[j] = first + leader_pos(b[0], b[1], b[2], b[3]);
        won[j] = 0;
        if (R) {
            R[j].n[ri] = n; R[j].first[ri] = first; R[j].order_of_suits = 1;
            for (int p = 0; p < 4; p++) { R[j].hand[ri][p] = h[j][p]; R[j].bid[ri][p] = bids[j] >> 8 * p & 255; }
        }
    }
    if (ABL) for (int j = 0; j < LANES; j++) {  // keep the deal alive
        won[j] = h[j][0] + h[j][1] * 3 + h[j][2] * 5 + h[j][3] * 7;
        if (ABL == 2) bids[j] = 0;
        else bids[j] += (u32)lead[j];
    }
UNROLL(TU)
    for (int t = 0; t < (ABL ? 0 : n); t++) {
        int c = n - t;
#pragma GCC unroll 8
        for (int j = 0; j < LANES; j++) {
            int L = lead[j];
            u32 b[4], m = 0, W = 0, top = 0;  // W: cards that would now win
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                int p = (L + k) & 3;
                u32 *hp = &h[j][p], hd = *hp, card;
                u32 need = (u32)((int)(won[j] >> 8 * p & 255) < (int)(bids[j] >> 8 * p & 255));
                if (c == 1) card = hd;
                else if (!k) card = sel(need, 0x80000000u >> _lzcnt_u32(hd), _blsi_u32(hd));
                else {
                    u32 l1 = hd & RM_HEARTS, l2 = hd & m, l = hd;
                    l = sel(l1, l1, l);
                    l = sel(l2, l2, l);
                    u32 win = l & W, lose = l & ~W;
                    u32 lo = sel(need & (win != 0), win, l), hi = sel(need, 0, lose);
                    u32 cl = _blsi_u32(lo), ch = 0x80000000u >> (_lzcnt_u32(lose) & 31);
                    card = sel(hi, ch, cl);
                }
                if (c > 1) *hp = hd ^ card;
                b[k] = card;
                if (!k) {
                    m = 0x11111111u << (_tzcnt_u32(card) & 3);
                    W = (m & -(card << 1)) | (RM_HEARTS & ~m);
                    top = card;
                } else {
                    u32 hit = card & W, up = -(card << 1), tr = card & RM_HEARTS;
                    // a winning heart leaves only higher hearts; else higher cards of the suit and all hearts
                    u32 W2 = W & sel(tr, RM_HEARTS & up, up | RM_HEARTS);
                    if (k < 3) W = sel(hit, W2, W);
                    top = sel(hit, card, top);
                }
            }
            u32 w = (((b[1] | b[3]) & top) != 0) + 2 * (((b[2] | b[3]) & top) != 0);
            if (R) { R[j].lead[ri][t] = L & 3; for (int k = 0; k < 4; k++) R[j].card[ri][t][k] = b[k]; }
            L = (L + (int)w) & 3;
            won[j] += 1u << 8 * L;
            lead[j] = L;
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < LANES; j++) tot[j] += round_score(bids[j], won[j]);
}
GAMES(games_heur, rounds_heur)

// ---------------------------------------------------------------- random mode, AVX-512
#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define HAVE_SIMD 1
typedef __m512i V;
typedef struct { V a, b, c, d; } vrng_t;  // xoshiro128++, 16 streams
INL V vrnd(vrng_t *s) {
    V res = _mm512_add_epi32(_mm512_rol_epi32(_mm512_add_epi32(s->a, s->d), 7), s->a);
    V t = _mm512_slli_epi32(s->b, 9);
    s->c = _mm512_xor_si512(s->c, s->a);
    s->d = _mm512_xor_si512(s->d, s->b);
    s->b = _mm512_xor_si512(s->b, s->c);
    s->a = _mm512_xor_si512(s->a, s->d);
    s->c = _mm512_xor_si512(s->c, t);
    s->d = _mm512_rol_epi32(s->d, 11);
    return res;
}
INL V vset(int x) { return _mm512_set1_epi32(x); }
// floor(x*c / 2^32): a bounded draw from 32 random bits
INL V vdraw(V x, V c) {
    V e = _mm512_mul_epu32(x, c);
    V o = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(c, 32));
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(e, 32), o);
}
INL V vdrawc(V x, int c) {  // constant bound: no shift of c
    V e = _mm512_mul_epu32(x, vset(c));
    V o = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), vset(c));
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(e, 32), o);
}
// r-th set bit (as a bit) of x; 32-bit binary search on popcounts
INL V vselect32(V x, V r) {
    V y = x, pos = _mm512_setzero_si512();
#define STEP(W) {                                                                        \
        V q = _mm512_popcnt_epi32(_mm512_and_si512(y, vset((1 << W) - 1)));               \
        __mmask16 g = _mm512_cmpge_epi32_mask(r, q);                                      \
        r = _mm512_mask_sub_epi32(r, g, r, q);                                            \
        y = _mm512_mask_srli_epi32(y, g, y, W);                                           \
        pos = _mm512_mask_add_epi32(pos, g, pos, vset(W)); }
    STEP(16) STEP(8) STEP(4) STEP(2)
    {   // last level: r-th of 2 bits
        V q = _mm512_and_si512(y, vset(1));
        __mmask16 g = _mm512_cmpge_epi32_mask(r, q);
        pos = _mm512_mask_add_epi32(pos, g, pos, vset(1));
    }
    return _mm512_sllv_epi32(vset(1), pos);
}
// r-th set bit of x that has at most c bits: clear the lowest r times
INL V vselect_small(V x, V r, int c) {
#pragma GCC unroll 8
    for (int i = 0; i < c - 1; i++) {
        __mmask16 g = _mm512_cmpgt_epi32_mask(r, vset(i));
        x = _mm512_mask_and_epi32(x, g, x, _mm512_add_epi32(x, vset(-1)));
    }
    return _mm512_and_si512(x, _mm512_sub_epi32(_mm512_setzero_si512(), x));
}
#ifndef VL
#define VL 3  // registers in lockstep: 16*VL games
#endif
#define FORV UNROLL(4) for (int v = 0; v < VL; v++)
INL void vtake(vrng_t *g, V deck[VL], V out[VL], int m, int k) {
    V d[VL];
    FORV d[v] = deck[v];
#pragma GCC unroll 8
    for (int i = 0; i < k; i++) FORV d[v] = _mm512_xor_si512(d[v], vselect32(d[v], vdrawc(vrnd(g), m - i)));
    FORV { out[v] = _mm512_xor_si512(deck[v], d[v]); deck[v] = d[v]; }
}
INL void vround(int n, int first, vrng_t *g, V tot[VL][4], rec_t *R, int ri) {
    V zero = _mm512_setzero_si512(), hearts = vset((int)SM_HEARTS);
    V h[4][VL], deck[VL], b[4][VL], lead[VL], won[VL], w[VL];
    FORV deck[v] = vset(-1);
    vtake(g, deck, h[0], 32, n);
    vtake(g, deck, h[1], 32 - n, n);
    vtake(g, deck, h[2], 32 - 2 * n, n);
    if (n == 7) vtake(g, deck, h[3], 11, 4);
    if (n >= 7) FORV h[3][v] = deck[v];
    else vtake(g, deck, h[3], 32 - 3 * n, n);
    FORV {
        for (int k = 0; k < 3; k++) b[k][v] = vdrawc(vrnd(g), n + 1);
        V f = _mm512_sub_epi32(vset(n), _mm512_add_epi32(b[0][v], _mm512_add_epi32(b[1][v], b[2][v])));
        __mmask16 ok = _mm512_cmpge_epi32_mask(f, zero);
        V x = vdraw(vrnd(g), _mm512_mask_blend_epi32(ok, vset(n + 1), vset(n)));
        b[3][v] = _mm512_mask_add_epi32(x, ok & _mm512_cmpge_epi32_mask(x, f), x, vset(1));
        V key = _mm512_add_epi32(_mm512_slli_epi32(b[0][v], 2), vset(3));
        for (int k = 1; k < 4; k++) key = _mm512_max_epi32(key, _mm512_add_epi32(_mm512_slli_epi32(b[k][v], 2), vset(3 - k)));
        w[v] = _mm512_andnot_si512(key, vset(3));  // 3 - (key & 3): leader's position after `first`
        lead[v] = won[v] = zero;
    }
    // the deal is exchangeable over players, so hands are labelled by bidding position here
    if (R) for (int v = 0; v < VL; v++) for (int k = 0; k < 4; k++) {
        u32 B[16], H[16];
        _mm512_storeu_si512(H, h[k][v]);
        _mm512_storeu_si512(B, b[k][v]);
        for (int j = 0; j < 16; j++) {
            rec_t *Q = R + 16 * v + j;
            Q->n[ri] = n; Q->first[ri] = first; Q->order_of_suits = 0;
            Q->hand[ri][(first + k) & 3] = H[j];
            Q->bid[ri][(first + k) & 3] = (int)B[j];
        }
    }
    if (ABL) FORV {
        won[v] = _mm512_add_epi32(_mm512_add_epi32(h[0][v], _mm512_slli_epi32(h[1][v], 1)), _mm512_add_epi32(_mm512_slli_epi32(h[2][v], 3), _mm512_slli_epi32(h[3][v], 5)));
        if (ABL == 2) b[0][v] = b[1][v] = b[2][v] = b[3][v] = zero;
        else won[v] = _mm512_add_epi32(won[v], w[v]);
    }
UNROLL(TU)
    for (int t = 0; t < (ABL ? 0 : n); t++) {
        int c = n - t;
        FORV {   // rotate the hands so that h[0] leads
            __mmask16 m1 = _mm512_test_epi32_mask(w[v], vset(1)), m2 = _mm512_test_epi32_mask(w[v], vset(2));
            V a0 = _mm512_mask_blend_epi32(m1, h[0][v], h[1][v]), a1 = _mm512_mask_blend_epi32(m1, h[1][v], h[2][v]);
            V a2 = _mm512_mask_blend_epi32(m1, h[2][v], h[3][v]), a3 = _mm512_mask_blend_epi32(m1, h[3][v], h[0][v]);
            h[0][v] = _mm512_mask_blend_epi32(m2, a0, a2); h[2][v] = _mm512_mask_blend_epi32(m2, a2, a0);
            h[1][v] = _mm512_mask_blend_epi32(m2, a1, a3); h[3][v] = _mm512_mask_blend_epi32(m2, a3, a1);
            lead[v] = _mm512_add_epi32(lead[v], w[v]);
        }
        V card[4][VL], m[VL];
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            if (c == 1) FORV card[k][v] = h[k][v];
            else FORV {
                V l = h[k][v];
                if (k) {
                    V l1 = _mm512_and_si512(l, hearts), l2 = _mm512_and_si512(l, m[v]);
                    l = _mm512_mask_mov_epi32(l, _mm512_test_epi32_mask(l1, l1), l1);
                    l = _mm512_mask_mov_epi32(l, _mm512_test_epi32_mask(l2, l2), l2);
                    card[k][v] = vselect_small(l, vdraw(vrnd(g), _mm512_popcnt_epi32(l)), c);
                } else card[k][v] = vselect_small(l, vdrawc(vrnd(g), c), c);
                h[k][v] = _mm512_xor_si512(h[k][v], card[k][v]);
            }
            // suit mask: the byte of the led card
            if (!k) FORV m[v] = _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(card[0][v], card[0][v]), vset(-1));
        }
        FORV {
            V o13 = _mm512_or_si512(card[1][v], card[3][v]), o23 = _mm512_or_si512(card[2][v], card[3][v]);
            V all = _mm512_or_si512(_mm512_or_si512(card[0][v], card[1][v]), o23);
            V x = _mm512_and_si512(all, _mm512_or_si512(m[v], hearts));
            V top = _mm512_srlv_epi32(vset((int)0x80000000u), _mm512_lzcnt_epi32(x));
            w[v] = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(o13, top), vset(1));
            w[v] = _mm512_mask_or_epi32(w[v], _mm512_test_epi32_mask(o23, top), w[v], vset(2));
            if (R) {
                u32 C[16], Ld[16];
                _mm512_storeu_si512(Ld, lead[v]);
                for (int k = 0; k < 4; k++) {
                    _mm512_storeu_si512(C, card[k][v]);
                    for (int j = 0; j < 16; j++) {
                        R[16 * v + j].card[ri][t][k] = C[j];
                        R[16 * v + j].lead[ri][t] = (int)((Ld[j] + (u32)first) & 3);
                    }
                }
            }
            V win = _mm512_and_si512(_mm512_add_epi32(lead[v], w[v]), vset(3));
            won[v] = _mm512_add_epi32(won[v], _mm512_sllv_epi32(vset(1), _mm512_slli_epi32(win, 3)));
        }
    }
    FORV for (int k = 0; k < 4; k++) {
        V wk = _mm512_and_si512(_mm512_srli_epi32(won[v], 8 * k), vset(255));
        __mmask16 e = _mm512_cmpeq_epi32_mask(wk, b[k][v]);
        int p = (first + k) & 3;
        tot[v][p] = _mm512_mask_add_epi32(tot[v][p], e, tot[v][p], _mm512_add_epi32(b[k][v], vset(10)));
    }
}
INL void vgames(vrng_t *g, V tot[VL][4], rec_t *R) {  // 16*VL whole games
    for (int v = 0; v < VL; v++) for (int p = 0; p < 4; p++) tot[v][p] = _mm512_setzero_si512();
    for (int s = 0; s < 4; s++) {
        vround(8, (s + 0) & 3, g, tot, R, s * 8 + 0); vround(7, (s + 1) & 3, g, tot, R, s * 8 + 1);
        vround(6, (s + 2) & 3, g, tot, R, s * 8 + 2); vround(5, (s + 3) & 3, g, tot, R, s * 8 + 3);
        vround(4, (s + 0) & 3, g, tot, R, s * 8 + 4); vround(3, (s + 1) & 3, g, tot, R, s * 8 + 5);
        vround(2, (s + 2) & 3, g, tot, R, s * 8 + 6); vround(1, (s + 3) & 3, g, tot, R, s * 8 + 7);
    }
    if (R) for (int v = 0; v < VL; v++) for (int p = 0; p < 4; p++) {
        u32 T[16];
        _mm512_storeu_si512(T, tot[v][p]);
        for (int j = 0; j < 16; j++) R[16 * v + j].score[p] = (int)T[j];
    }
}
static void vrng_seed(vrng_t *g, u64 seed) {
    u32 s[4][16];
    for (int i = 0; i < 4; i++) for (int j = 0; j < 16; j++) s[i][j] = (u32)splitmix(&seed);
    g->a = _mm512_loadu_si512(s[0]); g->b = _mm512_loadu_si512(s[1]);
    g->c = _mm512_loadu_si512(s[2]); g->d = _mm512_loadu_si512(s[3]);
}
#define SIMD_GAMES (16 * VL)
#else
#define HAVE_SIMD 0
#define SIMD_GAMES 16
#endif

// ---------------------------------------------------------------- drivers
enum { M_RANDOM, M_HEUR, M_SIMD };
typedef struct { double user; u64 games; u64 sum[4]; } run_t;
static double user_s(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_utime.tv_sec + 1e-6 * (double)r.ru_utime.tv_usec;
}
static __attribute__((noinline)) void loop_random(rng_t *r, deck_t *d, u64 g, u64 sum[4]) {
    u64 t[LANES];
    for (u64 i = 0; i < g; i += LANES) {
        games_random(r, d, t, NULL);
        for (int j = 0; j < LANES; j++) for (int p = 0; p < 4; p++) sum[p] += t[j] >> 16 * p & 0xffff;
    }
}
static __attribute__((noinline)) void loop_heur(rng_t *r, deck_t *d, u64 g, u64 sum[4]) {
    u64 t[LANES];
    for (u64 i = 0; i < g; i += LANES) {
        games_heur(r, d, t, NULL);
        for (int j = 0; j < LANES; j++) for (int p = 0; p < 4; p++) sum[p] += t[j] >> 16 * p & 0xffff;
    }
}
#if HAVE_SIMD
static __attribute__((noinline)) void loop_simd(vrng_t *gp, u64 g, u64 sum[4]) {
    vrng_t s = *gp;
    V t[VL][4];
    for (u64 i = 0; i < g; i += 16 * VL) {
        vgames(&s, t, NULL);
        for (int v = 0; v < VL; v++) for (int p = 0; p < 4; p++) sum[p] += (u64)_mm512_reduce_add_epi32(t[v][p]);
    }
    *gp = s;
}
#endif
static __attribute__((noinline)) int batch_rec(int mode, void *g, rng_t *r, deck_t *d, rec_t *R) {
    u64 t[LANES];
    if (mode == M_RANDOM) { games_random(r, d, t, R); return LANES; }
    if (mode == M_HEUR) { games_heur(r, d, t, R); return LANES; }
#if HAVE_SIMD
    V tv[VL][4];
    vgames((vrng_t *)g, tv, R);
    return 16 * VL;
#else
    (void)g;
    return 0;
#endif
}

// ---------------------------------------------------------------- naive checker
typedef struct {
    u64 pick[9][8], bid[9][9], last[9][9][10], who[33][5][9], exact, scored, games;
} stat_t;
static void fail(const char *m, int ri) { printf("FAIL round %d: %s\n", ri, m); exit(1); }
static void split(u32 bit, int order, int *suit, int *rank) {
    int i = __builtin_ctz(bit);
    if (!order) { *suit = i / 8; *rank = i % 8; } else { *suit = i % 4; *rank = i / 4; }
}
static void check(const rec_t *R, stat_t *S, int mode) {
    int total[4] = {0};
    for (int ri = 0; ri < 32; ri++) {
        int n = 8 - ri % 8, first = (ri / 8 + ri % 8) % 4, tricks[4] = {0}, sum = 0, order = R->order_of_suits;
        if (R->n[ri] != n || R->first[ri] != first) fail("structure", ri);
        u32 h[4], all = 0;
        for (int p = 0; p < 4; p++) {
            h[p] = R->hand[ri][p];
            if (__builtin_popcount(h[p]) != n || (all & h[p])) fail("deal", ri);
            all |= h[p];
            for (int c = 0; c < 32; c++) S->who[c][p][n] += h[p] >> c & 1;
        }
        for (int c = 0; c < 32; c++) S->who[c][4][n] += !(all >> c & 1);
        int best = -1, lead = -1;
        for (int k = 0; k < 4; k++) {
            int p = (first + k) % 4, b = R->bid[ri][p];
            if (b < 0 || b > n) fail("bid range", ri);
            if (k < 3) S->bid[n][b]++;
            else { int f = n - sum; S->last[n][b][f >= 0 ? f : 9]++; }
            sum += b;
            if (b > best) { best = b; lead = p; }
        }
        if (sum == n) fail("forbidden bid sum", ri);
        for (int t = 0; t < n; t++) {
            if (R->lead[ri][t] != lead) fail("leader", ri);
            int ls = -1, ws = -1, wr = -1, wp = -1;
            for (int k = 0; k < 4; k++) {
                int p = (lead + k) % 4, s, r;
                u32 bit = R->card[ri][t][k], legal = 0, low = h[p];
                if (__builtin_popcount(bit) != 1 || !(bit & h[p])) fail("card not in hand", ri);
                split(bit, order, &s, &r);
                int hasl = 0, hash = 0, cs, cr;
                for (u32 x = h[p]; x; x &= x - 1) { split(x & -x, order, &cs, &cr); hasl |= cs == ls; hash |= cs == 3; }
                for (u32 x = h[p]; x; x &= x - 1) {
                    split(x & -x, order, &cs, &cr);
                    if (!k || (hasl ? cs == ls : hash ? cs == 3 : 1)) legal |= x & -x;
                }
                (void)low;
                if (!(legal & bit)) fail("illegal card", ri);
                if (mode != M_HEUR) S->pick[__builtin_popcount(legal)][__builtin_popcount(legal & (bit - 1))]++;
                h[p] ^= bit;
                if (!k) { ls = s; ws = s; wr = r; wp = p; }
                else if ((s == ws && r > wr) || (s == 3 && ws != 3)) { ws = s; wr = r; wp = p; }
            }
            lead = wp;
            tricks[wp]++;
        }
        if (tricks[0] + tricks[1] + tricks[2] + tricks[3] != n) fail("tricks", ri);
        for (int p = 0; p < 4; p++) {
            S->scored++;
            if (tricks[p] == R->bid[ri][p]) { total[p] += 10 + tricks[p]; S->exact++; }
        }
    }
    for (int p = 0; p < 4; p++) if (total[p] != R->score[p]) fail("score", 99);
    S->games++;
}
// chi-square of equal expected counts -> z (Wilson-Hilferty); f: the fraction of cells drawn
// without replacement each time (shrinks the variance by 1-f), 0 for independent draws
static void chi(const char *name, const u64 *o, int k, int stride, double f, double *z, int *nz) {
    double N = 0, x = 0, df = k - 1;
    for (int i = 0; i < k; i++) N += (double)o[i * stride];
    if (N < 50 || k < 2 || f > 0.99) return;
    for (int i = 0; i < k; i++) { double e = N / k, d = (double)o[i * stride] - e; x += d * d / e; }
    if (f > 0) x *= df / (k * (1 - f));  // k draws without replacement: E[x] = k(1-f)
    double zz = (cbrt(x / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
    if (fabs(zz) > fabs(*z)) *z = zz;
    if (fabs(zz) > 5) printf("  SKEW %s k=%d chi2=%.1f N=%.0f\n", name, k, x, N);
    (*nz)++;
}
static int cmpd(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return (x > y) - (x < y); }

int main(int argc, char **argv) {
    if (argc < 3) { fprintf(stderr, "usage: limit bench|verify|trace random|heur|simd [games] [reps (bench)] [seed]\n"); return 2; }
    int mode = !strcmp(argv[2], "random") ? M_RANDOM : !strcmp(argv[2], "heur") ? M_HEUR : M_SIMD;
    if (mode == M_SIMD && !HAVE_SIMD) { fprintf(stderr, "no AVX-512 VPOPCNTDQ in this build\n"); return 2; }
    int bench = !strcmp(argv[1], "bench");
    u64 games = argc > 3 ? strtoull(argv[3], 0, 10) : bench ? 500000 : 20000;
    int reps = bench && argc > 4 ? atoi(argv[4]) : 9;
    u64 seed = argc > (bench ? 5 : 4) ? strtoull(argv[bench ? 5 : 4], 0, 10) : 1;
    rng_t r;
    deck_t d;
    rng_seed(&r, seed);
    for (int i = 0; i < 32; i++) d.c[i] = (u8)i;
    void *vg = NULL;
#if HAVE_SIMD
    vrng_t g;
    vrng_seed(&g, seed);
    vg = &g;
#endif
    if (bench) {
        double q[64];
        u64 sum[4] = {0}, step = mode == M_SIMD ? SIMD_GAMES : LANES;
        games = (games + step - 1) / step * step;
        if (reps > 64) reps = 64;
        for (int i = 0; i < reps; i++) {
            double t0 = user_s();
            if (mode == M_RANDOM) loop_random(&r, &d, games, sum);
            else if (mode == M_HEUR) loop_heur(&r, &d, games, sum);
#if HAVE_SIMD
            else loop_simd(&g, games, sum);
#endif
            q[i] = (double)games / (user_s() - t0);
        }
        qsort(q, (size_t)reps, sizeof *q, cmpd);
        double m = q[reps / 2];
        printf("%s LANES=%d DEAL=%d RNG=%d: median %.0f games/s (min %.0f max %.0f, %d reps x %llu games) | %.4g rounds/s | %.4g plays/s | %.4g decisions/s | %.2f ns/decision | mean score %.3f %.3f %.3f %.3f\n",
               argv[2], mode == M_SIMD ? SIMD_GAMES : LANES, DEAL, RNG, m, q[0], q[reps - 1], reps, (unsigned long long)games, m * 32, m * 576, m * 704, 1e9 / (m * 704),
               (double)sum[0] / ((double)games * reps), (double)sum[1] / ((double)games * reps), (double)sum[2] / ((double)games * reps), (double)sum[3] / ((double)games * reps));
        return 0;
    }
    rec_t *R = calloc(64, sizeof *R);
    if (!strcmp(argv[1], "verify")) {
        stat_t *S = calloc(1, sizeof *S);
        while (S->games < games) { int k = batch_rec(mode, vg, &r, &d, R); for (int j = 0; j < k; j++) check(R + j, S, mode); }
        double z = 0, zb = 0, zd = 0;
        int nz = 0, nb = 0, nd = 0;
        for (int c = 2; c <= 8; c++) chi("pick", S->pick[c], c, 1, 0, &z, &nz);
        if (mode != M_HEUR) for (int n = 1; n <= 8; n++) {
            chi("bid", S->bid[n], n + 1, 1, 0, &zb, &nb);
            for (int f = 0; f < 10; f++) {
                u64 o[9]; int k = 0;
                for (int b = 0; b <= n; b++) if (b != f) o[k++] = S->last[n][b][f];
                chi("last bid", o, k, 1, 0, &zb, &nb);
            }
        }
        for (int n = 1; n <= 8; n++) for (int p = 0; p < 5; p++) chi("card/place", &S->who[0][p][n], 32, 5 * 9, (p < 4 ? n : 32 - 4 * n) / 32.0, &zd, &nd);
        printf("ok %s: %llu games, deal/structure/bids/forbidden sum/legal plays/winners/tricks/scores all re-checked; exact bids %.4f of %llu\n", argv[2],
               (unsigned long long)S->games, (double)S->exact / (double)S->scored, (unsigned long long)S->scored);
        printf("   worst chi-square z: picks %.2f of %d tests, bids %.2f of %d, deals %.2f of %d\n", z, nz, zb, nb, zd, nd);
        return 0;
    }
    // trace: per round "R n first | hands | bids | leader card.. ..." with cards as suit*8+rank (3 = hearts)
    u64 done = 0;
    while (done < games) {
        int k = batch_rec(mode, vg, &r, &d, R);
        for (int j = 0; j < k && done < games; j++, done++) {
            printf("GAME\n");
            for (int ri = 0; ri < 32; ri++) {
                int s, q;
                printf("ROUND %d %d", R[j].n[ri], R[j].first[ri]);
                for (int p = 0; p < 4; p++) { printf(" |"); for (u32 x = R[j].hand[ri][p]; x; x &= x - 1) { split(x & -x, R[j].order_of_suits, &s, &q); printf(" %d", s * 8 + q); } }
                printf(" |");
                for (int p = 0; p < 4; p++) printf(" %d", R[j].bid[ri][p]);
                for (int t = 0; t < R[j].n[ri]; t++) {
                    printf(" | %d", R[j].lead[ri][t]);
                    for (int i = 0; i < 4; i++) { split(R[j].card[ri][t][i], R[j].order_of_suits, &s, &q); printf(" %d", s * 8 + q); }
                }
                printf("\n");
            }
            printf("SCORE %d %d %d %d\n", R[j].score[0], R[j].score[1], R[j].score[2], R[j].score[3]);
        }
    }
    return 0;
}
