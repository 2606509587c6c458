//! What each function promises, whatever the system. `scripts/windows.sh` runs them under Wine as well.

use platform::{Others, RealPath, clock, file, process, rights};
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A program that waits, and does nothing by itself.
fn sleeper() -> Command {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/c", "pause"]);
        command
    } else {
        let mut command = Command::new("sleep");
        command.arg("600");
        command
    };
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    command
}

#[test]
fn a_private_folder_and_what_is_in_it_are_closed_to_others() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("private");
    rights::private_dir_builder().create(&folder).unwrap();
    rights::finish_private_folder(&folder).unwrap();
    assert_eq!(rights::others(&folder).unwrap(), Others::Nobody);
    let path = folder.join("file");
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    rights::make_private(&mut options);
    file::set_nofollow(&mut options);
    let opened = options.open(&path).unwrap();
    assert_eq!(rights::others_of(&opened).unwrap(), Others::Nobody);
    assert_eq!(rights::foreign_owner_of(&opened).unwrap(), None);
    let found = path.symlink_metadata().unwrap();
    assert_eq!(rights::foreign_owner(&path, &found).unwrap(), None);
    assert!(rights::have_same_owner(&path, &folder));
    assert!(rights::acts_for_owner(&path, None).unwrap());
}

#[test]
fn a_folder_that_was_open_to_others_is_closed() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("open");
    std::fs::create_dir(&folder).unwrap();
    rights::close_folder(&folder).unwrap();
    assert_eq!(rights::others(&folder).unwrap(), Others::Nobody);
}

#[test]
fn one_file_is_told_from_another() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, again, moved] = ["one", "two", "again", "moved"].map(|n| folder.path().join(n));
    std::fs::write(&one, "text").unwrap();
    std::fs::write(&two, "text").unwrap();
    let before = file::details(&one).unwrap();
    assert_eq!(before.links, 1);
    assert_ne!(before.number, file::details(&two).unwrap().number);
    std::fs::hard_link(&one, &again).unwrap();
    let linked = file::open_details(&File::open(&again).unwrap()).unwrap();
    assert_eq!((linked.number, linked.links), (before.number, 2));
    std::fs::rename(&one, &moved).unwrap();
    assert_eq!(file::target_details(&moved).unwrap().number, before.number);
    assert!(file::details(&one).is_err());
    let opened = file::open_folder(folder.path()).unwrap();
    let folder_number = file::details(folder.path()).unwrap().number;
    assert_eq!(file::open_details(&opened).unwrap().number, folder_number);
}

#[test]
fn a_file_takes_the_place_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    std::fs::write(&new, "new").unwrap();
    std::fs::write(&old, "old").unwrap();
    // A reader that lets others rename the file does not hinder it.
    let reader = File::open(&old).unwrap();
    file::replace(&new, &old).unwrap();
    drop(reader);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "new");
    assert!(!new.exists());
    assert!(file::replace(&new, &old).is_err());
}

#[test]
fn bytes_are_read_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, "0123456789").unwrap();
    let opened = File::open(&path).unwrap();
    let mut buffer = [0; 4];
    file::read_exact_at(&opened, &mut buffer, 5).unwrap();
    assert_eq!(&buffer, b"5678");
    file::read_exact_at(&opened, &mut buffer, 0).unwrap();
    assert_eq!(&buffer, b"0123");
    let error = file::read_exact_at(&opened, &mut buffer, 8).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_group_ends_when_it_is_told_to() {
    let mut command = sleeper();
    process::lead_group(&mut command);
    let (mut child, group) = process::spawn_in_group(&mut command).unwrap();
    assert!(!process::has_ended(&mut child).unwrap());
    group.kill(&child);
    let status = child.wait().unwrap();
    assert!(process::was_ended_by_others(status), "{status}");
}

#[test]
fn a_process_is_ended_by_its_number() {
    let (mut child, _group) = process::spawn_in_group(&mut sleeper()).unwrap();
    assert!(process::kill(child.id()));
    assert!(process::was_ended_by_others(child.wait().unwrap()));
}

#[test]
fn the_clocks_of_thread_and_process_go_on_with_work() {
    let (thread, all) = (clock::thread_time(), clock::process_time());
    let mut x = 1_u64;
    // A clock that stands still ends the loop as well, and then fails.
    for i in 0..2_000_000_000_u64 {
        x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005) ^ i);
        if i % 1_000_000 == 0 && clock::thread_time() - thread > Duration::from_millis(40) {
            break;
        }
    }
    assert!(clock::thread_time() > thread);
    assert!(clock::process_time() > all);
}

