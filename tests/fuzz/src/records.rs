//! Series of records, in which each says how long it is, as records parted by a mark: so a mutation changes a record and
//! leaves the others what they are. Also the compound file around those of an XLS.

/// What parts records in an input: three bytes that real records hardly ever have in a row.
const MARK: [u8; 3] = [0xab, 0xcd, 0xef];
/// A sector of the compound files that are written.
const SECTOR: usize = 512;
/// Marks in the allocation table: the end of a chain, and a sector of the table itself.
const END: u32 = 0xffff_fffe;
const TABLE: u32 = 0xffff_fffd;
const FREE: u32 = 0xffff_ffff;
/// A larger stream is no seed.
const MAX_SEED_BYTES: usize = 60 << 10;

/// Records as XLS has them: type and length in two bytes each.
pub(crate) fn short(input: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    for record in split(input) {
        let (kind, content) = record.split_at(record.len().min(2));
        stream.extend_from_slice(&[kind.first().copied().unwrap_or(0), kind.get(1).copied().unwrap_or(0)]);
        let content = &content[..content.len().min(usize::from(u16::MAX))];
        stream.extend_from_slice(&(content.len() as u16).to_le_bytes());
        stream.extend_from_slice(content);
    }
    stream
}

/// The other way. The places of sheets no longer fit; the reader is to live with that.
pub(crate) fn split_short(stream: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    let mut rest = stream;
    while let [low, high, length_low, length_high, after @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*length_low, *length_high])).min(after.len());
        let (content, next) = after.split_at(length);
        input.extend_from_slice(&[*low, *high]);
        input.extend_from_slice(content);
        input.extend_from_slice(&MARK);
        rest = next;
    }
    input
}

/// Records as XLSB has them: type and length in bytes of seven bits. In an input the type has always two bytes.
pub(crate) fn long(input: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    for record in split(input) {
        let (kind, content) = record.split_at(record.len().min(2));
        let kind = [kind.first().copied().unwrap_or(0), kind.get(1).copied().unwrap_or(0)];
        stream.push(kind[0]);
        if kind[0] & 0x80 != 0 {
            stream.push(kind[1] & 0x7f);
        }
        let mut length = content.len();
        while length >= 0x80 {
            stream.push(length as u8 | 0x80);
            length >>= 7;
        }
        stream.push(length as u8);
        stream.extend_from_slice(content);
    }
    stream
}

/// The other way.
pub(crate) fn split_long(stream: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    let mut rest = stream.iter().copied();
    while let Some(low) = rest.next() {
        let high = if low & 0x80 != 0 { rest.next().unwrap_or(0) } else { 0 };
        let mut length = 0;
        for at in 0..4 {
            let byte = rest.next().unwrap_or(0);
            length |= usize::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                break;
            }
        }
        input.extend_from_slice(&[low, high]);
        input.extend(rest.by_ref().take(length));
        input.extend_from_slice(&MARK);
    }
    input
}

fn split(input: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    let mut rest = input;
    while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
        records.push(&rest[..at]);
        rest = &rest[at + MARK.len()..];
    }
    records.push(rest);
    records
}

/// Whether these are the bytes of a compound file.
pub(crate) fn is_compound(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0])
}

/// A compound file (MS-CFB) whose one stream is a workbook.
pub(crate) fn compound(stream: &[u8]) -> Vec<u8> {
    // At least so long that it does not stand in small sectors.
    let n_stream = stream.len().max(4096).div_ceil(SECTOR);
    let n_table = (n_stream + 1).div_ceil(SECTOR / 4 - 1);
    // The table, the directory, then the stream.
    let directory = n_table as u32;
    let mut next: Vec<u32> = vec![TABLE; n_table];
    next.push(END);
    next.extend((1..n_stream).map(|at| directory + 1 + at as u32));
    next.push(END);
    next.resize(n_table * SECTOR / 4, FREE);
    let mut file = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    file.resize(24, 0);
    // Versions, byte order, the sizes of sectors as powers of two.
    file.extend([0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    file.resize(44, 0);
    file.extend((n_table as u32).to_le_bytes());
    file.extend(directory.to_le_bytes());
    file.extend([0; 4]);
    file.extend(4096_u32.to_le_bytes());
    file.extend([END.to_le_bytes(), [0; 4], END.to_le_bytes(), [0; 4]].concat());
    for at in 0..109 {
        file.extend((if at < n_table { at as u32 } else { FREE }).to_le_bytes());
    }
    file.extend(next.iter().flat_map(|sector| sector.to_le_bytes()));
    file.extend(entry("Root Entry", 5, END, 0));
    file.extend(entry("Workbook", 2, directory + 1, n_stream * SECTOR));
    file.extend([0; 256]);
    file.extend_from_slice(stream);
    file.resize((1 + n_table + 1 + n_stream) * SECTOR, 0);
    file
}

fn entry(name: &str, kind: u8, first: u32, size: usize) -> Vec<u8> {
    let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = entry.len() as u16 + 2;
    entry.resize(64, 0);
    entry.extend(length.to_le_bytes());
    entry.extend([kind, 1]);
    entry.extend([FREE.to_le_bytes(), FREE.to_le_bytes(), 1_u32.to_le_bytes()].concat());
    entry.resize(116, 0);
    entry.extend(first.to_le_bytes());
    entry.extend((size as u64).to_le_bytes());
    entry
}

/// The workbook's stream of a compound file, as simply as seeds need it: it is where the first record of one stands, and
/// most files have it in one piece.
pub(crate) fn workbook(file: &[u8]) -> Option<Vec<u8>> {
    let begins = |at: &usize| {
        file[*at..].starts_with(&[0x09, 0x08])
            && file.get(at + 2..at + 4).is_some_and(|length| matches!(length, [8 | 16, 0]))
    };
    let at = (SECTOR..file.len()).step_by(SECTOR).find(begins)?;
    let stream = file.get(at..).filter(|_| is_compound(file))?;
    Some(stream[..stream.len().min(MAX_SEED_BYTES)].to_vec())
}
