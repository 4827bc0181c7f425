//! What is written is what is read.

use jigo_engine::{BoardSize, Color, Move, Point};
use proptest::prelude::*;

use super::*;

fn color() -> impl Strategy<Value = Color> + Clone {
    prop::sample::select(Color::BOTH.to_vec())
}

fn setup(size: BoardSize) -> impl Strategy<Value = Setup> + Clone {
    let point = (0..size.point_count()).prop_map(move |index| Point::from_index(index, size).unwrap());
    let points = prop::collection::btree_map(point, prop::option::of(color()), 0..12);
    (points, prop::option::of(color())).prop_map(|(points, to_play)| {
        let mut setup = Setup::default();
        setup.to_play = to_play;
        for (point, content) in points {
            setup.put(point, content);
        }
        setup
    })
}

fn event(size: BoardSize) -> impl Strategy<Value = Event> {
    let code = 0..=size.point_count() as u16;
    let mv = code.prop_map(move |code| Move::from_code(code, size).unwrap());
    let play = (color(), mv).prop_map(|(color, mv)| Event::Play { color, mv });
    let edit = setup(size).prop_filter("empty setup is not written", |setup| !setup.is_empty());
    prop_oneof![9 => play, 1 => edit.prop_map(|edit| Event::Setup(Box::new(edit)))]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9 ]{0,12}", "[\\]\\[\\\\\n\r\t:;()é名人]{0,12}", ".{0,12}", "[a\\]\\\\]{80,200}"]
}

fn game() -> impl Strategy<Value = SgfGame> {
    let size =
        (1..=25_usize, 1..=25_usize).prop_map(|(width, height)| BoardSize::new(width, height).unwrap());
    size.prop_flat_map(|size| {
        let names =
            prop::sample::select(vec!["PB", "PW", "KM", "RE", "RU", "C", "GC", "XY", "DT", "HA", "N"]);
        let info = prop::collection::vec((names, text()), 0..6);
        (Just(size), setup(size), info, prop::collection::vec(event(size), 0..60))
    })
    .prop_map(|(size, setup, info, events)| {
        let mut game = SgfGame::new(size);
        game.setup = setup;
        for (name, text) in info {
            game.info.set(name, &text).unwrap();
        }
        // Setup before the first move belongs to `setup`.
        game.events = events.into_iter().skip_while(|event| matches!(event, Event::Setup(_))).collect();
        game
    })
}

proptest! {
    #[test]
    fn any_game_reads_back(game in game()) {
        let text = write(&game);
        prop_assert_eq!(&read(&text).game, &game);
        prop_assert_eq!(write(&read(&text).game), text);
    }

    #[test]
    fn games_one_after_the_other_are_a_collection(games in prop::collection::vec(game(), 1..4)) {
        let text: String = games.iter().map(write).collect();
        let found: Vec<_> = read_collection(text.as_bytes()).into_iter().map(|game| game.unwrap().game).collect();
        prop_assert_eq!(found, games);
    }
}

#[test]
fn lines_are_of_readable_width() {
    let mut game = SgfGame::new(BoardSize::square(19).unwrap());
    for code in 0..=361 {
        game.setup.put(Point::new(code as u8 % 19, (code / 19) as u8 % 19), Some(Color::Black));
        game.play(Color::Black, Move::from_code(code, game.size).unwrap());
    }
    game.set_player(Color::White, "name");
    let text = write(&game);
    assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    assert!(text.lines().count() < 60);
}
