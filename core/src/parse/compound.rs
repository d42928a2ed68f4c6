//! The compound file (MS-CFB): a small file system in a file, in which Office kept everything before 2007.
//!
//! Not for writing, and not for folders: streams are found by their names alone.

/// A name has at most 31 characters; of a longer directory only so many entries are looked at.
const MAX_ENTRIES: usize = 4096;
/// The end of a chain of sectors.
const LAST_SECTOR: u32 = 0xffff_fffa;

/// An opened file.
pub(crate) struct Compound<'b> {
    bytes: &'b [u8],
    sector_bytes: usize,
    small_bytes: usize,
    /// Streams below this size stand in small sectors.
    small_below: u64,
    /// Of every sector the next one.
    next: Vec<u32>,
    small_next: Vec<u32>,
    /// The stream that holds the small sectors.
    small: Vec<u8>,
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    first: u32,
    size: u64,
}

impl<'b> Compound<'b> {
    /// Reads the tables and the directory; `None` where they make no sense. O(size of the file).
    pub(crate) fn open(bytes: &'b [u8]) -> Option<Self> {
        let shift = |at| u16_at(bytes, at).filter(|shift| (6..=16).contains(shift)).map(|shift| 1_usize << shift);
        let (sector_bytes, small_bytes) = (shift(30)?, shift(32).unwrap_or(64));
        let mut file = Self {
            bytes,
            sector_bytes,
            small_bytes,
            small_below: u64::from(u32_at(bytes, 56)?),
            next: Vec::new(),
            small_next: Vec::new(),
            small: Vec::new(),
            entries: Vec::new(),
        };
        file.next = file.table();
        file.small_next = numbers(&file.chain(u32_at(bytes, 60)?, u64::MAX)).collect();
        let directory = file.chain(u32_at(bytes, 48)?, u64::MAX);
        file.entries = directory.chunks_exact(128).take(MAX_ENTRIES).filter_map(entry).collect();
        let root = file.entries.first()?;
        file.small = file.chain(root.first, root.size);
        Some(file)
    }

    /// The content of the stream of this name, whatever its case.
    pub(crate) fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entries.iter().skip(1).find(|entry| entry.name.eq_ignore_ascii_case(name))?;
        if entry.size >= self.small_below {
            return Some(self.chain(entry.first, entry.size));
        }
        let mut content = Vec::new();
        let mut sector = entry.first;
        for _ in 0..=self.small_next.len() {
            let at = (sector as usize).checked_mul(self.small_bytes)?;
            let Some(rest) = self.small.get(at..).filter(|_| sector < LAST_SECTOR) else { break };
            content.extend_from_slice(&rest[..rest.len().min(self.small_bytes)]);
            // A chain that goes round in large sectors would fill the memory: no stream is longer than all of them.
            if content.len() as u64 >= entry.size || content.len() >= self.small.len() {
                break;
            }
            sector = self.small_next.get(sector as usize).copied().unwrap_or(LAST_SECTOR);
        }
        content.truncate(usize::try_from(entry.size).unwrap_or(usize::MAX));
        Some(content)
    }

    /// The allocation table: its own sectors are listed in the header and in a chain behind it.
    fn table(&self) -> Vec<u32> {
        let n_sectors = self.bytes.len() / self.sector_bytes;
        let mut places: Vec<u32> = (0..109).filter_map(|at| u32_at(self.bytes, 76 + 4 * at)).collect();
        let mut list = u32_at(self.bytes, 68).unwrap_or(LAST_SECTOR);
        for _ in 0..n_sectors {
            let Some(sector) = self.sector(list) else { break };
            let mut numbers: Vec<u32> = numbers(sector).collect();
            list = numbers.pop().unwrap_or(LAST_SECTOR);
            places.append(&mut numbers);
        }
        let places = places.iter().take(n_sectors).filter_map(|place| self.sector(*place));
        places.flat_map(numbers).take(n_sectors + 1).collect()
    }

    fn sector(&self, number: u32) -> Option<&'b [u8]> {
        let at = (number as usize).checked_add(1)?.checked_mul(self.sector_bytes)?;
        let rest = self.bytes.get(at..).filter(|rest| number < LAST_SECTOR && !rest.is_empty())?;
        Some(&rest[..rest.len().min(self.sector_bytes)])
    }

    /// The sectors of a chain, no more than the file has, cut to `size`.
    fn chain(&self, first: u32, size: u64) -> Vec<u8> {
        let mut content = Vec::new();
        let mut number = first;
        for _ in 0..=self.bytes.len() / self.sector_bytes {
            let Some(sector) = self.sector(number) else { break };
            content.extend_from_slice(sector);
            if content.len() as u64 >= size {
                break;
            }
            number = self.next.get(number as usize).copied().unwrap_or(LAST_SECTOR);
        }
        content.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        content
    }
}

