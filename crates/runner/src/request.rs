//! One run, as the engine asks for it.

use std::time::Duration;

use tarka_trace as trace;

use crate::RunnerError;

/// What to run, on what, within which limits.
#[derive(Clone, Debug, Default)]
pub struct RunRequest<'a> {
    /// Which unit the driver shall call.
    pub unit: u32,
    /// The input, in any order; objects must not overlap.
    pub objects: &'a [ObjectImage<'a>],
    /// Limit of processor time.
    pub time_limit: Duration,
    /// Bytes the unit may allocate beyond what the process has at start; 0: no limit.
    pub memory_limit: u64,
    /// Record the concrete value of every labelled result.
    pub self_check: bool,
    /// How often the driver calls the unit (0 counts as 1).
    pub calls: u32,
    /// How many sites the target has.
    pub site_count: u32,
    /// How many bytes of the coverage map it uses.
    pub coverage_len: u32,
}

/// One object of the input.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObjectImage<'a> {
    /// Arena offset of its first byte.
    pub offset: u32,
    /// Bound to a variable of the driver, rather than living in the arena.
    pub root: bool,
    /// Its content.
    pub bytes: &'a [u8],
    /// One byte of [`tarka_trace::flag`] bits for each byte of it.
    pub flags: &'a [u8],
    /// Its size is part of the input: leaving it is a fault, not an input bound.
    pub exact: bool,
    /// The input value that counts its elements.
    pub length: Option<LengthOf>,
    /// Bytes it may grow to.
    pub capacity: u32,
}

/// Where the number of an object's elements stands in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthOf {
    /// Arena offset of the number.
    pub offset: u32,
    /// Its width.
    pub bits: u16,
    /// Its signedness.
    pub signed: bool,
    /// Bytes of one element.
    pub element: u32,
}

impl RunRequest<'_> {
    /// Refuses what the shared memory has no room for.
    pub(crate) fn validate(&self) -> Result<(), RunnerError> {
        let refuse = |reason: String| Err(RunnerError::BadRequest(reason));
        if self.objects.len() as u64 > trace::MAX_OBJECTS {
            return refuse(format!("{} objects, at most {} fit", self.objects.len(), trace::MAX_OBJECTS));
        }
        if u64::from(self.site_count) > trace::MAX_SITES || u64::from(self.coverage_len) > trace::MAX_COVERAGE
        {
            return refuse(format!(
                "{} sites with {} outcomes do not fit",
                self.site_count, self.coverage_len
            ));
        }
        for object in self.objects {
            let (offset, size) = (object.offset, object.bytes.len());
            if object.flags.len() != size {
                return refuse(format!(
                    "object at {offset} has {size} bytes but {} flags",
                    object.flags.len()
                ));
            }
            if u64::from(offset) + size as u64 > trace::ARENA_SIZE {
                return refuse(format!("object of {size} bytes at {offset} lies outside the arena"));
            }
        }
        Ok(())
    }
}
