// Plays the games of eye-safe under simple ko on the board of libego, for docs/benchmarks.md: libego's own choice of moves is not uniform.
//
// usage: libego GAMES [SEED]

#include "ego.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

static const int kRounds = 7;

static bool MayPlay (const RawBoard& board, Player player, Vertex v) {
  return !board.IsEyelike (player, v) && board.IsLegal (player, v);
}

// Returns one of the legal moves that fill no eye, all equally likely; a pass if there is none.
static Vertex Choose (const RawBoard& board, Player player, FastRandom& random) {
  uint count = board.EmptyVertexCount ();
  if (count == 0) return Vertex::Pass ();
  uint place = random.GetNextUint (count);
  Vertex v = board.EmptyVertex (place);
  // Mostly the first try is such a move; only else are the other places listed.
  if (MayPlay (board, player, v)) return v;
  static unsigned short left [RawBoard::kArea];
  rep (ii, count) left [ii] = ii;
  left [place] = left [--count];
  while (count > 0) {
    place = random.GetNextUint (count);
    v = board.EmptyVertex (left [place]);
    if (MayPlay (board, player, v)) return v;
    left [place] = left [--count];
  }
  return Vertex::Pass ();
}

static double Seconds () {
  timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main (int argc, char** argv) {
  uint games = argc > 1 ? atoi (argv [1]) : 10000;
  static FastRandom random (argc > 2 ? atoi (argv [2]) : 123);
  static RawBoard empty, board;
  double speeds [kRounds], plies = 0, black_wins = 0;
  rep (round, kRounds) {
    double begin = Seconds ();
    rep (ii, games) {
      board.Load (empty);
      while (!board.BothPlayerPass ()) {
        Player player = board.ActPlayer ();
        board.PlayLegal (player, Choose (board, player, random));
      }
      black_wins += board.PlayoutWinner () == Player::Black ();
      plies += board.MoveCount ();
    }
    speeds [round] = games / (Seconds () - begin);
  }
  std::sort (speeds, speeds + kRounds);
  printf ("plies %.2f, black wins %.4f, median: pps=%.0f\n",
          plies / games / kRounds, black_wins / games / kRounds, speeds [kRounds / 2]);
}