#[test]
fn this_program_is_one_and_uses_memory() {
    let program = std::env::current_exe().unwrap();
    assert!(rights::is_executable(&program));
    assert!(!rights::is_executable(Path::new(file!())));
    assert!(process::UsedMemory::open().bytes() > 0);
    assert!(file::free_space(&std::env::temp_dir()).unwrap() > 0);
}

#[test]
fn a_real_path_has_no_form_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().real_path().unwrap();
    assert!(!real.to_str().unwrap().starts_with(r"\\?\"), "{real:?}");
    assert_eq!(real.real_path().unwrap(), real);
    assert!(folder.path().join("gone").real_path().is_err());
}

#[cfg(windows)]
mod windows {
    use super::*;
    use platform::pipe;
    use std::io::{Read, Write};

    #[test]
    fn a_pipe_carries_bytes_and_tells_its_end() {
        let name = format!(r"\\.\pipe\knotwork-test-{}", std::process::id());
        let name = Path::new(&name);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let server = pipe::create(name, true).unwrap();
            assert!(pipe::create(name, true).is_err(), "the name is taken");
            let client = std::thread::spawn({
                let name = name.to_owned();
                move || {
                    let mut client = pipe::Client::connect(&name).unwrap();
                    client.write_all(b"question\n").unwrap();
                    let mut answer = [0; 7];
                    client.read_exact(&mut answer).unwrap();
                    client.set_read_timeout(Some(Duration::from_millis(5)));
                    let late = client.read(&mut [0; 1]).unwrap_err();
                    assert_eq!(late.kind(), std::io::ErrorKind::TimedOut);
                    answer
                }
            });
            server.connect().await.unwrap();
            assert_eq!(pipe::client_process(&server), Some(std::process::id()));
            let mut asked = Vec::new();
            while !asked.ends_with(b"\n") {
                server.readable().await.unwrap();
                let _ = server.try_read_buf(&mut asked);
            }
            assert_eq!(asked, b"question\n");
            server.writable().await.unwrap();
            assert_eq!(server.try_write(b"answer\n").unwrap(), 7);
            while !pipe::is_closed(&server) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert_eq!(client.join().unwrap(), *b"answer\n");
        });
    }

    #[test]
    fn a_file_is_replaced_once_a_scanner_has_closed_it() {
        use std::os::windows::fs::OpenOptionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
        std::fs::write(&new, "new").unwrap();
        std::fs::write(&old, "old").unwrap();
        // Others may read it, and do nothing else.
        let scanner = OpenOptions::new().read(true).share_mode(1).open(&old);
        let scanner = scanner.unwrap();
        assert!(std::fs::rename(&new, &old).is_err());
        let replacing = std::thread::spawn({
            let (new, old) = (new.clone(), old.clone());
            move || file::replace(&new, &old)
        });
        std::thread::sleep(Duration::from_millis(50));
        drop(scanner);
        replacing.join().unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "new");
    }

    #[test]
    fn paths_are_taken_in_every_form() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().real_path().unwrap();
        std::fs::create_dir(real.join("Source")).unwrap();
        std::fs::write(real.join("Source").join("Main.rs"), "").unwrap();
        let typed = real.join("SOURCE").join("main.RS");
        assert_eq!(file::as_stored(typed), real.join("Source").join("Main.rs"));
        let gone = real.join("Gone");
        assert_eq!(file::as_stored(gone.clone()), gone);
        assert_eq!(&*file::to_slashes(Path::new(r"src\a.rs")), "src/a.rs");
        assert_eq!(file::from_uri_path("/C:/a b"), Path::new(r"C:\a b"));
        let short = Path::new(r"C:\a");
        assert_eq!(&*file::long_path(short), short);
        let long = format!(r"C:\{}/../b", "a".repeat(250));
        assert_eq!(&*file::long_path(Path::new(&long)), Path::new(r"\\?\C:\b"));
        for path in [r"\\server\share\x", r"\\?\UNC\server\share", r"\\.\pipe\x"] {
            assert!(file::asks_network(Path::new(path)), "{path}");
        }
        for path in [r"C:\x", r"..\x", r"\\?\C:\x", "x"] {
            assert!(!file::asks_network(Path::new(path)), "{path}");
        }
    }
}
