//! The encoders against numbers computed elsewhere: by a BERT written in Python with `f64`, over a small network whose
//! weights both sides make up from a formula (everywhere), and over all-MiniLM-L6-v2 (where the model is:
//! `MILLWRIGHT_MODELS`, a folder with `minilm` in it). Pairs of texts are held against Hugging Face's own
//! `BertForSequenceClassification` (transformers 4.46, in `f64`) over the same made-up weights.
#![cfg(feature = "embed-reference")]
#![expect(clippy::disallowed_methods, reason = "tests read files; the core itself does not")]
#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it, in its helpers as well")]
#![expect(clippy::print_stdout, reason = "a skipped test has to be seen")]

use millwright_core::embed::{
    BertConfig, CandleBert, CrossEncoder, E5_SMALL, EmbedError, Embedder, Encoder, Instructions, Int8Bert, MINILM,
    PackedE5, SafetensorsWeights, Tokenizer, Tokens, Weights, pool,
};
use millwright_core::host::NoProgress;
use std::{
    env, fs,
    ops::{ControlFlow, Range},
    path::PathBuf,
};

/// Weights by formula: a hash of the tensor's name and the number's place.
struct Made;

fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Weights for Made {
    fn rows(&self, name: &str, shape: [usize; 2], rows: Range<usize>, into: &mut Vec<f32>) -> Result<(), EmbedError> {
        let is_weight = name.ends_with(".weight");
        let is_layer = name.contains("dense") || name.contains("self");
        for i in rows.start * shape[1]..rows.end * shape[1] {
            let x = ((mixed(hash(name) ^ i as u64) >> 40) as f32 - 8_388_608.0) / 8_388_608.0;
            into.push(match (is_weight, is_layer) {
                (true, _) if name.ends_with("LayerNorm.weight") => 1.0 + x / 4.0,
                (true, false) => x,
                _ => x / 4.0,
            });
        }
        Ok(())
    }
}

fn made_config() -> BertConfig {
    BertConfig::from_json(
        br#"{"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 40,
            "max_position_embeddings": 16, "layer_norm_eps": 1e-12, "type_vocab_size": 2}"#,
    )
    .unwrap()
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn made_cases() -> (Tokens, Vec<Vec<f32>>) {
    let mut tokens = Tokens::default();
    let mut vectors = Vec::new();
    for line in include_str!("embed/made.tsv").lines() {
        let (ids, vector) = line.split_once('\t').unwrap();
        tokens.push(&numbers::<u32>(ids));
        vectors.push(numbers(vector));
    }
    (tokens, vectors)
}

fn vectors(encoder: &dyn Encoder, tokens: &Tokens) -> Vec<Vec<f32>> {
    pool(&encoder.encode(tokens).unwrap(), tokens)
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn the_f32_network_gives_the_reference_vectors() {
    let (tokens, expected) = made_cases();
    for (vector, expected) in vectors(&CandleBert::new(&Made, made_config()).unwrap(), &tokens).iter().zip(&expected) {
        assert_eq!(vector.len(), expected.len());
        for (x, right) in vector.iter().zip(expected) {
            assert!((x - right).abs() < 2e-5, "{x} is not {right}");
        }
    }
}

#[test]
fn the_8_bit_network_is_near_the_reference_and_equal_on_all_instructions() {
    let (tokens, expected) = made_cases();
    let plain = vectors(&Int8Bert::new(&Made, made_config(), Instructions::Portable).unwrap(), &tokens);
    for (vector, expected) in plain.iter().zip(&expected) {
        assert!(cosine(vector, expected) > 0.995, "{}", cosine(vector, expected));
    }
    for instructions in Instructions::available() {
        let found = vectors(&Int8Bert::new(&Made, made_config(), instructions).unwrap(), &tokens);
        let bits = |vectors: &[Vec<f32>]| vectors.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&plain), "{instructions:?}");
    }
}

#[test]
fn a_text_has_the_same_vector_in_any_batch() {
    let network = Int8Bert::new(&Made, made_config(), Instructions::best()).unwrap();
    let (tokens, _) = made_cases();
    let together = vectors(&network, &tokens);
    for (text, vector) in tokens.texts().zip(together) {
        let mut alone = Tokens::default();
        alone.push(&tokens.ids()[text]);
        assert_eq!(vectors(&network, &alone), [vector]);
    }
}

fn pairs() -> (Tokens, Vec<f32>) {
    let mut tokens = Tokens::default();
    let mut scores = Vec::new();
    for line in include_str!("embed/pairs.tsv").lines() {
        let [first, second, score] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        tokens.push_pair(&numbers::<u32>(first), &numbers::<u32>(second));
        scores.push(score.parse().unwrap());
    }
    (tokens, scores)
}

