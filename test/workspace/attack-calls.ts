import { createRuntime, fileTools, type ToolCall, type ToolRuntime, toBashFs, toNodeFs, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { searchTools } from '../../src/tools/search/index.js'
import { INSIDE_FILES, SECRET } from './path-attacks.js'

/** Outcome of an attempt: the code of its rejection, or everything that it returned, as text. */
export type Attempt =
  | { readonly name: string; readonly code: string; readonly message: string }
  | { readonly name: string; readonly gave: string }

export function attackRuntime(workspace: Workspace): ToolRuntime {
  return createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] })
}

/** Calls of all tools, with this path for every parameter that is a path. */
export function toolCalls(path: string): ToolCall[] {
  return [
    { name: 'read_file', input: { path } },
    { name: 'read_file', input: { path, encoding: 'base64' } },
    { name: 'read_file', input: { path, mode: 'indentation' } },
    { name: 'list_files', input: { path, recursive: true } },
    { name: 'glob', input: { path, pattern: '**/*', hidden: true, ignore: false } },
    { name: 'glob', input: { path, pattern: '**/*', sort: 'newest' } },
    { name: 'grep', input: { path, pattern: SECRET, hidden: true, ignore: false } },
    { name: 'edit_file', input: { path, edits: [{ old_string: SECRET, new_string: 'PLANTED' }] } },
    { name: 'edit_file', input: { path, edits: [{ old_string: '', new_string: 'PLANTED' }] } },
    { name: 'write_file', input: { path, content: 'PLANTED' } },
    { name: 'write_file', input: { path, content: 'PLANTED', mode: 'append' } },
    { name: 'write_file', input: { path, content: 'UExBTlRFRA==', encoding: 'base64', mode: 'create' } },
    { name: 'move_file', input: { from: path, to: 'stolen' } },
    { name: 'move_file', input: { from: 'notes.txt', to: path, overwrite: true } },
    { name: 'delete_file', input: { path } },
    { name: 'delete_file', input: { path, recursive: true } },
  ]
}

/**
 * Calls that pass the path in parameters that are not paths, such as globs and cursors. Any outcome is allowed that contains no data from
 * outside.
 */
export function sidewaysCalls(path: string): ToolCall[] {
  return [
    { name: 'glob', input: { pattern: path } },
    { name: 'glob', input: { pattern: `${path}/**`, hidden: true } },
    { name: 'glob', input: { pattern: '**', cursor: path } },
    { name: 'list_files', input: { cursor: path, recursive: true } },
    { name: 'grep', input: { pattern: SECRET, glob: path } },
    { name: 'grep', input: { pattern: SECRET, cursor: path } },
    { name: 'write_file', input: { path: 'x', content: path } },
  ]
}

export async function attemptTools(runtime: ToolRuntime, calls: readonly ToolCall[]): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const call of calls) {
    const name = `${call.name} ${JSON.stringify(call.input).slice(0, 120)}`
    const result = await runtime.execute(call)
    const gave = JSON.stringify(result)
    attempts.push(result.ok ? { name, gave } : { name, code: result.output.code, message: gave })
  }
  return attempts
}

type Body = () => Promise<unknown> | unknown

/** Calls of all workspace methods, with this path for every parameter that is a path. */
export function workspaceBodies(workspace: Workspace, path: string): Record<string, Body> {
  return {
    resolve: () => workspace.resolve(path),
    relative: () => workspace.relative(path),
    realpath: () => workspace.realpath(path),
    stat: () => workspace.stat(path),
    lstat: () => workspace.lstat(path),
    exists: () => workspace.exists(path),
    readlink: () => workspace.readlink(path),
    list: () => workspace.list(path),
    walk: () => drain(workspace.walk(path, { ignore: false })),
    readBytes: () => workspace.readBytes(path),
    readText: () => workspace.readText(path),
    writeBytes: () => workspace.writeBytes(path, new Uint8Array([80])),
    writeText: () => workspace.writeText(path, 'PLANTED'),
    append: () => workspace.writeText(path, 'PLANTED', { mode: 'append' }),
    mkdir: () => workspace.mkdir(path),
    mkdirOne: () => workspace.mkdir(path, { parents: false }),
    setMeta: () => workspace.setMeta(path, { mode: 0o777 }),
    symlinkAt: () => workspace.symlink('notes.txt', path),
    copyFrom: () => workspace.copy(path, 'stolen'),
    copyTo: () => workspace.copy('notes.txt', path, { overwrite: true }),
    moveTo: () => workspace.move('notes.txt', path, { overwrite: true }),
    moveFrom: () => workspace.move(path, 'stolen2'),
    remove: () => workspace.remove(path, { recursive: true }),
    locked: () => workspace.locked([path], (locked) => locked.writeText(path, 'PLANTED')),
  }
}

