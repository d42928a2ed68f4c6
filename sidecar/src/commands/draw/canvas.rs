//! Pixels to draw frames and labels on. Labels are set in a face of three by five pixels of our own, drawn twice as large:
//! no font needs to be there.

use millwright_core::parse::scan::Picture;

/// How large a pixel of the face is drawn.
const SCALE: i64 = 2;
/// A letter is this many of its pixels wide and high, and this far from the next.
const WIDTH: i64 = 3;
const HEIGHT: i64 = 5;
const ADVANCE: i64 = 4;

/// A picture that is drawn on.
pub(super) struct Canvas {
    width: i64,
    height: i64,
    rgb: Vec<u8>,
}

impl Canvas {
    /// Begins with a picture, made paler so that what is drawn on it stands out.
    pub(super) fn of(picture: &Picture) -> Self {
        let rgb = picture.rgb().iter().map(|value| 255 - (255 - value) / 4 * 3).collect();
        Self { width: i64::from(picture.width()), height: i64::from(picture.height()), rgb }
    }

    fn fill(&mut self, x0: i64, y0: i64, x1: i64, y1: i64, color: [u8; 3]) {
        for y in y0.max(0)..y1.min(self.height) {
            for x in x0.max(0)..x1.min(self.width) {
                let at = ((y * self.width + x) * 3) as usize;
                if let Some(pixel) = self.rgb.get_mut(at..at + 3) {
                    pixel.copy_from_slice(&color);
                }
            }
        }
    }

    /// A frame of this thickness, inside the corners given.
    pub(super) fn frame(&mut self, x0: i64, y0: i64, x1: i64, y1: i64, thickness: i64, color: [u8; 3]) {
        self.fill(x0, y0, x1, y0 + thickness, color);
        self.fill(x0, y1 - thickness, x1, y1, color);
        self.fill(x0, y0, x0 + thickness, y1, color);
        self.fill(x1 - thickness, y0, x1, y1, color);
    }

    /// Text in white on its colour, to the left of the upper left corner of a frame: there it hides least.
    pub(super) fn label(&mut self, x: i64, y: i64, text: &str, color: [u8; 3]) {
        let n_letters = text.chars().count() as i64;
        if n_letters == 0 {
            return;
        }
        let (width, height) = ((n_letters * ADVANCE - 1) * SCALE + 4, HEIGHT * SCALE + 4);
        let (x, y) = ((x - width).min(self.width - width).max(0), y.max(0));
        self.fill(x, y, x + width, y + height, color);
        for (place, letter) in (0..).zip(text.chars()) {
            let rows = letter_rows(letter);
            for (row, bits) in (0..).zip(rows) {
                for column in (0..WIDTH).filter(|column| bits >> (WIDTH - 1 - column) & 1 == 1) {
                    let (px, py) = (x + 2 + (place * ADVANCE + column) * SCALE, y + 2 + row * SCALE);
                    self.fill(px, py, px + SCALE, py + SCALE, [255; 3]);
                }
            }
        }
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// What the encoder says.
    pub(super) fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.rgb)?;
        Ok(bytes)
    }
}

/// A letter's rows from the top, three bits each; a full block for what is not in the face.
fn letter_rows(letter: char) -> [u8; 5] {
    match letter {
        'A' => [2, 5, 7, 5, 5],
        'B' => [6, 5, 6, 5, 6],
        'C' => [3, 4, 4, 4, 3],
        'D' => [6, 5, 5, 5, 6],
        'E' => [7, 4, 6, 4, 7],
        'F' => [7, 4, 6, 4, 4],
        'G' => [3, 4, 5, 5, 3],
        'H' => [5, 5, 7, 5, 5],
        'I' => [7, 2, 2, 2, 7],
        'K' => [5, 5, 6, 5, 5],
        'L' => [4, 4, 4, 4, 7],
        'N' => [6, 5, 5, 5, 5],
        'O' => [7, 5, 5, 5, 7],
        'P' => [6, 5, 6, 4, 4],
        'Q' => [7, 5, 5, 7, 1],
        'R' => [6, 5, 6, 5, 5],
        'T' => [7, 2, 2, 2, 2],
        'U' => [5, 5, 5, 5, 7],
        'V' => [5, 5, 5, 5, 2],
        'W' => [5, 5, 7, 7, 5],
        'Y' => [5, 5, 2, 2, 2],
        '1' => [2, 6, 2, 2, 7],
        '2' => [6, 1, 2, 4, 7],
        '3' => [6, 1, 2, 1, 6],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 6, 1, 6],
        '6' => [3, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 6],
        ' ' => [0; 5],
        _ => [7; 5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> Canvas {
        Canvas::of(&Picture::new(60, 40, vec![255; 60 * 40 * 3]).unwrap())
    }

    fn at(canvas: &Canvas, x: i64, y: i64) -> u8 {
        canvas.rgb[((y * canvas.width + x) * 3) as usize]
    }

    #[test]
    fn frames_are_hollow_and_may_reach_over_the_edge() {
        let mut canvas = canvas();
        canvas.frame(-5, 10, 30, 20, 1, [1; 3]);
        assert_eq!(
            [at(&canvas, 0, 10), at(&canvas, 29, 15), at(&canvas, 10, 15), at(&canvas, 30, 15)],
            [1, 1, 255, 255]
        );
    }

    #[test]
    fn labels_stand_to_the_left_of_their_corner() {
        let mut canvas = canvas();
        // 18 wide and 14 high.
        canvas.label(30, 20, "H1", [1; 3]);
        assert_eq!([at(&canvas, 13, 21), at(&canvas, 13, 32), at(&canvas, 31, 21)], [1, 1, 255]);
        // The H's left stroke and the gap beside it.
        assert_eq!([at(&canvas, 14, 22), at(&canvas, 16, 22)], [255, 1]);
        canvas.label(5, -3, "TABLE", [2; 3]);
        assert_eq!(at(&canvas, 1, 1), 2, "moved in");
    }

    #[test]
    fn a_png_comes_out() {
        assert!(canvas().png().unwrap().starts_with(b"\x89PNG"));
    }
}