/// A tokenizer of numbers: "7 8" is the tokens 7 and 8, between 1 and 2.
fn of_numbers() -> Tokenizer {
    Tokenizer::new(numbers_json().as_bytes(), 16).unwrap()
}

/// Its `tokenizer.json`.
fn numbers_json() -> String {
    let words: Vec<String> = (0..40).map(|n| format!("\"{n}\": {n}")).collect();
    let special = |token: u32| format!(r#"{{"id": "{token}", "ids": [{token}], "tokens": ["{token}"]}}"#);
    let piece = |kind: &str, id: &str, part: u32| format!(r#"{{"{kind}": {{"id": "{id}", "type_id": {part}}}}}"#);
    let (begin, end) = (piece("SpecialToken", "1", 0), piece("SpecialToken", "2", 0));
    let (a, b, second_end) = (piece("Sequence", "A", 0), piece("Sequence", "B", 1), piece("SpecialToken", "2", 1));
    format!(
        r#"{{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
            "pre_tokenizer": {{"type": "WhitespaceSplit"}}, "decoder": null,
            "post_processor": {{"type": "TemplateProcessing", "single": [{begin}, {a}, {end}],
                "pair": [{begin}, {a}, {end}, {b}, {second_end}],
                "special_tokens": {{"1": {}, "2": {}}}}},
            "model": {{"type": "WordLevel", "unk_token": "0", "vocab": {{{}}}}}}}"#,
        special(1),
        special(2),
        words.join(", ")
    )
}

#[test]
fn pairs_have_the_reference_scores() {
    let (tokens, expected) = pairs();
    let exact = CandleBert::new(&Made, made_config()).unwrap();
    let exact = CrossEncoder::over(exact, &Made, &made_config(), of_numbers()).unwrap();
    for (score, right) in exact.score_pairs(&tokens).unwrap().iter().zip(&expected) {
        assert!((score - right).abs() < 1e-4, "{score} is not {right}");
    }
    let small = Int8Bert::new(&Made, made_config(), Instructions::best()).unwrap();
    let small = CrossEncoder::over(small, &Made, &made_config(), of_numbers()).unwrap();
    let scores = small.score_pairs(&tokens).unwrap();
    for (score, right) in scores.iter().zip(&expected) {
        assert!((score - right).abs() < 0.05, "{score} is not {right}");
    }
    // A network that does not see which part is whose gives others.
    let mut merged = Tokens::default();
    tokens.texts().for_each(|pair| merged.push(&tokens.ids()[pair]));
    assert!(
        exact.score_pairs(&merged).unwrap().iter().zip(&expected).any(|(score, right)| (score - right).abs() > 0.1)
    );
}

/// The made-up network as a `model.safetensors` with the names that Hugging Face gives a classifier.
fn made_file() -> Vec<u8> {
    let (hidden, wide) = (32, 64);
    let mut names = vec![
        ("bert.embeddings.word_embeddings.weight".to_owned(), [40, hidden]),
        ("bert.embeddings.position_embeddings.weight".to_owned(), [16, hidden]),
        ("bert.embeddings.token_type_embeddings.weight".to_owned(), [2, hidden]),
        ("bert.pooler.dense.weight".to_owned(), [hidden, hidden]),
        ("bert.pooler.dense.bias".to_owned(), [1, hidden]),
        ("classifier.weight".to_owned(), [1, hidden]),
        ("classifier.bias".to_owned(), [1, 1]),
    ];
    let mut norm = |name: &str| {
        names.extend(["weight", "bias"].map(|part| (format!("bert.{name}.LayerNorm.{part}"), [1, hidden])));
    };
    norm("embeddings");
    for layer in 0..2 {
        norm(&format!("encoder.layer.{layer}.attention.output"));
        norm(&format!("encoder.layer.{layer}.output"));
    }
    for layer in 0..2 {
        let shapes = [
            ("attention.self.query", [hidden, hidden]),
            ("attention.self.key", [hidden, hidden]),
            ("attention.self.value", [hidden, hidden]),
            ("attention.output.dense", [hidden, hidden]),
            ("intermediate.dense", [wide, hidden]),
            ("output.dense", [hidden, wide]),
        ];
        for (name, [rows, columns]) in shapes {
            names.push((format!("bert.encoder.layer.{layer}.{name}.weight"), [rows, columns]));
            names.push((format!("bert.encoder.layer.{layer}.{name}.bias"), [1, rows]));
        }
    }
    let (mut list, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in names {
        let values = Made.matrix(name.trim_start_matches("bert."), shape).unwrap();
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let is_vector = name.ends_with(".bias") || name.contains("LayerNorm");
        let shape = if is_vector { vec![shape[1]] } else { shape.to_vec() };
        list.insert(name, serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}));
    }
    let list = serde_json::to_vec(&list).unwrap();
    [&(list.len() as u64).to_le_bytes()[..], &list, &data].concat()
}

