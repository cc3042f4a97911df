//! Pointers as the emitted tests write them: fresh, null, shared, into arrays, to what the unit itself has, in circles.
//! Compiled and run like those of `values`.

use crate::unit::{Bench, address, le, to};

#[test]
fn aliases_share_one_variable() {
    let mut bench = Bench::new(
        "struct node { int v; struct node *next; };\n\
         struct node *f(struct node *a, struct node *b, int **where, int *what) {\n\
             a->v = 3; *where = what;\n\
             return a == b ? a->next : b;\n\
         }\n",
        "f",
    );
    let params = bench.params();
    let [node, slot] = [0, 2].map(|index| bench.pointee(params[index]));
    let first = |v: i64| [&v.to_le_bytes()[..], &to(1)].concat();
    let input = bench
        .input()
        .pointer(0)
        .pointer(0)
        .pointer(2)
        .pointer(0)
        .object(0, 0, node, 1, &first(1), &first(3))
        .object(1, 8, node, 1, &[], &[])
        .object(2, 0, slot, 1, &[], &to(0))
        .make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &to(1));
    let input = bench
        .input()
        .pointer(0)
        .param(&[])
        .pointer(1)
        .param(&[])
        .object(0, 0, node, 1, &[], &le(&[3]))
        .object(2, 0, slot, 1, &[], &[])
        .make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &[0; 8]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn pointers_into_arrays_and_one_past_their_end() {
    let mut bench = Bench::new(
        "struct item { int key, value; };\n\
         int f(const int *begin, const int *middle, const int *end, struct item *items, int *value) {\n\
             *value = 9;\n\
             return (int)(end - begin) + *middle + items[1].value;\n\
         }\n",
        "f",
    );
    let [int, item] = [0, 3].map(|index| bench.pointee(bench.params()[index]));
    let input = bench
        .input()
        .pointer(0)
        .param(&(address(0) + 12).to_le_bytes())
        .param(&(address(0) + 32).to_le_bytes())
        .pointer(1)
        .param(&(address(1) + 12).to_le_bytes())
        .object(0, 0, int, 8, &le(&[0, 0, 0, 5]), &le(&[0, 0, 0, 5]))
        .touched(16)
        .object(3, 0, item, 16, &[], &le(&[0, 0, 0, 9]))
        .touched(16)
        .make();
    bench.returns(input, &le(&[8 + 5 + 9]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn pointers_to_functions_and_globals() {
    let mut bench = Bench::new(
        "struct rule { int limit; struct rule *next; };\n\
         typedef int compare(int, int);\n\
         static int less(int a, int b) { return a < b; }\n\
         static int more(int a, int b) { return a > b; }\n\
         static struct rule table[3] = {{1, 0}, {2, 0}, {3, 0}};\n\
         static int limit = 4;\n\
         struct sorter { int (*compare)(int, int); const int *limit; void *any; };\n\
         compare *f(compare *c, struct sorter *s, struct rule *rule, struct rule *end, int *deep) {\n\
             int order = s->compare(*s->limit, rule->limit) + c(1, 2) + (end - table) + *deep;\n\
             s->compare = less; rule->next = &table[2]; s->any = 0;\n\
             (void)order;\n\
             return more;\n\
         }\n",
        "f",
    );
    bench.function_at(0x40_1000, "less");
    bench.function_at(0x40_1100, "more");
    bench.global_at(0x40_4000, "table");
    bench.global_at(0x40_4030, "limit");
    let sorter = bench.pointee(bench.params()[1]);
    let pointers = |all: [u64; 3]| all.map(u64::to_le_bytes).concat();
    let input = bench
        .input()
        .param(&0x40_1000u64.to_le_bytes())
        .pointer(0)
        .param(&0x40_4010u64.to_le_bytes())
        .param(&0x40_4030u64.to_le_bytes())
        .param(&0x40_4020u64.to_le_bytes())
        .object(
            1,
            0,
            sorter,
            1,
            &pointers([0x40_1100, 0x40_4030, 0x40_1000]),
            &pointers([0x40_1000, 0x40_4030, 0]),
        )
        .make();
    bench.returns(input, &0x40_1100u64.to_le_bytes());
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_ring_of_three() {
    let mut bench = Bench::new(
        "struct ring { struct ring *next; int v; };\n\
         int f(const struct ring *r) { return r->next->next->next == r && r->next != r; }\n",
        "f",
    );
    let ring = bench.pointee(bench.params()[0]);
    let node = |next: u64, v: i32| [to(next), le(&[v])].concat();
    let input = bench
        .input()
        .pointer(0)
        .object(0, 0, ring, 1, &node(1, 1), &node(1, 1))
        .object(1, 0, ring, 1, &node(2, 2), &node(2, 2))
        .object(2, 0, ring, 1, &node(0, 3), &node(0, 3))
        .make();
    bench.returns(input, &le(&[1]));
    bench.write();
    bench.judge();
    insta::assert_snapshot!(bench.tests());
}

#[test]
fn a_tree_with_a_shared_leaf() {
    let mut bench = Bench::new(
        "struct tree { int key; struct tree *left, *right; };\n\
         int f(struct tree *t) { return t->left->right == t->right->left; }\n",
        "f",
    );
    let tree = bench.pointee(bench.params()[0]);
    let node = |key: i64, left: u64, right: u64| {
        let pointer = |number: u64| if number == 0 { vec![0; 8] } else { to(number) };
        [key.to_le_bytes().to_vec(), pointer(left), pointer(right)].concat()
    };
    let nodes = [node(8, 1, 2), node(4, 0, 3), node(12, 3, 0), node(6, 0, 0)];
    let mut input = bench.input().pointer(0);
    for (holder, bytes) in nodes.iter().enumerate() {
        input = input.object(holder as u32, 8, tree, 1, bytes, bytes);
    }
    let input = input.make();
    bench.returns(input, &le(&[1]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_pointer_to_itself_through_a_constant_member() {
    let mut bench = Bench::new(
        "struct loop { struct loop *const self; const int id; };\n\
         int f(struct loop *l) { return l->self->self == l ? l->id : 0; }\n",
        "f",
    );
    let record = bench.pointee(bench.params()[0]);
    let bytes = [to(0), le(&[4])].concat();
    let input = bench.input().pointer(0).object(0, 0, record, 1, &bytes, &bytes).make();
    bench.returns(input, &le(&[4]));
    bench.write();
    bench.judge();
    insta::assert_snapshot!(bench.tests());
}

#[test]
fn pointers_to_pointers() {
    let mut bench = Bench::new(
        "int f(int ***deep, const char **words) { int n = ***deep; **deep = 0; return n + words[1][0]; }\n",
        "f",
    );
    let params = bench.params();
    let (two, word) = (bench.pointee(params[0]), bench.pointee(params[1]));
    let (one, letter) = (bench.pointee(two), bench.pointee(word));
    let int = bench.pointee(one);
    let words = [vec![0; 8], to(4)].concat();
    let input = bench
        .input()
        .pointer(0)
        .pointer(3)
        .object(0, 0, two, 1, &to(1), &to(1))
        .object(2, 0, one, 1, &to(2), &[])
        .object(3, 0, int, 1, &le(&[7]), &le(&[7]))
        .object(1, 0, word, 4, &words, &words)
        .touched(16)
        .object(5, 8, letter, 32, b"a", b"a")
        .touched(1)
        .make();
    bench.returns(input, &le(&[7 + 97]));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn void_pointers_have_the_type_that_the_unit_casts_them_to() {
    let mut bench = Bench::new(
        "struct job { int id; void *data; };\n\
         int id_of(const struct job *job, const unsigned char *first) { return job->id + *first; }\n\
         void *f(void *context, void *raw, void *inside) {\n\
             struct job *job = context;\n\
             job->data = raw; ((unsigned char *)raw)[1] = 7; *(int *)inside += 1;\n\
             return inside;\n\
         }\n",
        "f",
    );
    let [job, byte] = [bench.ty("struct job"), bench.ty("unsigned char")];
    let bytes = |id: i64, data: Vec<u8>| [id.to_le_bytes().to_vec(), data].concat();
    let input = bench
        .input()
        .pointer(0)
        .pointer(1)
        .pointer(0)
        .object(0, 0, job, 1, &bytes(5, vec![0; 8]), &bytes(6, to(1)))
        .object(1, 0, byte, 32, &[1], &[1, 7])
        .touched(2)
        .make();
    bench.returns(input, &to(0));
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn objects_of_types_without_a_definition() {
    let mut bench = Bench::new(
        "struct engine;\n\
         struct car { struct engine *engine; int doors; };\n\
         struct engine *f(struct car *car, struct engine *spare, const struct engine *same) {\n\
             struct engine *old = car->engine;\n\
             car->engine = spare;\n\
             return same == spare ? old : spare;\n\
         }\n",
        "f",
    );
    let [car, engine] = [0, 1].map(|index| bench.pointee(bench.params()[index]));
    let input = bench
        .input()
        .pointer(0)
        .pointer(2)
        .pointer(2)
        .object(0, 0, car, 1, &to(1), &to(2))
        .object(3, 0, engine, 1, &[], &[])
        .tail(&[0; 64], &[0; 64])
        .object(1, 0, engine, 1, &[], &[])
        .tail(&[0; 64], &[0; 64])
        .make();
    bench.run(input, &[0], tarka_events::RunEnd::Returned, &to(1));
    let input = bench.input().pointer(0).param(&[]).pointer(1);
    let input = input
        .object(0, 0, car, 1, &[], &[])
        .object(2, 0, engine, 1, &[], &[])
        .tail(&[0; 64], &[0; 64])
        .make();
    bench.run(input, &[1], tarka_events::RunEnd::Returned, &[0; 8]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_pointer_to_a_struct_that_only_its_typedef_names() {
    let mut bench = Bench::new(
        "typedef struct { int x; struct { int y; } *inner; } *handle;\n\
         static struct { int z; struct { int w; } *spare; } state;\n\
         int f(handle h) { return h->x + h->inner->y + state.spare->w; }\n",
        "f",
    );
    let outer = bench.pointee(bench.params()[0]);
    let member = |ty, index: usize| match &bench.model.types.get(ty).kind {
        tarka_source::TypeKind::Record { fields, .. } => bench.pointee(fields[index].ty),
        _ => panic!("a struct"),
    };
    let inner = member(outer, 1);
    let spare = member(bench.model.globals[0].ty, 1);
    let bytes = |x: i64, to: Vec<u8>| [x.to_le_bytes().to_vec(), to].concat();
    let input = bench
        .input()
        .pointer(0)
        .global("state", &[], &bytes(0, to(2)), &bytes(0, to(2)))
        .object(0, 0, outer, 1, &bytes(1, to(1)), &bytes(1, to(1)))
        .object(2, 8, inner, 1, &le(&[2]), &le(&[2]))
        .object(1, 8, spare, 1, &le(&[4]), &le(&[4]))
        .make();
    bench.returns(input, &le(&[7]));
    insta::assert_snapshot!(bench.judged());
}
