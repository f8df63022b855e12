import { type Fields, fieldsOf } from '../model/request.js'
import { cut, json } from './difference.js'
import { type Entry, parseCassette } from './format.js'

/** Maximum number of lines per answer. */
const MOST_LINES = 12
const MOST_CHARS = 500

/** Renders a cassette for people: each entry with its line number, request and answer. @throws CassetteError */
export function transcriptOf(text: string): string {
  return parseCassette(text)
    .entries.map((entry, index) => `${String(index + 2).padStart(4)}  ${entry.kind} ${askedOf(entry)}\n${detailsOf(entry)}`)
    .join('')
}

function askedOf({ kind, asked }: Entry): string {
  const { name, input, parent, command, method, url, body, prompt, tool } = fieldsOf(asked)
  if (kind === 'call') return `${String(name)} ${cut(json(input ?? {}))}${parent === undefined ? '' : ` (by ${String(parent)})`}`
  if (kind === 'shell') return cut(String(command))
  if (kind === 'approval') return `${String(tool)} ${cut(json(asked))}`
  const messages = prompt ?? fieldsOf(body).messages ?? fieldsOf(body).input
  const count = Array.isArray(messages) ? ` (${messages.length} messages)` : ''
  if (url !== undefined) return `${String(method)} ${String(url)}${count}`
  return kind === 'model' ? count.trim() : cut(json(asked))
}

function detailsOf({ answered, failed, changed = {}, events = [] }: Entry): string {
  const files = [changed, ...events.map((event) => event.changed ?? {})].flatMap((one) => Object.entries(one))
  const changes = files.map(([path, file]) => `${file === null ? 'removed' : 'changed'} ${path}`)
  const printed = events.map(({ stdout = '', stderr = '' }) => stdout + stderr).join('')
  const error = failed === undefined ? [] : [`failed: ${String(fieldsOf(failed).message)}`]
  const lines = [...error, ...linesOf(answerOf(answered)), ...linesOf(printed), ...changes]
  return lines.map((line) => `      ${line}\n`).join('')
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.replace(/\n$/, '').split('\n')
  const more = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : []
  return [...lines.slice(0, MOST_LINES).map((line) => cut(line, MOST_CHARS)), ...more]
}

/** The text of an answer; falls back to JSON if the answer has no text. */
function answerOf(answered: unknown): string {
  if (answered === undefined || answered === null) return ''
  const { ok, error, output, content, parts, stdout, stderr, status, json: body } = fieldsOf(answered)
  if (ok === false) return String(error)
  if (Array.isArray(content)) return content.map(partOf).join('\n')
  if (Array.isArray(parts))
    return (
      parts
        .filter(({ type }: Fields) => /^(?:tool-call|error)$/.test(String(type)))
        .map(partOf)
        .join('\n') || deltasOf(parts)
    )
  if (typeof stdout === 'string') return `${stdout}${String(stderr)}`
  if (status !== undefined) return `${String(status)} ${cut(json(body ?? fieldsOf(answered).text ?? 'bytes'), MOST_CHARS)}`
  return cut(json(output ?? answered), MOST_CHARS)
}

const deltasOf = (parts: readonly unknown[]): string => parts.map((part) => String(fieldsOf(part).delta ?? '')).join('')

function partOf(part: unknown): string {
  const { type, text, toolName, input } = fieldsOf(part)
  if (type === 'text') return String(text)
  return type === 'tool-call' ? `calls ${String(toolName)} ${cut(String(input))}` : cut(json(part))
}
