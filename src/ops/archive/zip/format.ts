/** Signatures, and the sizes of records without names and extra fields. */
export const LOCAL = { mark: 0x04034b50, size: 30 } as const
export const CENTRAL = { mark: 0x02014b50, size: 46 } as const
export const END = { mark: 0x06054b50, size: 22 } as const
/** These records precede END if the archive is in zip64 format, or was prepared for it. */
export const END64 = { mark: 0x06064b50, size: 56 } as const
export const END64_LOCATOR = { mark: 0x07064b50, size: 20 } as const
export const DESCRIPTOR_MARK = 0x08074b50

/** The id of an extra field. */
export const ZIP64 = 0x0001

export const STORED = 0
export const DEFLATED = 8

/** Bits of the general-purpose flags. */
export const ENCRYPTED = 0x2041
export const SIZES_BEHIND = 0x8
export const UTF8 = 0x800
export const PATCHED = 0x20

/** Host systems for which the upper half of the external attributes is a Unix mode. */
export const UNIX: readonly number[] = [3, 19]
/** FAT, NTFS and VFAT. Some programs on these systems write backslashes as separators, which are not valid in names. */
export const WINDOWS: readonly number[] = [0, 10, 14]
export const S_IFMT = 0o170000
export const S_IFLNK = 0o120000
export const S_IFDIR = 0o040000
export const S_IFREG = 0o100000
export const S_IFIFO = 0o010000

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
