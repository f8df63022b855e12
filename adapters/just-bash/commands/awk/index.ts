import { textOf } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { command, Failure, TooLarge } from '../shared/failure.js'
import { told } from '../shared/files.js'
import { Pace } from '../shared/pace.js'
import { loadLongest, mayNeedLongest } from '../shared/regex/regex.js'
import { bytesNamed, codingOf } from '../shared/text-io.js'
import { analyze } from './analyze.js'
import { Exit, type Frame, type Outcome, Skip, type Step } from './code.js'
import { ExprCompiler } from './compile.js'
import { tokensOf } from './lexer.js'
import { parseAwk } from './parse.js'
import { Runtime } from './runtime.js'
import { compileStatement, type Ending } from './statements.js'
import type { AwkProgram, Rule } from './syntax.js'
import { MAX_TEXT, toNumber } from './values.js'

const USAGE = 'awk [-F fs][-v var=value][prog | -e prog | -f progfile][file ...]'

export const awkCommands: readonly OwnCommand[] = ['awk', 'gawk', 'mawk'].map((name) => command(name, { status: 2, usage: USAGE }, run))

interface Call {
  readonly source: string
  readonly operands: readonly string[]
  readonly assignments: readonly string[]
  readonly separator: string | undefined
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const call = await readCall(args, context)
  // Invalid UTF-8 bytes become escapes in the texts of awk and are written back unchanged.
  const coding = codingOf([], context.env)
  const program = await parsed(coding.argument(call.source), coding.unicode, new Pace(context))
  if (mayNeedLongest(call.source + call.assignments.join('') + (call.separator ?? ''))) await loadLongest()
  const runtime = new Runtime(context, coding, call.operands)
  for (const each of call.assignments) {
    const found = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(each)
    if (!found) throw new Failure(`improper assignment: -v ${each}`, 2)
    runtime.assign(found[1] as string, found[2] as string)
  }
  if (call.separator !== undefined) runtime.assign('FS', call.separator)
  const { streams } = runtime
  let status: number
  try {
    status = await execute(program, runtime)
    await streams.finish()
  } catch (error) {
    if (error instanceof TooLarge || (!(error instanceof Failure) && !(error instanceof RangeError))) throw error
    // Keep the output before the error.
    await streams.saveAll()
    streams.complain(error instanceof Failure ? error.message : rangeWords(error))
    status = 2
  }
  return streams.result(status & 0xff)
}

async function parsed(source: string, unicode: boolean, pace: Pace): Promise<AwkProgram> {
  try {
    const tokens = tokensOf(source, unicode)
    await pace.turn(tokens.length)
    const program = parseAwk(tokens)
    await pace.turn(tokens.length)
    return program
  } catch (error) {
    throw error instanceof RangeError ? new Failure(rangeWords(error), 2) : error
  }
}

/** Explains a RangeError of the JavaScript engine: a stack overflow or a string that is too long. */
const rangeWords = ({ message }: Error): string =>
  /stack/i.test(message) ? 'the program is nested too deeply' : `a text of more than ${MAX_TEXT} characters is not supported in this shell`

