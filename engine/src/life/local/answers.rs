//! How stones are kept: answers to the opponent's moves, and a line of play.

use super::{Stones, Terrain, holding::Holding, search::Allowed};

/// A move of the opponent, the answer to it if it needs one, and the stones after both.
struct Reply {
    attack: usize,
    answer: Option<usize>,
    after: Stones,
}

impl Holding<'_> {
    /// For each allowed move of the opponent the answer by which no stone is lost, if the move needs one. `None` if the visits do not suffice.
    pub(super) fn answers(
        &mut self,
        stones: Stones,
        visits: usize,
        allowed: Allowed<'_>,
    ) -> Option<Vec<(usize, Option<usize>)>> {
        let replies = self.replies(stones, visits, &|point| allowed(&[], point))?;
        Some(replies.into_iter().map(|reply| (reply.attack, reply.answer)).collect())
    }

    /// A line of play, the opponent first: allowed moves that need an answer as long as there are any, and the answers.
    pub(super) fn line(
        &mut self,
        mut stones: Stones,
        visits: usize,
        allowed: Allowed<'_>,
    ) -> Option<Vec<Option<usize>>> {
        let mut line = Vec::new();
        loop {
            let replies = self.replies(stones, visits, &|point| allowed(&line, point))?;
            let Some(reply) = replies.into_iter().find(|reply| reply.answer.is_some()) else {
                return Some(line);
            };
            line.extend([Some(reply.attack), reply.answer]);
            stones = reply.after;
        }
    }

    fn replies(
        &mut self,
        stones: Stones,
        visits: usize,
        is_allowed: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<Reply>> {
        let (terrain, opponent) = (self.terrain(), self.owner().opponent());
        let mut replies = Vec::new();
        for attack in Terrain::points(terrain.empty(stones)).filter(|&point| is_allowed(point)) {
            let Some(attacked) = terrain.play(stones, opponent, attack) else { continue };
            let (answer, after) = self.reply(attacked.stones, visits)?;
            replies.push(Reply { attack, answer, after });
        }
        Some(replies)
    }
}
