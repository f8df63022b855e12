import { readFileSync, statSync } from 'node:fs'

/** What is in a file; empty where there is none, or something else is in its place: a pipe, or a device, would be read without end. */
export function readText(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
  } catch {
    // It is not there, or may not be read.
    return ''
  }
}