async function readCall(args: readonly string[], context: CommandContext): Promise<Call> {
  const rest = [...args]
  const [sources, assignments]: [string[], string[]] = [[], []]
  let separator: string | undefined
  for (let arg = rest[0]; arg?.startsWith('-') && arg !== '-'; arg = rest[0]) {
    rest.shift()
    if (arg === '--') break
    const long = /^--(field-separator|assign|file|source)(?:=([\s\S]*))?$/.exec(arg)
    const letter = long ? ({ 'field-separator': 'F', assign: 'v', file: 'f', source: 'e' } as const)[long[1] as 'file'] : arg[1]
    if (arg === '--re-interval') continue
    if (arg === '--version' || arg === '-W')
      throw new Failure('version information is not available: this is the awk of the virtual shell', 2)
    if (letter === undefined || !'Fvfe'.includes(letter) || (arg.startsWith('--') && !long)) {
      throw new Failure(`invalid option ${arg.startsWith('--') ? `'${arg}'` : `-- '${letter}'`}\nUsage: ${USAGE}`, 1)
    }
    const value = (long ? long[2] : arg.slice(2) || undefined) ?? rest.shift()
    if (value === undefined) throw new Failure(`option requires an argument -- ${letter}`, 2)
    if (letter === 'F') separator = value
    else if (letter === 'v') assignments.push(value)
    else if (letter === 'e') sources.push(value)
    else {
      const bytes = await told(value, () => bytesNamed(context, value), 2)
      sources.push(textOf(bytes))
    }
  }
  if (sources.length === 0) {
    const source = rest.shift()
    if (source === undefined) throw new Failure(`no program text\nUsage: ${USAGE}`, 1)
    sources.push(source)
  }
  return { source: sources.join('\n'), operands: rest, assignments, separator }
}

interface CompiledRule {
  readonly test: ReturnType<ExprCompiler['test']> | undefined
  readonly until: ReturnType<ExprCompiler['test']> | undefined
  readonly body: Step
  inRange: boolean
}

/** Runs the program. Resolves to its exit status. */
async function execute(program: AwkProgram, runtime: Runtime): Promise<number> {
  const compiler = new ExprCompiler(program, analyze(program), runtime)
  const ending: Ending = { status: 0 }
  for (const def of program.functions.values()) {
    compiler.scope = def
    compiler.setBody(def.name, compileStatement(compiler, def.body, ending))
  }
  compiler.scope = undefined
  const rulesOf = (when: Rule['when']): CompiledRule[] =>
    program.rules.flatMap((rule) => (rule.when === when ? [compileRule(compiler, rule, ending)] : []))
  const [begin, records, end] = [rulesOf('begin'), rulesOf('record'), rulesOf('end')]
  const frame: Frame = []
  try {
    for (const { body } of begin) await body.run(frame)
    if (records.length > 0 || end.length > 0) await eachRecord(records, runtime, frame)
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  // POSIX: after `exit` in another rule, the END rules still run. `exit` in END ends the program.
  try {
    for (const { body } of end) await body.run(frame)
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  return Math.trunc(toNumber(ending.status))
}

function compileRule(compiler: ExprCompiler, { test, until, body }: Rule, ending: Ending): CompiledRule {
  return {
    test: test && compiler.test(test),
    until: until && compiler.test(until),
    body: compileStatement(compiler, body ?? { kind: 'print', args: [], format: false, to: undefined }, ending),
    inRange: false,
  }
}

async function eachRecord(rules: readonly CompiledRule[], runtime: Runtime, frame: Frame): Promise<void> {
  for (;;) {
    const record = runtime.nextRecordHere() ?? (await runtime.nextRecord())
    if (record === undefined) return
    runtime.setRecord(record)
    await runtime.pace.turn(2 + (record.length >> 6))
    let outcome: Outcome = 'done'
    try {
      for (const rule of rules) {
        const chosen = rule.until
          ? await isInRange(rule, frame)
          : !rule.test || (rule.test.waits ? await rule.test.run(frame) : rule.test.run(frame))
        if (!chosen) continue
        outcome = rule.body.waits ? await rule.body.run(frame) : rule.body.run(frame)
        if (outcome === 'next' || outcome === 'nextfile') break
      }
    } catch (error) {
      if (!(error instanceof Skip)) throw error
      outcome = error.outcome
    }
    if (outcome === 'nextfile') runtime.skipFile()
  }
}

async function isInRange(rule: CompiledRule, frame: Frame): Promise<boolean> {
  if (!rule.inRange) {
    if (!(await rule.test?.run(frame))) return false
    rule.inRange = true
  }
  if (await rule.until?.run(frame)) rule.inRange = false
  return true
}
