//! The header of a Parquet page, as far as it claims sizes.
//!
//! # Source
//! Apache Parquet, `parquet.thrift` (`PageHeader`); Apache Thrift, *Thrift compact protocol encoding*.

/// What the header of a page claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// Bytes of the header itself.
    pub(super) length: u64,
    /// Bytes of the page when it is decompressed.
    pub(super) uncompressed: u64,
    /// Bytes of the page in the file.
    pub(super) compressed: u64,
    /// Values in it, empty lists included.
    pub(super) values: u64,
    /// Whether it holds a dictionary and no values of games.
    pub(super) is_dictionary: bool,
}

impl PageHeader {
    /// Reads the header at the start of these bytes; `None` when there is none, or one with what jigo does not write.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes, at: 0 };
        let mut header = Self::default();
        let mut field = 0;
        while let Some(kind) = reader.next_field(&mut field)? {
            match (field, kind) {
                (2, INTEGER) => header.uncompressed = reader.size()?,
                (3, INTEGER) => header.compressed = reader.size()?,
                // Headers of data pages of both versions, and of dictionaries.
                (5 | 7 | 8, STRUCT) => {
                    header.is_dictionary = field == 7;
                    header.values = reader.first_size_of_struct()?;
                }
                (_, kind) => reader.skip(kind)?,
            }
        }
        header.length = reader.at as u64;
        Some(header)
    }
}

/// A whole number of 32 bits.
const INTEGER: u8 = 5;
/// A struct.
const STRUCT: u8 = 12;

/// Bytes in Thrift's compact protocol.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// An unsigned number, seven bits a byte, the lowest first.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number that is not negative, written with its sign in the lowest bit.
    fn size(&mut self) -> Option<u64> {
        let number = self.varint()?;
        (number & 1 == 0).then_some(number >> 1)
    }

    /// The type of the next field, whose number goes to `field`; `Some(None)` at the end of the struct.
    fn next_field(&mut self, field: &mut u64) -> Option<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        *field = match u64::from(byte >> 4) {
            0 => self.size()?,
            step => field.checked_add(step)?,
        };
        Some(Some(byte & 0x0f))
    }

    /// The first field of a struct, which is a size; the others are passed over.
    fn first_size_of_struct(&mut self) -> Option<u64> {
        let (mut field, mut first) = (0, None);
        while let Some(kind) = self.next_field(&mut field)? {
            if field == 1 && kind == INTEGER {
                first = Some(self.size()?);
            } else {
                self.skip(kind)?;
            }
        }
        first
    }

    /// Passes over a value that is no struct, list or map.
    fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            // Booleans stand in the type.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 30 values: 70 bytes, 52 compressed, with encodings.
    const PAGE: [u8; 17] = [0x15, 0, 0x15, 140, 1, 0x15, 104, 0x2c, 0x15, 60, 0x15, 10, 0x15, 6, 0x15, 6, 0];

    #[test]
    fn sizes_are_read() {
        let bytes = [&PAGE[..], &[0, 99]].concat();
        let expected =
            PageHeader { length: 18, uncompressed: 70, compressed: 52, values: 30, is_dictionary: false };
        assert_eq!(PageHeader::read(&bytes), Some(expected));
    }

    #[test]
    fn what_jigo_does_not_write_is_no_header() {
        for end in 0..PAGE.len() {
            assert_eq!(PageHeader::read(&PAGE[..end]), None);
        }
        // A negative size, and a list.
        assert_eq!(PageHeader::read(&[0x25, 1, 0]), None);
        assert_eq!(PageHeader::read(&[0x29, 0, 0]), None);
        assert_eq!(
            PageHeader::read(&[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            None
        );
    }
}
