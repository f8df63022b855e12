export type Files = Readonly<Record<string, string | Uint8Array>>

/** An initial file. */
export interface FirstFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The initial directories and files, in the order in which they must be created. */
export interface FirstFiles {
  readonly dirs: readonly string[]
  readonly files: readonly FirstFile[]
}

/** Returns the initial files and all their parent directories. @throws {TypeError} for an invalid or duplicate path */
export function planFiles(files: Files): FirstFiles {
  const encoder = new TextEncoder()
  const dirs = new Set<string>()
  const planned = new Map<string, Uint8Array>()
  for (const [key, content] of Object.entries(files)) {
    const path = key.startsWith('/') ? key : `/${key}`
    if (path.slice(1).split('/').some(isNoName)) throw wrong(key, 'write it without empty, "." and ".." components')
    if (planned.has(path)) throw wrong(key, 'it is there twice')
    planned.set(path, typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content))
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) dirs.add(path.slice(0, end))
  }
  for (const path of planned.keys()) if (dirs.has(path)) throw wrong(path, 'it is a directory too')
  return { dirs: [...dirs].sort(), files: Array.from(planned, ([path, bytes]) => ({ path, bytes })) }
}

const isNoName = (name: string): boolean => name === '' || name === '.' || name === '..'
const wrong = (path: string, why: string): TypeError => new TypeError(`Cannot make a storage with the file "${path}": ${why}`)