#[test]
fn the_files_of_a_hub_make_the_same_network() {
    let config = br#"{"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
        "vocab_size": 40, "max_position_embeddings": 16, "layer_norm_eps": 1e-12, "type_vocab_size": 2,
        "architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}}"#;
    let file = |part: &str| match part {
        "weights" => Some(made_file()),
        "measures" => Some(config.to_vec()),
        "tokenizer" => Some(numbers_json().into_bytes()),
        _ => None,
    };
    let network = CrossEncoder::of_parts(file).unwrap();
    let scores = network.scores("24", &["13 29 7 8 38"], &mut NoProgress).unwrap();
    assert!((scores[0] - 2.433_362).abs() < 0.05, "{}", scores[0]);
    let missing = CrossEncoder::of_parts(|part: &str| file(part).filter(|_| part != "tokenizer"));
    assert!(matches!(missing, Err(EmbedError::Malformed { file: "tokenizer", .. })));
    // An encoder of vectors has no layer for a label.
    let renamed = |part: &str| {
        let bytes = file(part)?;
        let at = bytes.windows(17).position(|name| name == b"classifier.weight");
        Some(at.map_or(bytes.clone(), |at| [&bytes[..at], b"classified.weight", &bytes[at + 17..]].concat()))
    };
    assert!(CrossEncoder::of_parts(renamed).unwrap_err().to_string().contains("classifier.weight"));
}

#[test]
fn texts_are_scored_as_pairs_and_scoring_can_be_stopped() {
    let encoder = Int8Bert::new(&Made, made_config(), Instructions::best()).unwrap();
    let network = CrossEncoder::over(encoder, &Made, &made_config(), of_numbers()).unwrap();
    let (tokens, _) = pairs();
    let mut one = Tokens::default();
    one.push_pair(&[1, 24, 2], &[13, 29, 7, 8, 38, 2]);
    let alone = network.score_pairs(&one).unwrap();
    assert_eq!(alone[0], network.score_pairs(&tokens).unwrap()[0], "the same in any batch");
    let scores = network.scores("24", &["13 29 7 8 38"; 70], &mut NoProgress).unwrap();
    assert_eq!(scores, vec![alone[0]; 70]);
    // Sixteen tokens are the most: of a longer passage the rest is not read.
    let long = network.scores("24", &["13 29 7 8 38 9 9 9 9 9 9 9 9 9 9 9 9"], &mut NoProgress).unwrap();
    assert_eq!(long.len(), 1);
    let mut heard = Vec::new();
    let stopped = network.scores("24", &["13 29 7 8 38"; 70], &mut |done: u32, total: u32| {
        heard.push((done, total));
        ControlFlow::Break(())
    });
    assert_eq!((stopped.unwrap().len(), heard), (56, vec![(56, 70)]), "what was done is kept");
    assert_eq!(network.scores("", &[], &mut NoProgress).unwrap(), Vec::<f32>::new());
}

#[test]
fn what_does_not_fit_the_network_is_told() {
    let encoders: [Box<dyn Encoder>; 2] = [
        Box::new(Int8Bert::new(&Made, made_config(), Instructions::best()).unwrap()),
        Box::new(CandleBert::new(&Made, made_config()).unwrap()),
    ];
    for encoder in encoders {
        let of = |ids: &[u32]| {
            let mut tokens = Tokens::default();
            tokens.push(ids);
            encoder.encode(&tokens).map(|states| states.values.len())
        };
        assert_eq!(of(&[40]), Err(EmbedError::UnknownToken { token: 40, vocabulary: 40 }));
        assert_eq!(of(&[1; 17]), Err(EmbedError::TooLong { n_tokens: 17, max_tokens: 16 }));
        assert_eq!(of(&[]), Ok(0));
        assert_eq!(of(&[1; 16]), Ok(16 * 32));
    }
    let odd = [("hidden_size", "40"), ("hidden_act", "\"relu\""), ("vocab_size", "0"), ("num_attention_heads", "0")];
    for (key, value) in odd {
        let mut config: serde_json::Value = serde_json::from_str(
            r#"{"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 40,
                "max_position_embeddings": 16, "layer_norm_eps": 1e-12}"#,
        )
        .unwrap();
        config[key] = serde_json::from_str(value).unwrap();
        let read = BertConfig::from_json(config.to_string().as_bytes());
        assert!(matches!(read, Err(EmbedError::Unsupported(_))), "{key} {read:?}");
    }
}

/// A model's folder; `None`, said aloud, where it is not.
fn model(id: &str) -> Option<PathBuf> {
    let folder = env::var_os("MILLWRIGHT_MODELS").map(|models| PathBuf::from(models).join(id));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("SKIPPED: MILLWRIGHT_MODELS names no folder with {id} in it; nothing of it was checked.");
    }
    folder
}

