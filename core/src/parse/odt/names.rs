//! Namespaces of OpenDocument.

/// The prefixes under which this reader knows them.
pub(super) fn prefixes(uri: &str) -> Option<&'static str> {
    Some(match uri {
        "http://purl.org/dc/elements/1.1/" => "dc",
        "http://www.w3.org/1999/xlink" => "xlink",
        "http://www.w3.org/1998/Math/MathML" => "math",
        _ => match uri.strip_prefix("urn:oasis:names:tc:opendocument:xmlns:")? {
            "office:1.0" => "office",
            "text:1.0" => "text",
            "table:1.0" => "table",
            "style:1.0" => "style",
            "drawing:1.0" => "draw",
            "xsl-fo-compatible:1.0" => "fo",
            "svg-compatible:1.0" => "svg",
            "meta:1.0" => "meta",
            _ => return None,
        },
    })
}