/**
 * Calls of all methods of both facades, with this path. Facades clamp `..` at `/`, so they are as safe as the workspace, but have other
 * error codes.
 */
export function facadeBodies(workspace: Workspace, path: string): Record<string, Body> {
  const node = toNodeFs(workspace).promises
  const bash = toBashFs(workspace, { scratch: createMemoryFs() })
  return {
    'node readFile': () => node.readFile(path),
    'node readFile utf8': () => node.readFile(path, 'utf8'),
    'node readdir': () => node.readdir(path),
    'node stat': () => node.stat(path),
    'node lstat': () => node.lstat(path),
    'node realpath': () => node.realpath(path),
    'node readlink': () => node.readlink(path),
    'node copyFile from': () => node.copyFile(path, 'stolen'),
    'node copyFile to': () => node.copyFile('notes.txt', path),
    'node writeFile': () => node.writeFile(path, 'PLANTED'),
    'node appendFile': () => node.appendFile(path, 'PLANTED'),
    'node mkdir': () => node.mkdir(path, { recursive: true }),
    'node chmod': () => node.chmod(path, 0o777),
    'node utimes': () => node.utimes(path, 1, 1),
    'node symlink': () => node.symlink('notes.txt', path),
    'node rename from': () => node.rename(path, 'stolen'),
    'node rename to': () => node.rename('src/a.ts', path),
    'node rm': () => node.rm(path, { recursive: true, force: true }),
    'node unlink': () => node.unlink(path),
    'bash readFile': () => bash.readFile(path),
    'bash readFileBuffer': () => bash.readFileBuffer(path),
    'bash readdir': () => bash.readdir(path),
    'bash stat': () => bash.stat(path),
    'bash exists': () => bash.exists(path),
    'bash realpath': () => bash.realpath(path),
    'bash readlink': () => bash.readlink(path),
    'bash cp from': () => bash.cp(path, 'stolen', { recursive: true }),
    'bash cp to': () => bash.cp('notes.txt', path, { recursive: true }),
    'bash link': () => bash.link(path, 'stolen3'),
    'bash writeFile': () => bash.writeFile(path, 'PLANTED'),
    'bash appendFile': () => bash.appendFile(path, 'PLANTED'),
    'bash mkdir': () => bash.mkdir(path, { recursive: true }),
    'bash chmod': () => bash.chmod(path, 0o777),
    'bash symlink': () => bash.symlink('notes.txt', path),
    'bash mv from': () => bash.mv(path, 'stolen4'),
    'bash mv to': () => bash.mv('src/deep/b.ts', path),
    'bash rm': () => bash.rm(path, { recursive: true, force: true }),
  }
}

export async function attemptBodies(bodies: Record<string, Body>): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const [name, body] of Object.entries(bodies)) {
    try {
      attempts.push({ name, gave: describeValue(await body()) })
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      attempts.push({ name, code: code ?? 'none', message })
    }
  }
  return attempts
}

/** Attempts that were not rejected with this code, shortened for the test report. */
export function otherThan(code: string, attempts: readonly Attempt[]): string[] {
  return attempts
    .filter((attempt) => !('code' in attempt) || attempt.code !== code)
    .map((attempt) => `${attempt.name}: ${'code' in attempt ? attempt.message : attempt.gave}`.slice(0, 300))
}

export async function drain<T>(runs: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const run of runs) all.push(...run)
  return all
}

/** A test title: short, with characters that every reporter can print. */
export function label(input: string): string {
  const escaped = JSON.stringify(input).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return escaped.length > 60 ? `${escaped.slice(0, 57)}...` : escaped
}

/** Resets the workspace to the state before an attack. */
export async function furnish(workspace: Workspace): Promise<void> {
  for (const { name } of await workspace.list('.')) await workspace.remove(`./${name}`, { recursive: true })
  for (const [path, text] of Object.entries(INSIDE_FILES)) await workspace.writeText(path, text)
}

/** Converts a value to text in which a secret is found, whether the secret is text, bytes or base64. */
function describeValue(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? new TextDecoder().decode(part) : part)) ?? String(value)
}
