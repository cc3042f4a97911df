//! Paper 4: the array class.
