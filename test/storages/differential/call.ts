/** A feature that the storage must support for a part of the script. `time`: modification times can be set. */
export type Need = 'symlink' | 'mode' | 'time'

export interface ScriptCall {
  readonly name: string
  /** A function creates the input from the previous call's output, for example to pass a cursor. */
  readonly input: string | Readonly<Record<string, unknown>> | ((last: Output) => Readonly<Record<string, unknown>>)
}

export type Output = Readonly<Record<string, unknown>>

export interface ScriptPart {
  readonly title: string
  readonly needs: readonly Need[]
  readonly calls: readonly ScriptCall[]
}

const tool =
  (name: string) =>
  (input: Readonly<Record<string, unknown>>): ScriptCall => ({ name, input })

export const bash = (command: string, others: object = {}): ScriptCall => ({ name: 'bash', input: { command, ...others } })
export const write = (path: string, content: string, others: object = {}): ScriptCall => ({
  name: 'write_file',
  input: { path, content, ...others },
})
export const read = (path: string, others: object = {}): ScriptCall => ({ name: 'read_file', input: { path, ...others } })
export const edit = (path: string, ...edits: readonly (readonly [old: string, now: string, all?: boolean])[]): ScriptCall => ({
  name: 'edit_file',
  input: { path, edits: edits.map(([old_string, new_string, replace_all = false]) => ({ old_string, new_string, replace_all })) },
})
export const patch = (text: string, others: object = {}): ScriptCall => ({ name: 'apply_patch', input: { patch: text, ...others } })
export const envelope = (...lines: readonly string[]): ScriptCall => patch(['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'))
export const move = (from: string, to: string, overwrite = false): ScriptCall => ({ name: 'move_file', input: { from, to, overwrite } })
export const remove = (path: string, recursive = false): ScriptCall => ({ name: 'delete_file', input: { path, recursive } })
export const list = tool('list_files')
export const glob = tool('glob')
export const grep = tool('grep')
/** Name of a script call that makes a checkpoint through the runtime, because no tool does. */
export const CHECKPOINT = '(checkpoint)'
export const checkpoint = (label: string): ScriptCall => ({ name: CHECKPOINT, input: { label } })
export const listCheckpoints = tool('list_checkpoints')
export const diff = tool('diff_checkpoint')
export const restore = tool('restore_checkpoint')
/** Continues the previous search, with its cursor. */
export const onwards = (name: string, input: object): ScriptCall => ({ name, input: ({ next }: Output) => ({ ...input, cursor: next }) })
