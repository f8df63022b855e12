import { packed, textOf } from '../escaped-bytes.js'
import type { CommandResult } from '../library-types.js'

export const nothing: CommandResult = { stdout: '', stderr: '', exitCode: 0 }

export const isBinary = ({ stdoutKind, stdoutEncoding }: CommandResult): boolean =>
  stdoutKind === 'bytes' || (stdoutKind === undefined && stdoutEncoding === 'binary')

/** Returns standard output with one character per byte. */
export const printedBytes = (result: CommandResult): string => (isBinary(result) ? result.stdout : packed(result.stdout))

/** Joins the output of two commands. The status is that of the last command. */
export function joined(first: CommandResult, last: CommandResult): CommandResult {
  if (first.stdout === '' && first.stderr === '') return last
  const stderr = first.stderr + last.stderr
  const accounted = sum(first, last)
  if (last.stdout === '') return { ...first, stderr, exitCode: last.exitCode, ...accounted }
  if (first.stdout === '' || isBinary(first) === isBinary(last))
    return { ...last, stdout: first.stdout + last.stdout, stderr, ...accounted }
  const stdout = printedBytes(first) + printedBytes(last)
  return { ...last, stdout, stderr, stdoutKind: 'bytes', ...accounted }
}

function sum(first: CommandResult, last: CommandResult): Pick<CommandResult, 'internalOutputAccounting'> {
  const [a, b] = [first.internalOutputAccounting, last.internalOutputAccounting]
  return { internalOutputAccounting: { stdout: (a?.stdout ?? 0) + (b?.stdout ?? 0), stderr: (a?.stderr ?? 0) + (b?.stderr ?? 0) } }
}

/** Returns a result with only the given streams, or undefined if they are empty. */
export function part(result: CommandResult, out: boolean, err: boolean): CommandResult | undefined {
  const stdout = out ? result.stdout : ''
  const stderr = err ? result.stderr : ''
  if (stdout === '' && stderr === '') return undefined
  const { internalOutputAccounting: charged } = result
  const internalOutputAccounting = { stdout: out ? (charged?.stdout ?? 0) : 0, stderr: err ? (charged?.stderr ?? 0) : 0 }
  return { ...result, stdout, stderr, internalOutputAccounting }
}

/** Returns a result without its output. */
export function silent<R extends CommandResult>(result: R): R {
  return { ...result, stdout: '', stderr: '', internalOutputAccounting: { stdout: 0, stderr: 0 } }
}

/** Returns a result with standard output as text. */
export function asText<R extends CommandResult>(result: R): R {
  if (!isBinary(result)) return result
  return { ...result, stdout: textOf(result.stdout), stdoutKind: 'text', stdoutEncoding: undefined }
}
