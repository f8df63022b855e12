import { readFileSync, statSync } from 'node:fs'

/** Reads a file. Returns an empty string for any other entry, because reading a pipe or a device could block forever. */
export function readText(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
  } catch {
    // The file is missing or not readable.
    return ''
  }
}
