//! Writes and reads records.

use super::{
    ALWAYS, CHECKSUM, Header, Kind, LEVEL, MAGIC, MOST_FILE, MOST_HEADER, MOST_RATIO, MOST_RECORD,
    PREFIX, WINDOW, error,
};
use crate::IngestError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes records to a file.
pub(super) struct Writer {
    path: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
    written: u64,
    buffer: Vec<u8>,
    failed: Option<io::Error>,
}

impl Writer {
    /// Begins the file, which must be empty and open for reading and writing.
    pub(super) fn new(path: &Path, file: File, header: &Header) -> Result<Writer, IngestError> {
        let text = serde_json::to_vec(header).unwrap_or_default();
        let mut out = BufWriter::new(file);
        let begin = (|| {
            out.write_all(MAGIC)?;
            out.write_all(&[0; 8])?;
            out.write_all(&(text.len() as u32).to_le_bytes())?;
            out.write_all(&text)?;
            zstd::Encoder::new(out, LEVEL)
        })();
        Ok(Writer {
            path: path.to_owned(),
            out: begin.map_err(|e| error(path, e.to_string()))?,
            written: 0,
            buffer: Vec::new(),
            failed: None,
        })
    }

    /// Adds a record. A failure is reported at the end.
    pub(super) fn put(&mut self, kind: Kind, fields: &impl Serialize) {
        if self.failed.is_none()
            && let Err(error) = self.try_put(kind, fields)
        {
            self.failed = Some(error);
        }
    }

    fn try_put(&mut self, kind: Kind, fields: &impl Serialize) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend_from_slice(&[0; 4]);
        self.buffer.push(kind as u8);
        self.buffer = postcard::to_extend(fields, std::mem::take(&mut self.buffer))
            .map_err(io::Error::other)?;
        let length = self.buffer.len() - 4;
        if length > MOST_RECORD {
            // The importing machine reads a file with so much text again.
            return Ok(());
        }
        self.buffer[..4].copy_from_slice(&(length as u32).to_le_bytes());
        self.written += self.buffer.len() as u64;
        self.out.write_all(&self.buffer)
    }

    /// Completes the file with its size and checksum. Returns its bytes.
    pub(super) fn finish(self) -> Result<u64, IngestError> {
        let (path, written) = (self.path, self.written);
        let failed = self.failed.map_or(Ok(()), Err);
        let end = || -> io::Result<u64> {
            failed?;
            let out = self.out.finish()?;
            let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(8))?;
            file.write_all(&written.to_le_bytes())?;
            file.seek(SeekFrom::Start(0))?;
            let length = file.metadata()?.len();
            let sum = checksum(&mut file, length)?;
            file.seek(SeekFrom::End(0))?;
            file.write_all(&sum)?;
            file.sync_all()?;
            Ok(length + CHECKSUM as u64)
        };
        end().map_err(|e| error(&path, e.to_string()))
    }
}

/// The checksum of the next bytes of a file.
fn checksum(file: &mut File, length: u64) -> io::Result<[u8; CHECKSUM]> {
    let mut hasher = blake3::Hasher::new();
    let read = hasher.update_reader(file.take(length)).map(|_| ());
    read?;
    if hasher.count() != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(*hasher.finalize().as_bytes())
}

/// Reads records of a file after its checksum and sizes were checked.
pub(super) struct Reader {
    path: PathBuf,
    pub(super) header: Header,
    records: zstd::Decoder<'static, BufReader<io::Take<File>>>,
    left: u64,
    buffer: Vec<u8>,
}

