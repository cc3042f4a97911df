//! Paper 1: `delete_from_table` and the bucket allocator.