#[test]
fn minilm_gives_the_reference_vectors() {
    let Some(folder) = model("minilm") else { return };
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let file = read("model.safetensors");
    let weights = SafetensorsWeights::new(&file).unwrap();
    let config = BertConfig::from_json(&read("config.json")).unwrap();
    let tokenizer = Tokenizer::new(&read("tokenizer.json"), 256).unwrap();
    let exact = CandleBert::new(&weights, config.clone()).unwrap();
    let small = Int8Bert::new(&weights, config, Instructions::best()).unwrap();
    let mut cosines = Vec::new();
    for line in include_str!("embed/minilm.tsv").lines() {
        let [text, n_tokens, probe, first] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let mut tokens = Tokens::default();
        tokens.push(&tokenizer.tokens("", text).unwrap());
        assert_eq!(tokens.ids().len(), n_tokens.parse::<usize>().unwrap(), "{text}");
        let vector = vectors(&exact, &tokens).remove(0);
        for (x, right) in vector.iter().zip(numbers::<f32>(first)) {
            assert!((x - right).abs() < 1e-4, "{text}: {x} is not {right}");
        }
        // All 384 numbers weigh in one.
        let sum: f32 = vector.iter().zip((0..7).cycle()).map(|(x, i)| x * (i as f32 - 3.0)).sum();
        assert!((sum - probe.parse::<f32>().unwrap()).abs() < 2e-4, "{text}: {sum} is not {probe}");
        let cosine = cosine(&vector, &vectors(&small, &tokens)[0]);
        // The least of the twenty is the text without a word, with 0.990.
        assert!(cosine > 0.99, "{text}: {cosine}");
        cosines.push(cosine);
    }
    assert_eq!(cosines.len(), 20);
    let mean = cosines.iter().sum::<f32>() / 20.0;
    assert!(mean > 0.996, "{mean}");
}

#[test]
fn passages_are_embedded_in_their_order_and_can_be_stopped() {
    let Some(folder) = model("minilm") else { return };
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let file = read("model.safetensors");
    let weights = SafetensorsWeights::new(&file).unwrap();
    let config = BertConfig::from_json(&read("config.json")).unwrap();
    // Sixty tokens of a text are enough here: nine texts of them are more than goes through together.
    let tokenizer = Tokenizer::new(&read("tokenizer.json"), 60).unwrap();
    let embedder = Embedder::new(MINILM, "0", &weights, config, tokenizer).unwrap();
    let long = "Drain the lubricant while the housing is warm. ".repeat(10);
    let mut texts = vec![&long[..]; 8];
    texts.extend(["The oil of the gearbox is drained warm.", &long, "Invoices are due in thirty days."]);
    let mut heard = Vec::new();
    let vectors = embedder
        .embed_passages(&texts, &mut |done: u32, total: u32| {
            heard.push((done, total));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(heard, [(9, 11)]);
    for i in 7..texts.len() {
        assert_eq!(embedder.embed_query(texts[i]).unwrap(), vectors[i]);
    }
    let query = embedder.embed_query("How do I change gear oil?").unwrap();
    assert!(cosine(&query, &vectors[8]) > cosine(&query, &vectors[10]) + 0.2);
    let stopped = embedder.embed_passages(&texts, &mut |_: u32, _: u32| ControlFlow::Break(()));
    assert_eq!(stopped, Err(EmbedError::Stopped));
    assert_eq!((embedder.identity().dims, embedder.identity().id.as_str()), (384, "minilm"));
}

#[test]
fn the_multilingual_model_knows_the_same_in_two_languages() {
    let Some(folder) = model("e5-small") else { return };
    let file = fs::read(folder.join("e5-small-q4.bin")).unwrap();
    let packed = PackedE5::new(&file).unwrap();
    let tokenizer = packed.tokenizer(E5_SMALL.max_tokens).unwrap();
    // Compared once with the model's published tokenizer.json.
    for line in include_str!("embed/e5.tsv").lines() {
        let (text, ids) = line.split_once('\t').unwrap();
        assert_eq!(tokenizer.tokens(E5_SMALL.query_prefix, text).unwrap(), numbers::<u32>(ids), "{text}");
    }
    let embedder = Embedder::new(E5_SMALL, "0", &packed, packed.config().clone(), tokenizer).unwrap();
    let query = embedder.embed_query("How do I change the oil of the gearbox?").unwrap();
    let passages =
        ["Das Getriebeöl wird bei warmem Gehäuse gewechselt.", "Rechnungen sind in dreißig Tagen zu zahlen."];
    let vectors = embedder.embed_passages(&passages, &mut NoProgress).unwrap();
    assert!(cosine(&query, &vectors[0]) > cosine(&query, &vectors[1]) + 0.03);
}
