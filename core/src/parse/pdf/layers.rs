//! Optional content: which layers the file itself switches off. Their text is not shown and not read.

use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, ObjectIdentifier},
};
use std::collections::BTreeSet;

/// The layers that are off.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// Object number and generation.
    off: BTreeSet<(u32, i32)>,
}

impl Layers {
    /// Those of the file's default configuration.
    pub(super) fn of(pdf: &Pdf) -> Self {
        let mut layers = Self::default();
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let Some(properties) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("OCProperties")) else {
            return layers;
        };
        let config = properties.get::<Dict<'_>>("D").unwrap_or_default();
        let base_off = config.get::<Name<'_>>("BaseState").is_some_and(|state| state.as_str() == "OFF");
        if base_off {
            layers.off = members(&properties, "OCGs");
            let on = members(&config, "ON");
            layers.off.retain(|id| !on.contains(id));
        } else {
            layers.off = members(&config, "OFF");
        }
        layers
    }

    /// Whether the layer or the membership of layers that `dict` names under `key` hides what it marks.
    pub(super) fn hides(&self, dict: &Dict<'_>, key: &str) -> bool {
        if self.off.is_empty() {
            return false;
        }
        let Some(layer) = dict.get::<Dict<'_>>(key) else { return false };
        if layer.get::<Name<'_>>("Type").is_none_or(|kind| kind.as_str() != "OCMD") {
            return dict.get_ref(key).is_some_and(|id| self.off.contains(&number(id.into())));
        }
        let mut of = members(&layer, "OCGs");
        of.extend(layer.get_ref("OCGs").map(|id| number(id.into())));
        let off = |id: &(u32, i32)| self.off.contains(id);
        let policy = layer.get::<Name<'_>>("P");
        let shown = match policy.as_ref().map_or("AnyOn", Name::as_str) {
            "AllOn" => !of.iter().any(off),
            "AnyOff" => of.iter().any(off),
            "AllOff" => of.iter().all(off),
            _ => of.is_empty() || !of.iter().all(off),
        };
        !shown
    }
}

fn members(dict: &Dict<'_>, key: &str) -> BTreeSet<(u32, i32)> {
    let array = dict.get::<Array<'_>>(key);
    array.iter().flat_map(|array| array.raw_iter()).filter_map(|item| Some(number(item.as_obj_ref()?.into()))).collect()
}

fn number(id: ObjectIdentifier) -> (u32, i32) {
    (id.obj_number, id.gen_number)
}
