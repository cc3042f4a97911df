//! Writes the C header of the runtime from the tables of this crate.

use core::fmt::{Result, Write};

use crate::{EndKind, EventKind, FaultKind, HOOKS, Op, flag, layout};

/// Writes `tarka_trace.h`.
pub fn write_c_header(out: &mut dyn Write) -> Result {
    writeln!(out, "/* Written from the tables of the trace crate; never by hand. */")?;
    writeln!(out, "#ifndef TARKA_TRACE_H\n#define TARKA_TRACE_H\n#include <stdint.h>\n")?;
    constants(out)?;
    records(out)?;
    for hook in HOOKS {
        write!(out, "{} {}(", hook.result.c_name(), hook.name)?;
        for (index, param) in hook.params.iter().enumerate() {
            write!(out, "{}{}", if index == 0 { "" } else { ", " }, param.c_name())?;
        }
        writeln!(out, "{});", if hook.params.is_empty() { "void" } else { "" })?;
    }
    writeln!(out, "#endif")
}

fn constants(out: &mut dyn Write) -> Result {
    let numbers: &[(&str, u64)] = &[
        ("VERSION", layout::VERSION as u64),
        ("SHARED_FD", layout::SHARED_FD as u64),
        ("COMMAND_FD", layout::COMMAND_FD as u64),
        ("STATUS_FD", layout::STATUS_FD as u64),
        ("ARENA_BASE", layout::ARENA_BASE),
        ("ARENA_SIZE", layout::ARENA_SIZE),
        ("SHADOW_BASE", layout::SHADOW_BASE),
        ("SHADOW_MASK", layout::SHADOW_MASK),
        ("MAX_OBJECTS", layout::MAX_OBJECTS),
        ("MAX_SITES", layout::MAX_SITES),
        ("MAX_COVERAGE", layout::MAX_COVERAGE),
        ("MAX_EVENTS", layout::MAX_EVENTS),
        ("CONCRETE_EVENTS", layout::CONCRETE_EVENTS),
        ("COVERAGE_LATE", layout::COVERAGE_LATE),
        ("CLOCK_SHARE", layout::CLOCK_SHARE as u64),
        ("CHECK_OF_GUESS", crate::CHECK_OF_GUESS.into()),
        ("CHECK_OF_NULL", crate::CHECK_OF_NULL.into()),
        ("MAX_NODES", layout::MAX_NODES),
        ("MAX_TABLES", layout::MAX_TABLES),
        ("TABLE_DATA_SIZE", layout::TABLE_DATA_SIZE),
        ("MAX_RESULT", layout::MAX_RESULT),
        ("HEADER_OFF", layout::HEADER_OFF),
        ("OBJECTS_OFF", layout::OBJECTS_OFF),
        ("MAX_FAULTS", layout::MAX_FAULTS),
        ("FAULTS_OFF", layout::FAULTS_OFF),
        ("RESULT_OFF", layout::RESULT_OFF),
        ("COVERAGE_OFF", layout::COVERAGE_OFF),
        ("CONCRETISED_OFF", layout::CONCRETISED_OFF),
        ("EVENTS_OFF", layout::EVENTS_OFF),
        ("EVALUATIONS_OFF", layout::EVALUATIONS_OFF),
        ("MAX_EVALUATIONS", layout::MAX_EVALUATIONS),
        ("NODES_OFF", layout::NODES_OFF),
        ("VALUES_OFF", layout::VALUES_OFF),
        ("VALUES_KNOWN_OFF", layout::VALUES_KNOWN_OFF),
        ("TABLES_OFF", layout::TABLES_OFF),
        ("TABLE_DATA_OFF", layout::TABLE_DATA_OFF),
        ("ARENA_OFF", layout::ARENA_OFF),
        ("ARENA_FLAGS_OFF", layout::ARENA_FLAGS_OFF),
        ("SHARED_SIZE", layout::SHARED_SIZE),
        ("FLAG_VALID", flag::VALID as u64),
        ("FLAG_SYMBOLIC", flag::SYMBOLIC as u64),
        ("FLAG_READ", flag::READ as u64),
        ("FLAG_WRITTEN", flag::WRITTEN as u64),
        ("FLAG_FREED", flag::FREED as u64),
        ("EVENT_CONDITION", EventKind::Condition as u64),
        ("EVENT_SWITCH", EventKind::Switch as u64),
        ("EVENT_INTERNAL", EventKind::Internal as u64),
        ("EVENT_INTERNAL_SWITCH", EventKind::InternalSwitch as u64),
        ("EVENT_CHECK", EventKind::Check as u64),
        ("EVENT_UNDEFINED", EventKind::Undefined as u64),
    ];
    for (name, number) in numbers {
        writeln!(out, "#define TK_{name} {number:#x}ull")?;
    }
    for end in EndKind::ALL {
        writeln!(out, "#define TK_END_{} {}", end.c_name(), *end as u32)?;
    }
    for fault in FaultKind::ALL {
        writeln!(out, "#define TK_FAULT_{} {}", fault.c_name(), *fault as u32)?;
    }
    for op in Op::ALL {
        writeln!(out, "#define TK_OP_{} {}", op.c_name(), *op as u8)?;
    }
    Ok(())
}

