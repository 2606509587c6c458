//! Methods that types of the standard library have themselves: they go before those of any trait that is in scope.

/// Whether a type has a method of that name itself, not through a trait or through what it derefs to.
pub(super) fn is_own_method(key: &str, name: &str) -> bool {
    let methods = match key {
        "str" => STR,
        "String" => STRING,
        "Vec" => VEC,
        "VecDeque" => VEC_DEQUE,
        "Option" => OPTION,
        "Result" => RESULT,
        "HashMap" | "BTreeMap" => MAP,
        "HashSet" | "BTreeSet" => SET,
        "LinkedList" => {
            "append back clear contains front is_empty iter iter_mut len pop_back pop_front push_back push_front"
        }
        "Range" | "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" => "contains",
        "Path" => PATH,
        "PathBuf" => "as_path into_os_string pop push set_extension set_file_name",
        "char" => CHAR,
        _ => return false,
    };
    methods.split_ascii_whitespace().any(|m| m == name)
}

const STR: &str = "as_bytes as_ptr bytes char_indices chars contains ends_with eq_ignore_ascii_case escape_debug \
    escape_default find get into_string is_ascii is_char_boundary is_empty len lines make_ascii_lowercase match_indices matches \
    parse repeat replace replacen rfind rmatches rsplit rsplit_once rsplitn split split_ascii_whitespace split_at \
    split_inclusive split_once split_terminator split_whitespace splitn starts_with strip_prefix strip_suffix \
    to_ascii_lowercase to_ascii_uppercase to_lowercase to_uppercase trim trim_end trim_end_matches trim_matches trim_start \
    trim_start_matches";

const STRING: &str = "as_bytes as_mut_str as_str capacity clear drain extend_from_within insert insert_str into_boxed_str \
    into_bytes is_empty leak len pop push push_str remove replace_range reserve retain shrink_to_fit split_off truncate";

const VEC: &str = "append as_mut_slice as_slice capacity clear dedup dedup_by dedup_by_key drain extend_from_slice \
    insert into_boxed_slice is_empty leak len pop push remove reserve resize resize_with retain retain_mut shrink_to_fit \
    splice split_off swap_remove truncate";

const VEC_DEQUE: &str = "append back back_mut clear contains drain extend_from_within front front_mut get get_mut insert \
    is_empty iter iter_mut len make_contiguous pop_back pop_front push_back push_front range remove reserve resize retain \
    rotate_left rotate_right split_off swap truncate";

const OPTION: &str = "and and_then as_deref as_deref_mut as_mut as_ref as_slice cloned copied expect filter flatten \
    get_or_insert get_or_insert_with insert inspect is_none is_none_or is_some is_some_and iter iter_mut map map_or map_or_else \
    ok_or ok_or_else or or_else replace take take_if transpose unwrap unwrap_or unwrap_or_default unwrap_or_else unzip \
    xor zip";

const RESULT: &str = "and and_then as_deref as_deref_mut as_mut as_ref cloned copied err expect expect_err inspect inspect_err \
    is_err is_err_and is_ok is_ok_and iter iter_mut map map_err map_or map_or_else ok or or_else transpose unwrap unwrap_err \
    unwrap_or unwrap_or_default unwrap_or_else";

const MAP: &str = "clear contains_key entry get get_key_value get_mut insert into_keys into_values is_empty iter iter_mut keys \
    len remove remove_entry retain values values_mut";

const SET: &str = "clear contains difference get insert intersection is_disjoint is_empty is_subset is_superset iter len \
    remove replace retain symmetric_difference take union";

const PATH: &str = "ancestors as_os_str canonicalize components display ends_with exists extension file_name file_stem \
    has_root is_absolute is_dir is_file is_relative is_symlink iter join metadata parent read_dir read_link \
    starts_with strip_prefix symlink_metadata to_path_buf to_str to_string_lossy try_exists with_extension \
    with_file_name";

const CHAR: &str = "eq_ignore_ascii_case is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic is_ascii_alphanumeric \
    is_ascii_digit is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace \
    is_control is_digit is_lowercase is_numeric is_uppercase is_whitespace len_utf16 len_utf8 to_ascii_lowercase \
    to_ascii_uppercase to_digit to_lowercase to_uppercase";
