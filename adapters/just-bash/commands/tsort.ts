import { Printout } from './shared/bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

export const tsortCommand: OwnCommand = command('tsort', { usage: 'tsort [OPTION] [FILE]' }, run)

interface Item {
  readonly name: string
  /** Number of predecessors that are not printed yet. */
  before: number
  /** Successors, latest first. */
  readonly next: Item[]
  /** Successor on the path that `cutLoop` follows backwards. */
  link: Item | undefined
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const { operands } = parseOptions('tsort', args, 'version')
  checkOperands('tsort', operands, 0, 1)
  const file = operands[0] ?? '-'
  const words = (await told(file, () => bytesNamed(context, file))).split(/[ \t\n]+/).filter(Boolean)
  if (words.length % 2 === 1) throw new Failure(`${file}: input contains an odd number of tokens`)
  const out = new Printout(context)
  const report = new Report('tsort', out)
  const pace = new Pace(context)
  const left = itemsOf(words)
  while (left.length > 0) {
    const queue = left.filter(({ before }) => before === 0)
    for (const item of queue) {
      await pace.turn()
      out.put(`${item.name}\n`)
      item.before = -1
      for (const next of item.next) if (--next.before === 0) queue.push(next)
    }
    left.splice(0, left.length, ...left.filter(({ before }) => before > 0))
    if (left.length === 0) break
    report.fail(`${file}: input contains a loop:`)
    await cutLoop(left, report, pace)
  }
  return report.result(out.text())
}

/** Returns the items, sorted by name. */
function itemsOf(words: readonly string[]): Item[] {
  const items = new Map<string, Item>()
  const item = (name: string): Item => {
    const known = items.get(name) ?? { name, before: 0, next: [], link: undefined }
    items.set(name, known)
    return known
  }
  for (let at = 0; at < words.length; at += 2) {
    const [first, second] = [item(words[at] as string), item(words[at + 1] as string)]
    if (first === second) continue
    second.before++
    first.next.push(second)
  }
  for (const { next } of items.values()) next.reverse()
  return [...items.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Breaks a loop by removing the same relation as GNU tsort, and reports the members of the loop. */
async function cutLoop(items: readonly Item[], report: Report, pace: Pace): Promise<void> {
  let head: Item | undefined
  for (;;) {
    for (const item of items) {
      await pace.turn()
      if (!head) {
        head = item
        continue
      }
      const at = item.next.indexOf(head)
      if (at < 0) continue
      if (!item.link) {
        item.link = head
        head = item
        continue
      }
      tellLoop(head, item, report)
      item.next.splice(at, 1)
      head.before--
      for (const each of items) each.link = undefined
      return
    }
  }
}

function tellLoop(head: Item, last: Item, report: Report): void {
  for (let item: Item | undefined = head; item; item = item === last ? undefined : item.link) report.fail(item.name)
}