/// The structs of `record.rs`, in C; the `_Static_assert`s below them hold the two in step.
fn records(out: &mut dyn Write) -> Result {
    out.write_str(
        "typedef struct { uint8_t op, pad; uint16_t width; uint32_t a, b, c; } tk_node;
typedef struct { uint32_t site; uint16_t kind, outcome; uint32_t label, aux; } tk_event;
typedef struct {
  uint32_t offset, size, root, exact, length_offset; uint16_t length_bits, length_signed; uint32_t element, capacity;
} tk_object;
typedef struct { uint32_t decision; uint16_t chunk, result; uint32_t values, evaluated; } tk_evaluation;
typedef struct { uint64_t base; uint32_t size, pad; uint64_t data; } tk_table;
typedef struct {
  uint32_t kind, site, events, backtrace_len; uint64_t address, backtrace[16];
} tk_fault_record;
typedef struct { uint32_t at, length; } tk_long_text;
typedef struct { uint32_t at; uint16_t taken, length; uint8_t word[24]; } tk_met_word;
typedef struct { uint32_t call, error; uint64_t arguments[3]; char text[96]; } tk_attempt;
typedef struct {
  uint32_t version, unit, time_limit_ms, self_check; uint64_t memory_limit;
  uint32_t object_count, end; int32_t end_code;
  uint64_t fault_address; uint32_t fault_site, backtrace_len; uint64_t backtrace[32];
  uint32_t event_count, events_dropped, node_count, nodes_dropped, table_count, result_size;
  uint64_t table_data_used, used_ns; uint32_t self_check_clash, scratch_used; int32_t wait_status; uint32_t stub_exhausted_events;
  uint32_t stack_overflow, calls, stub_exhausted, stub_cut, stub_cut_events, evaluation_count, evaluations_dropped, fault_count;
  uint32_t allocated_len, freed_len; uint64_t allocated_at[8], freed_at[8];
  uint32_t long_text_count; tk_long_text long_texts[32];
  uint32_t met_word_count; tk_met_word compared_words[32];
  uint64_t again, fork; uint32_t guards_files, guards_truncation, keeps, kept, attempt_count; tk_attempt attempts[8];
} tk_header;
",
    )?;
    use crate::record::{Evaluation, FaultRecord, Header, Node, Object, TableHeader, TraceEvent};
    use core::mem::{offset_of, size_of};
    for (name, size) in [
        ("tk_node", size_of::<Node>()),
        ("tk_event", size_of::<TraceEvent>()),
        ("tk_evaluation", size_of::<Evaluation>()),
        ("tk_object", size_of::<Object>()),
        ("tk_table", size_of::<TableHeader>()),
        ("tk_fault_record", size_of::<FaultRecord>()),
        ("tk_header", size_of::<Header>()),
    ] {
        writeln!(out, "_Static_assert(sizeof({name}) == {size}, \"layout of {name}\");")?;
    }
    for (field, offset) in [
        ("backtrace", offset_of!(Header, backtrace)),
        ("event_count", offset_of!(Header, event_count)),
        ("table_data_used", offset_of!(Header, table_data_used)),
        ("wait_status", offset_of!(Header, wait_status)),
        ("stack_overflow", offset_of!(Header, stack_overflow)),
        ("attempts", offset_of!(Header, attempts)),
    ] {
        writeln!(
            out,
            "_Static_assert(__builtin_offsetof(tk_header, {field}) == {offset}, \"tk_header.{field}\");"
        )?;
    }
    writeln!(out)
}
