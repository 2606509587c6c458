//! Users and access lists.

use super::{check, own, to_wide};
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::windows::io::{AsRawHandle, RawHandle};
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::{LocalFree, TRUE};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo,
    SDDL_REVISION_1, SE_FILE_OBJECT, SE_KERNEL_OBJECT, SE_OBJECT_TYPE, SetSecurityInfo,
};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACL, CheckTokenMembership, DACL_SECURITY_INFORMATION, EqualSid, GetAce,
    GetSecurityDescriptorDacl, GetSidSubAuthority, GetSidSubAuthorityCount, GetTokenInformation,
    IsWellKnownSid, OWNER_SECURITY_INFORMATION, PROTECTED_DACL_SECURITY_INFORMATION,
    PSECURITY_DESCRIPTOR, PSID, SetKernelObjectSecurity, TOKEN_QUERY, TOKEN_USER, TokenUser,
    WELL_KNOWN_SID_TYPE, WinBuiltinAdministratorsSid, WinCreatorOwnerRightsSid, WinLocalSystemSid,
    WinWorldSid,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// The kind of an access list entry that allows something.
const ALLOWS: u8 = 0;

/// Rights to write to a file or folder: data, appended data, attributes, the access list, the owner, or everything.
const WRITES: u32 =
    0x0000_0002 | 0x0000_0004 | 0x0004_0000 | 0x0008_0000 | 0x1000_0000 | 0x4000_0000;

/// Memory that the system allocated. Dropping it frees the memory.
pub(super) struct Allocated(*mut c_void);

impl Drop for Allocated {
    fn drop(&mut self) {
        // SAFETY: the system allocated it for this purpose, and it is freed once.
        unsafe { LocalFree(self.0) };
    }
}

/// The user of this process. The system's structure comes first, and the identifier follows it.
struct User(Vec<u64>);

impl User {
    fn sid(&self) -> PSID {
        // SAFETY: `read_user` filled it with that structure.
        unsafe { (*self.0.as_ptr().cast::<TOKEN_USER>()).User.Sid }
    }
}

fn user() -> io::Result<&'static User> {
    static USER: OnceLock<Option<User>> = OnceLock::new();
    let user = USER.get_or_init(|| read_user().ok());
    user.as_ref()
        .ok_or_else(|| io::Error::other("the system does not name the user of this process"))
}

fn read_user() -> io::Result<User> {
    let mut token = std::ptr::null_mut();
    // SAFETY: a pseudo handle of this process, and a pointer to a handle.
    check(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &mut token) })?;
    let token = own(token)?;
    let (mut room, mut size) = (vec![0_u64; 32], 0);
    // SAFETY: the buffer has the given size, and is aligned for the structure.
    check(unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenUser,
            room.as_mut_ptr().cast(),
            (room.len() * size_of::<u64>()) as u32,
            &mut size,
        )
    })?;
    Ok(User(room))
}

/// The identifier of this user, in text.
pub(super) fn user_text() -> io::Result<String> {
    let mut text = std::ptr::null_mut();
    // SAFETY: a valid identifier, and a pointer to a pointer.
    check(unsafe { ConvertSidToStringSidW(user()?.sid(), &mut text) })?;
    let _freed = Allocated(text.cast());
    let mut units = Vec::new();
    // SAFETY: the system wrote zero-terminated text.
    unsafe {
        let mut next = text;
        while *next != 0 {
            units.push(*next);
            next = next.add(1);
        }
    }
    Ok(String::from_utf16_lossy(&units))
}

/// A security descriptor with an access list for this user, the system and its administrators. Entries that are created in a
/// folder with this list inherit it.
pub(super) struct PrivateDescriptor(Allocated);

impl PrivateDescriptor {
    pub(super) fn new() -> io::Result<PrivateDescriptor> {
        let user = user_text()?;
        let list = format!("D:P(A;OICI;FA;;;{user})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)");
        PrivateDescriptor::parse(&list)
    }

    /// A descriptor for objects that nobody but this user may use.
    pub(super) fn for_user_only() -> io::Result<PrivateDescriptor> {
        let user = user_text()?;
        // Without a named owner, objects of an administrator would belong to all administrators.
        PrivateDescriptor::parse(&format!("O:{user}D:P(A;;GA;;;{user})"))
    }

    fn parse(list: &str) -> io::Result<PrivateDescriptor> {
        let text = to_wide(list);
        let mut descriptor = std::ptr::null_mut();
        // SAFETY: zero-terminated text, a pointer to a pointer, and null for a result that is not needed.
        check(unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                text.as_ptr(),
                SDDL_REVISION_1,
                &mut descriptor,
                std::ptr::null_mut(),
            )
        })?;
        Ok(PrivateDescriptor(Allocated(descriptor)))
    }

    pub(super) fn as_ptr(&self) -> PSECURITY_DESCRIPTOR {
        self.0.0
    }

    /// Replaces the inherited access list of an open file or folder with this one.
    pub(super) fn apply(&self, file: &File) -> io::Result<()> {
        let (mut present, mut defaulted, mut list) = (0, 0, std::ptr::null_mut());
        // SAFETY: a valid descriptor and pointers for three results.
        check(unsafe {
            GetSecurityDescriptorDacl(self.as_ptr(), &mut present, &mut list, &mut defaulted)
        })?;
        let what = DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;
        let none = std::ptr::null_mut();
        // SAFETY: an open handle and a list that belongs to the descriptor.
        let code = unsafe {
            SetSecurityInfo(
                file.as_raw_handle(),
                SE_FILE_OBJECT,
                what,
                none,
                none,
                list,
                none.cast(),
            )
        };
        to_result(code)?;
        // The call above also changes entries that a folder already has. Wine accepts it without doing anything, but Wine does
        // carry out this one.
        // SAFETY: an open handle and a valid descriptor.
        check(unsafe { SetKernelObjectSecurity(file.as_raw_handle(), what, self.as_ptr()) })
    }
}