fn entry(bytes: &[u8]) -> Option<Entry> {
    let length = usize::from(u16_at(bytes, 64)?).min(64);
    let units = bytes[..length].chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let name = char::decode_utf16(units.take_while(|unit| *unit != 0)).map(|c| c.unwrap_or('\u{fffd}')).collect();
    // The upper half of the size is rubbish in files with small sectors; none is larger than 4 GiB here.
    Some(Entry { name, first: u32_at(bytes, 116)?, size: u64::from(u32_at(bytes, 120)?) })
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
pub(crate) mod fixture {
    //! Compound files for tests: no small sectors, entries in the order given, each below its folder.

    const SECTOR: usize = 512;
    const LAST: u32 = 0xffff_fffe;
    const NONE: u32 = 0xffff_ffff;

    /// A file with these streams; `folder/stream` stands in a folder, which is made.
    pub(crate) fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
        let mut entries: Vec<(String, u8, Option<usize>, &[u8])> = vec![("Root Entry".to_owned(), 5, None, &[])];
        for (path, content) in streams {
            let mut parent = 0;
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            for part in folder.split('/').filter(|part| !part.is_empty()) {
                let known = entries.iter().position(|(name, _, above, _)| name == part && *above == Some(parent));
                parent = known.unwrap_or_else(|| {
                    entries.push((part.to_owned(), 1, Some(parent), &[]));
                    entries.len() - 1
                });
            }
            entries.push((name.to_owned(), 2, Some(parent), content));
        }
        let n_directory = (entries.len() * 128).div_ceil(SECTOR);
        let sizes: Vec<usize> = entries.iter().map(|(_, _, _, content)| content.len().div_ceil(SECTOR)).collect();
        let n_data: usize = sizes.iter().sum::<usize>() + n_directory;
        let n_table = (1..).find(|n| n * 128 >= n_data + n).unwrap_or(1);
        let mut table: Vec<u32> = vec![0xffff_fffd; n_table];
        let mut chain = |n: usize| {
            let first = table.len() as u32;
            (0..n).for_each(|at| table.push(if at + 1 == n { LAST } else { first + at as u32 + 1 }));
            if n == 0 { LAST } else { first }
        };
        let directory = chain(n_directory);
        let firsts: Vec<u32> = sizes.iter().map(|n| chain(*n)).collect();
        table.resize(n_table * 128, NONE);
        let mut file = vec![0; SECTOR];
        file[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
        file[24..34].copy_from_slice(&[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
        let numbers = [(44, n_table as u32), (48, directory), (56, 0), (60, LAST), (68, LAST)];
        for (at, number) in
            numbers.into_iter().chain((0..109).map(|n| (76 + 4 * n, if n < n_table { n as u32 } else { NONE })))
        {
            file[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        file.extend(table.iter().flat_map(|number| number.to_le_bytes()));
        let mut written = Vec::new();
        for (at, (name, kind, parent, content)) in entries.iter().enumerate() {
            let mut entry = [0; 128];
            let units: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
            entry[..units.len()].copy_from_slice(&units);
            entry[64..66].copy_from_slice(&(units.len() as u16).to_le_bytes());
            entry[66] = *kind;
            entry[67] = 1;
            // Siblings hang one below the other on the right; a folder's first is its child.
            let next = (at + 1..entries.len()).find(|other| at > 0 && entries[*other].2 == *parent);
            let child = (at + 1..entries.len()).find(|other| entries[*other].2 == Some(at));
            for (offset, number) in [(68, None), (72, next), (76, child)] {
                let number = number.map_or(NONE, |number| number as u32);
                entry[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
            }
            entry[116..120].copy_from_slice(&firsts[at].to_le_bytes());
            entry[120..124].copy_from_slice(&(content.len() as u32).to_le_bytes());
            written.extend(entry);
        }
        written.resize(n_directory * SECTOR, 0);
        file.extend(written);
        for (_, _, _, content) in &entries {
            file.extend_from_slice(content);
            file.resize(file.len().next_multiple_of(SECTOR), 0);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn streams_are_found_by_their_names() {
        let long: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let bytes = fixture::compound(&[("Workbook", &long), ("Folder/Note", b"in it")]);
        let file = Compound::open(&bytes).expect("a compound file");
        assert_eq!(file.stream("workbook"), Some(long));
        assert_eq!(file.stream("Note").as_deref(), Some(&b"in it"[..]));
        assert_eq!(file.stream("other"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_opened_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..4096), shift in 6_u8..10, small in 6_u8..17, links in any::<bool>()) {
            if bytes.len() > 600 {
                bytes[30..34].copy_from_slice(&[shift, 0, small, 0]);
                if links {
                    // Small numbers, so that chains lead somewhere, and round in circles.
                    bytes.iter_mut().skip(44).enumerate().for_each(|(at, byte)| *byte = if at % 4 == 0 { *byte % 8 } else { 0 });
                }
            }
            if let Some(file) = Compound::open(&bytes) {
                for entry in &file.entries {
                    prop_assert!(file.stream(&entry.name).is_none_or(|content| content.len() <= bytes.len() + 512));
                }
            }
        }
    }

    #[test]
    fn a_chain_of_large_small_sectors_that_goes_round_ends() {
        const END: u32 = 0xffff_fffe;
        let mut file = vec![0_u8; 512];
        let mut put = |at: usize, number: u32| file[at..at + 4].copy_from_slice(&number.to_le_bytes());
        // Sectors of 512 bytes, small ones of 64 KiB; everything below 4 GiB stands in small ones.
        put(30, 9 | 16 << 16);
        put(48, 1);
        put(56, u32::MAX);
        put(60, 2);
        put(68, END);
        put(76, 0);
        let mut table = vec![0xffff_fffd, END, END];
        table.extend((4..100).chain([END]));
        table.resize(128, END);
        file.extend(table.iter().flat_map(|sector| sector.to_le_bytes()));
        let entry = |name: &str, first: u32, size: u32| {
            let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let length = entry.len() as u8 + 2;
            entry.resize(128, 0);
            entry[64] = length;
            entry[116..120].copy_from_slice(&first.to_le_bytes());
            entry[120..124].copy_from_slice(&size.to_le_bytes());
            entry
        };
        file.extend([entry("Root", 3, u32::MAX), entry("Workbook", 0, u32::MAX - 1), vec![0; 256]].concat());
        // The first small sector follows itself.
        file.extend(0_u32.to_le_bytes().repeat(128));
        file.resize(512 * 101, 7);
        let content = Compound::open(&file).unwrap().stream("Workbook").unwrap();
        assert!(!content.is_empty() && content.len() <= 2 * file.len(), "{}", content.len());
    }
}