impl Reader {
    pub(super) fn open(path: &Path) -> Result<Reader, IngestError> {
        let opened = guard::open_user_file(path, MOST_FILE);
        let mut file = opened.map_err(|e| error(path, e.reason()))?;
        let read = |e: io::Error| error(path, e.to_string());
        let length = file.metadata().map_err(read)?.len();
        let Some(body) = length.checked_sub((PREFIX + CHECKSUM) as u64) else {
            return Err(error(path, "it is too short"));
        };
        let mut prefix = [0; PREFIX];
        file.read_exact(&mut prefix).map_err(read)?;
        let (magic, sizes) = prefix.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(error(path, "`knotwork index export` did not write it"));
        }
        let (decoded, header_length) = sizes.split_at(8);
        let decoded = u64::from_le_bytes(decoded.try_into().unwrap_or_default());
        let header_length = u32::from_le_bytes(header_length.try_into().unwrap_or_default());
        if header_length as usize > MOST_HEADER || u64::from(header_length) > body {
            return Err(error(path, "its header is too long"));
        }
        if decoded > length.saturating_mul(MOST_RATIO).saturating_add(ALWAYS) {
            return Err(error(path, "it says that it becomes too large"));
        }
        file.rewind().map_err(read)?;
        let sum = checksum(&mut file, length - CHECKSUM as u64).map_err(read)?;
        let mut found = [0; CHECKSUM];
        file.read_exact(&mut found).map_err(read)?;
        if sum != found {
            return Err(error(path, "its checksum does not match: it is damaged"));
        }
        file.seek(SeekFrom::Start(PREFIX as u64)).map_err(read)?;
        let mut header = vec![0; header_length as usize];
        file.read_exact(&mut header).map_err(read)?;
        let header = serde_json::from_slice(&header)
            .map_err(|_| error(path, "its header cannot be read"))?;
        let records = file.take(body - u64::from(header_length));
        let mut records = zstd::Decoder::new(records).map_err(read)?.single_frame();
        records.window_log_max(WINDOW).map_err(read)?;
        Ok(Reader {
            path: path.to_owned(),
            header,
            records,
            left: decoded,
            buffer: Vec::new(),
        })
    }

    pub(super) fn error(&self, reason: impl std::fmt::Display) -> IngestError {
        error(&self.path, reason)
    }

    /// The kind of the next record; `None` at the end. [`Reader::fields`] decodes its fields.
    pub(super) fn next(&mut self) -> Result<Option<Kind>, IngestError> {
        if self.left == 0 {
            let more = self.records.read(&mut [0]);
            return match more {
                Ok(0) => Ok(None),
                _ => Err(self.error("it is longer than it says")),
            };
        }
        let mut length = [0; 4];
        self.read_exact(|reader| reader.records.read_exact(&mut length))?;
        let length = u32::from_le_bytes(length) as usize;
        let all = length as u64 + 4;
        if length == 0 || length > MOST_RECORD || all > self.left {
            return Err(self.error("a record is too long"));
        }
        self.left -= all;
        self.buffer.clear();
        self.read_exact(|reader| {
            let read = (&mut reader.records)
                .take(length as u64)
                .read_to_end(&mut reader.buffer)?;
            (read == length)
                .then_some(())
                .ok_or(io::ErrorKind::UnexpectedEof.into())
        })?;
        match Kind::from_code(self.buffer[0]) {
            Some(kind) => Ok(Some(kind)),
            None => Err(self.error("a record is of an unknown kind")),
        }
    }

    fn read_exact(
        &mut self,
        read: impl FnOnce(&mut Reader) -> io::Result<()>,
    ) -> Result<(), IngestError> {
        read(self).map_err(|e| self.error(format!("its records cannot be read: {e}")))
    }

    /// The bytes of the current record.
    pub(super) fn length(&self) -> u64 {
        self.buffer.len() as u64
    }

    /// The first fields of the current record, without decoding the others.
    pub(super) fn first_fields<'r, T: Deserialize<'r>>(&'r self) -> Result<T, IngestError> {
        let first = postcard::take_from_bytes(&self.buffer[1..]);
        first
            .map(|(fields, _)| fields)
            .map_err(|_| self.error("a record cannot be read"))
    }

    /// The fields of the current record, with texts borrowed from its bytes.
    pub(super) fn borrowed_fields<'r, T: Deserialize<'r>>(&'r self) -> Result<T, IngestError> {
        match postcard::take_from_bytes(&self.buffer[1..]) {
            Ok((fields, [])) => Ok(fields),
            _ => Err(self.error("a record cannot be read")),
        }
    }

    /// The fields of the current record.
    pub(super) fn fields<T: DeserializeOwned>(&self) -> Result<T, IngestError> {
        self.borrowed_fields()
    }
}
