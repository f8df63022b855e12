import type { DeclaredStorage } from './declared.js'

const NONE = 'none of the mounted storages supports it, and mounts cannot emulate it'

/** Storages with the required methods only. Mounts emulate the optional parts with these methods. */
export const plainMounts: DeclaredStorage = {
  name: 'mounts of plain storages',
  tests: ['workspace/plain-mounts-contract.test.ts'],
  without: { symlink: NONE, setMeta: NONE, usage: NONE },
}
