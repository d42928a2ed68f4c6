//! The machines of the factory that the corpus is about.

/// A machine and the figures that its documents repeat.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) model: &'static str,
    pub(super) kind: &'static str,
    pub(super) torque_nm: u32,
    pub(super) gap_mm: &'static str,
    pub(super) hours: u32,
    pub(super) travel_mm: u32,
    first_part: u32,
}

impl Machine {
    const fn new(
        model: &'static str,
        kind: &'static str,
        torque_nm: u32,
        gap_mm: &'static str,
        hours: u32,
        travel_mm: u32,
        first_part: u32,
    ) -> Self {
        Self { model, kind, torque_nm, gap_mm, hours, travel_mm, first_part }
    }

    /// A part number of this machine, from 1. Those of different machines share their beginning.
    pub(super) fn part(&self, position: u32) -> String {
        format!("SKU-{}", self.first_part + position)
    }

    /// A fault code of this machine, from 1.
    pub(super) fn fault(&self, code: u32) -> String {
        format!("E-{}{code:02}", self.hours / 10)
    }
}

pub(super) const MACHINES: [Machine; 12] = [
    Machine::new("KP-210", "centrifugal pump", 45, "3,5", 2000, 640, 48_290),
    Machine::new("KP-215", "centrifugal pump", 60, "4.0", 2500, 680, 48_300),
    Machine::new("LX7", "engine lathe", 85, "2.5", 500, 1500, 51_100),
    Machine::new("MV-90/2", "milling machine", 70, "1.2", 600, 900, 52_480),
    Machine::new("CB.400", "conveyor belt", 30, "6", 1000, 12_000, 60_010),
    Machine::new("HP-63T", "hydraulic press", 210, "0.8", 1500, 400, 61_220),
    Machine::new("AC 22", "screw compressor", 55, "5.5", 4000, 1100, 62_330),
    Machine::new("FD-18", "fume extractor", 12, "9", 800, 750, 63_440),
    Machine::new("BX_5", "bench drill", 18, "2", 300, 220, 64_550),
    Machine::new("GR-125", "angle grinder bench", 16, "1.5", 250, 310, 65_660),
    Machine::new("TRF-11kV", "distribution transformer", 95, "12", 8000, 1800, 66_770),
    Machine::new("ROB6", "six-axis robot", 120, "0.05", 3800, 2700, 67_880),
];
