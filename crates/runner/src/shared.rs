//! The shared memory file and its sections.
//!
//! Everything here is written while no child runs, or by the child while the engine waits; the slices given out borrow
//! the server, so none outlives its run.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::{NonNull, addr_of_mut};

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use tarka_confine::Watch;
use tarka_trace::{self as trace, Header, Object};

use crate::scripted::{Script, spelled};
use crate::{RunRequest, RunnerError};

/// The file, mapped.
pub(crate) struct Shared {
    base: NonNull<u8>,
    file: OwnedFd,
    /// What the last run may have touched, and the next must find clean.
    used: Used,
}

#[derive(Default)]
struct Used {
    ranges: Vec<(u32, u32)>,
    sites: u32,
    coverage: u32,
    self_check: bool,
}

// The mapping belongs to this value alone; it is as movable between threads as a boxed slice.
unsafe impl Send for Shared {}

impl Shared {
    pub(crate) fn create() -> Result<Shared, RunnerError> {
        let size = trace::SHARED_SIZE as usize;
        let file = memfd_create("tarka-shared", MemfdFlags::CLOEXEC)
            .map_err(RunnerError::system("create shared memory"))?;
        ftruncate(&file, size as u64).map_err(RunnerError::system("size shared memory"))?;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at a place of the system's choice, which overlaps nothing.
        let base = unsafe { mmap(std::ptr::null_mut(), size, protection, MapFlags::SHARED, &file, 0) }
            .map_err(RunnerError::system("map shared memory"))?;
        let base = NonNull::new(base.cast()).expect("the system maps nothing at null unless asked to");
        Ok(Shared { base, file, used: Used::default() })
    }

    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// The header as it is now.
    pub(crate) fn header(&self) -> Header {
        // SAFETY: the header lies at offset 0, is plain data and the mapping is page-aligned; volatile because another
        // process writes it.
        unsafe { std::ptr::read_volatile(self.base.as_ptr().cast::<Header>()) }
    }

    /// Tells a server that was just started how it is confined.
    pub(crate) fn set_watch(&mut self, watch: Watch) {
        let header = self.base.as_ptr().cast::<Header>();
        // SAFETY: fields of the header at offset 0 of the mapping; the server waits for its first command.
        unsafe {
            addr_of_mut!((*header).again).write_volatile(watch.again);
            addr_of_mut!((*header).fork).write_volatile(watch.fork);
            addr_of_mut!((*header).guards_files).write_volatile(watch.guards_files.into());
            addr_of_mut!((*header).guards_truncation).write_volatile(watch.guards_truncation.into());
        }
    }

    /// `count` records of a section.
    ///
    /// `T` is plain data valid for any bit pattern and `offset + count * size_of::<T>()` lies within the section.
    pub(crate) fn section<T: Copy>(&self, offset: u64, count: usize) -> &[T] {
        assert!(offset as usize + count * size_of::<T>() <= trace::SHARED_SIZE as usize);
        // SAFETY: within the mapping (asserted), aligned because sections are page-aligned.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(offset as usize).cast::<T>(), count) }
    }

    fn section_mut<T: Copy>(&mut self, offset: u64, count: usize) -> &mut [T] {
        assert!(offset as usize + count * size_of::<T>() <= trace::SHARED_SIZE as usize);
        // SAFETY: as in `section`; `&mut self` makes it the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr().add(offset as usize).cast::<T>(), count) }
    }

    /// Cleans up after the last run and writes the input of the next.
    pub(crate) fn prepare(&mut self, request: &RunRequest<'_>, keeps: bool) {
        self.clear_used(request);
        let mut order: Vec<usize> = (0..request.objects.len()).collect();
        // The runtime searches the table by offset.
        order.sort_by_key(|&index| request.objects[index].offset);
        for (slot, &index) in order.iter().enumerate() {
            let image = &request.objects[index];
            let size = image.bytes.len();
            let object = Object {
                offset: image.offset,
                size: size as u32,
                root: image.root.into(),
                exact: image.exact.into(),
                length_offset: image.length.map_or(0, |length| length.offset + 1),
                length_bits: image.length.map_or(0, |length| length.bits),
                length_signed: image.length.is_some_and(|length| length.signed).into(),
                element: image.length.map_or(0, |length| length.element),
                capacity: image.capacity,
            };
            self.section_mut(trace::OBJECTS_OFF, trace::MAX_OBJECTS as usize)[slot] = object;
            let offset = u64::from(image.offset);
            self.section_mut(trace::ARENA_OFF + offset, size).copy_from_slice(image.bytes);
            self.section_mut(trace::ARENA_FLAGS_OFF + offset, size).copy_from_slice(image.flags);
            self.used.ranges.push((image.offset, size as u32));
        }
        self.used.sites = request.site_count;
        self.used.coverage = request.coverage_len;
        self.used.self_check = request.self_check;
        self.write_request(request, keeps);
    }

