import { SEQ_WANTED } from '../commands/seq.js'
import { quantity } from '../commands/shared/quantity.js'
import { YES_WANTED } from '../commands/yes.js'
import type { CommandNode, PipelineNode, ScriptNode, SimpleCommandNode } from '../library-types.js'
import { literal, literalText, visit } from './nodes.js'

const DEFAULT_LINES = 10

/**
 * Tells each `yes` and `seq` in a pipeline how much output its reader needs. A pipeline runs its parts one after the other, each to its
 * end, but these commands may never end.
 */
export function boundEndless(ast: ScriptNode): void {
  visit(ast, (node) => {
    if (node.type !== 'Pipeline') return
    const { commands } = node as PipelineNode
    for (const [at, command] of commands.slice(0, -1).entries()) {
      const [reader, ...others] = commands.slice(at + 1) as [CommandNode, ...CommandNode[]]
      const wanted = wantedBy(reader)
      if (isCall(command, 'seq') && wanted !== 'some') command.args.unshift(literal(SEQ_WANTED + wanted))
      const end = [reader, ...others].every(readsAll) ? 'all' : wanted
      if (isCall(command, 'yes')) command.args.unshift(literal(YES_WANTED + end))
    }
  })
}

function isCall(command: CommandNode, name: string): command is SimpleCommandNode {
  return command.type === 'SimpleCommand' && literalText(command.name) === name
}

const READING_ALL = new Set(
  (
    'b2sum base32 base64 basenc cat cksum column cut expand fmt fold gzip hexdump jq less md5sum more nl numfmt od paste pr rev sha1sum sha224sum ' +
    'sha256sum sha384sum sha512sum shuf sort split strings sum tac tail tee tr unexpand uniq wc xargs xxd'
  ).split(' '),
)
/** Further commands that read their whole input, except with an argument that matches. */
const ENDING: Readonly<Record<string, RegExp>> = {
  awk: /exit|getline/,
  dd: /^count=/,
  egrep: /^-/,
  fgrep: /^-/,
  gawk: /exit|getline/,
  grep: /^-\w*[mqlL]|^--(?:max|quiet|silent|files)/,
  mawk: /exit|getline/,
  sed: /[qQ]/,
}

/** Whether a command reads its whole input. */
function readsAll(command: CommandNode): boolean {
  if (command.type === 'While') {
    let ends = false
    visit(command, (node) => {
      const word = node.type === 'SimpleCommand' ? (node as SimpleCommandNode).name : null
      const name = word === null ? '' : literalText(word)
      if (name === undefined || /^(?:break|exit|return|kill|exec)$/.test(name)) ends = true
    })
    const [first] = command.condition[0]?.pipelines[0]?.commands ?? []
    return !ends && command.condition.length === 1 && first !== undefined && isCall(first, 'read')
  }
  const name = command.type === 'SimpleCommand' ? (literalText(command.name) ?? '') : ''
  if (READING_ALL.has(name)) return true
  const ending = Object.hasOwn(ENDING, name) ? ENDING[name] : undefined
  const args = command.type === 'SimpleCommand' ? command.args : []
  // Test the source text of each argument without its opening quote.
  return ending !== undefined && !args.some(({ source }) => source === undefined || ending.test(source.replace(/^['"]/, '')))
}

/** Returns how much of its input a reader needs, or `some` if this is unknown. */
function wantedBy(reader: CommandNode): string {
  if (!isCall(reader, 'head')) return 'some'
  const args = reader.args.map(literalText)
  if (args.length === 0) return `lines:${DEFAULT_LINES}`
  const [, short, attached] = /^(?:-([nc])|--lines=|--bytes=|-(?=\d))(\d\w*)?$/.exec(args[0] ?? '') ?? []
  const text = attached ?? (args.length === 2 ? args[1] : undefined)
  const count = text === undefined ? undefined : quantity(text)
  if (count === undefined || args.length > (attached === undefined ? 2 : 1)) return 'some'
  return `${short === 'c' || args[0]?.startsWith('--bytes') ? 'bytes' : 'lines'}:${count}`
}
