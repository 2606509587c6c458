//! Tests of opening: names of created objects, the original tables, damage.

use super::*;

#[test]
fn every_statement_names_what_it_makes() {
    let names: Vec<&str> = split_statements(schema::ORIGINAL)
        .chain(split_statements(schema::OURS))
        .filter_map(created_name)
        .collect();
    assert_eq!(names[..3], ["solutions", "tags", "solution_tags"]);
    assert!(names.contains(&"solutions_ad") && names.contains(&"solution_words"));
    assert!(names.contains(&"idx_solution_tags_tag") && names.contains(&"solution_vector_delete"));
    assert_eq!(names.len(), 26, "{names:?}");
}
