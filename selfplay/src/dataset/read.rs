//! Reading a dataset game by game.

use std::{iter, mem, path::Path};

use jigo_engine::for_width;

use super::{
    DatasetError, DatasetSpec, MovesColumn,
    identity::{OtherIdentity, other_identity},
    layout::{self, Layout},
    manifest::{Manifest, ShardEntry, SideFile},
    stored::{Stored as _, StoredGames},
};
use crate::{GameRecord, playout::Playouts};

/// A dataset that was opened for reading. It need not be complete.
#[derive(Clone, Debug)]
pub struct Dataset {
    layout: Layout,
    manifest: Manifest,
    spec: DatasetSpec,
}

/// One game of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The game; with its moves, even where the dataset does not store them.
    pub record: GameRecord,
    /// The shard that it came from.
    pub shard: u64,
    /// Its row in that shard, from 0.
    pub row: u64,
}

impl Dataset {
    /// Opens the dataset in `dir`: reads its manifest, and none of its games.
    ///
    /// # Errors
    /// [`DatasetError::NotADataset`], [`DatasetError::InvalidManifest`], or what the operating system says.
    pub fn open(dir: &Path) -> Result<Self, DatasetError> {
        let layout = Layout::new(dir);
        let not_found = || DatasetError::NotADataset { dir: dir.to_owned() };
        let (manifest, spec) = Manifest::read(&layout)?.ok_or_else(not_found)?;
        Ok(Self { layout, manifest, spec })
    }

    /// What the dataset says of itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The run that it holds.
    #[must_use]
    pub fn spec(&self) -> &DatasetSpec {
        &self.spec
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The games of one shard, in order.
    ///
    /// The shard is first read through and compared with its digest, so that no damage goes unnoticed: Parquet itself would not notice most of it.
    /// Memory does not grow with the size of the shard.
    ///
    /// # Errors
    /// [`DatasetError::InvalidShard`] when the shard is missing, damaged or of another run.
    pub fn shard(&self, shard: u64) -> Result<ShardGames, DatasetError> {
        let path = self.layout.shard(shard);
        let entry = self.entry(shard)?;
        let (bytes, blake3) = layout::digest(&path)?;
        if (bytes, &blake3) != (entry.bytes, &entry.blake3) {
            let what = match other_identity(&self.manifest, shard, &path) {
                Some(OtherIdentity { found, expected }) => {
                    format!("another run or shard (it says {found}, not {expected})")
                }
                None => "damaged (its length or BLAKE3 is not what was written)".to_owned(),
            };
            let reason = format!("{what}. {}", DatasetSpec::REMEDY);
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let again = (self.spec.moves == MovesColumn::None).then(|| player(&self.spec));
        let stored = StoredGames::open(path, self.spec.clone(), self.spec.shard_range(shard))?;
        Ok(ShardGames { shard, stored, again })
    }

    /// All games, in order. After an error there are no more.
    pub fn games(&self) -> impl Iterator<Item = Result<GameRow, DatasetError>> + '_ {
        let shards = (0..self.spec.shard_count()).map(|shard| self.shard(shard));
        let games = shards.flat_map(|shard| match shard {
            Ok(games) => Box::new(games) as Box<dyn Iterator<Item = Result<GameRow, DatasetError>>>,
            Err(error) => Box::new(iter::once(Err(error))),
        });
        let mut failed = false;
        games.take_while(move |game| !mem::replace(&mut failed, game.is_err()))
    }

    /// What the manifest or, before the dataset is complete, the side file says of a shard.
    fn entry(&self, shard: u64) -> Result<ShardEntry, DatasetError> {
        let listed = usize::try_from(shard).ok().and_then(|shard| self.manifest.shards.get(shard));
        if let Some(entry) = listed {
            return Ok(entry.clone());
        }
        let path = self.layout.side_file(shard);
        if !path.exists() {
            let path = self.layout.shard(shard);
            let reason =
                "not finished yet. Run the command that writes the dataset again to go on".to_owned();
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let side_file = SideFile::read(&path)?;
        if side_file.run_fingerprint != self.manifest.run_fingerprint || side_file.shard != shard {
            let reason =
                "belongs to another run or shard. Delete it, and run the command that writes the dataset";
            return Err(DatasetError::InvalidShard { path, reason: reason.to_owned() });
        }
        Ok(side_file.entry())
    }
}

/// The games of one shard, in order. After an error there are no more.
pub struct ShardGames {
    shard: u64,
    stored: StoredGames<DatasetSpec>,
    /// Plays a game again, where the moves are not stored.
    again: Option<Box<dyn FnMut(u64) -> GameRecord + Send>>,
}

impl Iterator for ShardGames {
    type Item = Result<GameRow, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (row, game) = match self.stored.next()? {
            Ok(next) => next,
            Err(error) => return Some(Err(error)),
        };
        let shard = self.shard;
        let Some(play) = &mut self.again else {
            return Some(Ok(GameRow { record: game, shard, row }));
        };
        let record = play(game.game_index);
        let stored = GameRecord { moves: record.moves.clone(), first_move: record.first_move, ..game };
        if stored != record {
            let reason = "the game that its seed gives differs from it; the shard was changed, or written by another version";
            return Some(Err(self.stored.invalid_row(row, reason.to_owned())));
        }
        Some(Ok(GameRow { record, shard, row }))
    }
}

fn player(spec: &DatasetSpec) -> Box<dyn FnMut(u64) -> GameRecord + Send> {
    for_width!(spec.run.config.size, W => {
        let mut player = Box::new(Playouts::<W>::new(&spec.run));
        Box::new(move |index| player.play(index).0.clone())
    })
}
