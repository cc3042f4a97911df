//! The objects of an input: which bytes belong together because one parameter, global or pointer holds them.
//!
//! Takes where each object starts; says which object a byte belongs to. Where nothing is known of objects every byte is
//! one of its own.

/// Where the objects of a run's input start, in order.
#[derive(Default)]
pub(crate) struct Objects(Vec<u32>);

impl Objects {
    /// Takes the objects of the next run.
    pub(crate) fn set(&mut self, starts: impl IntoIterator<Item = u32>) {
        self.0.clear();
        self.0.extend(starts);
        self.0.sort_unstable();
    }

    /// The number of the object that holds a byte.
    pub(crate) fn holding(&self, byte: u32) -> usize {
        if self.0.is_empty() { byte as usize } else { self.0.partition_point(|&start| start <= byte) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_belongs_to_the_object_that_starts_last_before_it() {
        let mut objects = Objects::default();
        objects.set([40, 8, 20]);
        assert_eq!([7, 8, 19, 20, 39, 40, 1000].map(|byte| objects.holding(byte)), [0, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn without_objects_every_byte_stands_alone() {
        assert_eq!(Objects::default().holding(3), 3);
    }
}