    fn clear_used(&mut self, next: &RunRequest<'_>) {
        let used = std::mem::take(&mut self.used);
        for (offset, size) in used.ranges {
            self.section_mut::<u8>(trace::ARENA_OFF + u64::from(offset), size as usize).fill(0);
            self.section_mut::<u8>(trace::ARENA_FLAGS_OFF + u64::from(offset), size as usize).fill(0);
        }
        // Constructors of a server that was just started may have written here as well.
        let coverage = used.coverage.max(next.coverage_len) as usize;
        self.section_mut::<u8>(trace::COVERAGE_OFF, coverage).fill(0);
        self.section_mut::<u32>(trace::CONCRETISED_OFF, used.sites.max(next.site_count) as usize).fill(0);
        if used.self_check {
            let nodes = (self.header().node_count as usize).min(trace::MAX_NODES as usize);
            self.section_mut::<u8>(trace::VALUES_KNOWN_OFF, nodes).fill(0);
        }
    }

    fn write_request(&mut self, request: &RunRequest<'_>, keeps: bool) {
        let header = self.base.as_ptr().cast::<Header>();
        let milliseconds = request.time_limit.as_millis().clamp(1, u128::from(u32::MAX)) as u32;
        // SAFETY: fields of the header at offset 0 of the mapping; the server waits for a command meanwhile.
        unsafe {
            addr_of_mut!((*header).unit).write_volatile(request.unit);
            addr_of_mut!((*header).time_limit_ms).write_volatile(milliseconds);
            addr_of_mut!((*header).self_check).write_volatile(request.self_check.into());
            addr_of_mut!((*header).memory_limit).write_volatile(request.memory_limit);
            addr_of_mut!((*header).object_count).write_volatile(request.objects.len() as u32);
            addr_of_mut!((*header).calls).write_volatile(request.calls);
            addr_of_mut!((*header).keeps).write_volatile(keeps.into());
            addr_of_mut!((*header).stub_exhausted).write_volatile(0);
            addr_of_mut!((*header).stub_cut).write_volatile(0);
            addr_of_mut!((*header).end).write_volatile(0);
        }
    }

    /// Writes words where a target may write whatever it likes.
    #[cfg(test)]
    pub(crate) fn scribble(&mut self, section: u64, word: usize, words: &[u32]) {
        self.section_mut::<u32>(section, word + words.len())[word..].copy_from_slice(words);
    }

    /// Writes what a target would have written that does what a script says.
    pub(crate) fn play(&mut self, script: &Script) {
        let mut header = self.header();
        let (end, code, address) = spelled(script.end);
        (header.end, header.end_code, header.fault_address) = (end as u32, code, address);
        header.event_count = script.events.len() as u32;
        header.node_count = script.nodes.len() as u32;
        let frames = script.backtrace.len().min(header.backtrace.len());
        header.backtrace_len = frames as u32;
        header.backtrace[..frames].copy_from_slice(&script.backtrace[..frames]);
        self.section_mut(trace::EVENTS_OFF, script.events.len()).copy_from_slice(&script.events);
        self.section_mut(trace::NODES_OFF, script.nodes.len()).copy_from_slice(&script.nodes);
        let coverage = self.section_mut::<u8>(trace::COVERAGE_OFF, self.used.coverage as usize);
        script.seen.iter().for_each(|&at| coverage[at as usize] = 1);
        // SAFETY: as in `header`; nobody else has this memory.
        unsafe { std::ptr::write_volatile(self.base.as_ptr().cast::<Header>(), header) };
    }

    /// Forgets the version, so that a fresh server has to say its own.
    pub(crate) fn forget_version(&mut self) {
        let header = self.base.as_ptr().cast::<Header>();
        // SAFETY: as in `write_request`.
        unsafe { addr_of_mut!((*header).version).write_volatile(0) };
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `create`, and no slice of it outlives `self`.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), trace::SHARED_SIZE as usize) };
    }
}