/// Turns the return value of calls that return the error itself into a result.
fn to_result(code: u32) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code as i32)),
    }
}

/// The owner and access list of an open object.
pub(super) struct Security {
    owner: PSID,
    list: *mut ACL,
    _descriptor: Allocated,
}

impl Security {
    /// Of a file or folder.
    pub(super) fn of_file(file: &File) -> io::Result<Security> {
        Security::read(file.as_raw_handle(), SE_FILE_OBJECT)
    }

    /// Of a pipe.
    pub(super) fn of_pipe(pipe: RawHandle) -> io::Result<Security> {
        Security::read(pipe, SE_KERNEL_OBJECT)
    }

    fn read(handle: RawHandle, kind: SE_OBJECT_TYPE) -> io::Result<Security> {
        let (mut owner, mut list) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut descriptor = std::ptr::null_mut();
        // SAFETY: an open handle, pointers for three results, and null for two results that are not needed.
        to_result(unsafe {
            GetSecurityInfo(
                handle,
                kind,
                OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                &mut owner,
                std::ptr::null_mut(),
                &mut list,
                std::ptr::null_mut(),
                &mut descriptor,
            )
        })?;
        Ok(Security {
            owner,
            list,
            _descriptor: Allocated(descriptor),
        })
    }

    /// Whether this user is the owner. Objects that an administrator creates may belong to all administrators, and count as the
    /// administrator's own.
    pub(super) fn is_own(&self) -> bool {
        is_this_user(self.owner)
            || (is_well_known(self.owner, WinBuiltinAdministratorsSid) && is_member(self.owner))
    }

    /// The last part of the owner's identifier. It is the number of the user.
    pub(super) fn owner_number(&self) -> u32 {
        if self.owner.is_null() {
            return 0;
        }
        // SAFETY: the identifier belongs to the descriptor, and the index is that of its last part.
        unsafe {
            let count = *GetSidSubAuthorityCount(self.owner);
            match count.checked_sub(1) {
                Some(last) => *GetSidSubAuthority(self.owner, u32::from(last)),
                None => 0,
            }
        }
    }

    /// Whether both have the same owner.
    pub(super) fn has_owner_of(&self, other: &Security) -> bool {
        // SAFETY: both belong to their descriptors.
        !self.owner.is_null()
            && !other.owner.is_null()
            && unsafe { EqualSid(self.owner, other.owner) } != 0
    }

    /// Who else may use it.
    pub(super) fn others(&self) -> crate::Others {
        if self.list.is_null() {
            // Without an access list everybody may do everything.
            return crate::Others::EverybodyWrites;
        }
        let mut others = crate::Others::Nobody;
        // SAFETY: the list belongs to the descriptor.
        let count = unsafe { (*self.list).AceCount };
        for index in 0..u32::from(count) {
            let mut entry = std::ptr::null_mut();
            // SAFETY: the index is smaller than the number of entries.
            if unsafe { GetAce(self.list, index, &mut entry) } == 0 {
                return crate::Others::EverybodyWrites;
            }
            let entry: *const ACCESS_ALLOWED_ACE = entry.cast();
            // SAFETY: every entry begins with a header, and one that allows something has this form.
            let (kind, rights, who) = unsafe {
                let who: PSID = (&raw const (*entry).SidStart).cast_mut().cast();
                ((*entry).Header.AceType, (*entry).Mask, who)
            };
            if kind != ALLOWS || rights == 0 || is_trusted(who) {
                continue;
            }
            if is_well_known(who, WinWorldSid) && rights & WRITES != 0 {
                return crate::Others::EverybodyWrites;
            }
            others = crate::Others::Some;
        }
        others
    }
}

/// Whether an identifier is that of this user, or of somebody who may read everything anyway.
fn is_trusted(who: PSID) -> bool {
    let known = [
        WinLocalSystemSid,
        WinBuiltinAdministratorsSid,
        WinCreatorOwnerRightsSid,
    ];
    is_this_user(who) || known.iter().any(|known| is_well_known(who, *known))
}

fn is_this_user(who: PSID) -> bool {
    // SAFETY: both are valid identifiers.
    !who.is_null() && user().is_ok_and(|user| unsafe { EqualSid(who, user.sid()) } != 0)
}

fn is_well_known(who: PSID, known: WELL_KNOWN_SID_TYPE) -> bool {
    // SAFETY: a valid identifier.
    !who.is_null() && unsafe { IsWellKnownSid(who, known) } != 0
}

/// Whether this process has the rights of a group.
fn is_member(group: PSID) -> bool {
    let mut is_member = 0;
    // SAFETY: no token means this process, and the place for the result lives until the call returns.
    let told = unsafe { CheckTokenMembership(std::ptr::null_mut(), group, &mut is_member) };
    told != 0 && is_member == TRUE
}
