//! Arguments to values.

use jigo_engine::{BoardSize, Color, Move, Point};

use super::GtpError;

/// The arguments of a command and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) words: &'a [String],
    pub(super) usage: &'static str,
}

impl<'a> Arguments<'a> {
    /// The error of arguments that are not of the command's form.
    pub(super) fn usage_error(&self) -> GtpError {
        GtpError::Usage(self.usage)
    }

    /// Exactly so many words. More are an error too: a controller that sends them means something else.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&'a str; N], GtpError> {
        let words: &[String; N] = self.words.try_into().map_err(|_| self.usage_error())?;
        Ok(words.each_ref().map(String::as_str))
    }

    /// One word or none.
    pub(super) fn at_most_one(&self) -> Result<Option<&'a str>, GtpError> {
        match self.words {
            [] => Ok(None),
            [word] => Ok(Some(word)),
            _ => Err(self.usage_error()),
        }
    }

    /// A whole number.
    pub(super) fn number<N: std::str::FromStr>(&self, word: &str) -> Result<N, GtpError> {
        word.parse().map_err(|_| self.usage_error())
    }

    /// One argument, a colour.
    pub(super) fn color(&self) -> Result<Color, GtpError> {
        let [word] = self.exactly()?;
        color(word)
    }
}

/// `b`, `black`, `w` or `white`, in capitals or small letters.
pub(super) fn color(word: &str) -> Result<Color, GtpError> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(GtpError::Color(word.to_owned())),
    }
}

/// A point or `pass`, in capitals or small letters.
pub(super) fn vertex(word: &str, size: BoardSize) -> Result<Move, GtpError> {
    if word.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    Ok(Move::Play(Point::from_gtp(word, size)?))
}

/// The names of points with blanks between them.
pub(super) fn vertices(points: impl IntoIterator<Item = Point>, size: BoardSize) -> String {
    let names: Vec<String> = points.into_iter().map(|point| point.to_gtp(size)).collect();
    names.join(" ")
}
