import type { Arg } from '../args.js'
import { FINE, type Inspection } from './inspection.js'
import { scriptProblem } from './shells.js'

const INFORMS = /^(?:-v|-h|--version|--help|--v8-options|--completion-bash)$/
/** With a joined value or none: a value of its own would be taken for the script. */
const KNOWN = [
  /^--(?:no-)?(?:warnings|deprecation|enable-source-maps|expose-gc|preserve-symlinks(?:-main)?|abort-on-uncaught-exception)$/,
  /^--trace-(?:deprecation|exit|gc|promises|sigint|sync-io|tls|uncaught|warnings)$/,
  /^--(?:watch|watch-preserve-output|throw-deprecation|pending-deprecation|experimental-(?:strip-types|transform-types|vm-modules|sqlite))$/,
  /^--experimental-(?:test-coverage|test-module-mocks|permission|wasm-modules|websocket|fetch|detect-module|require-module)$/,
  /^--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|stack-size|unhandled-rejections|conditions|disable-warning)=[^=]*$/,
  /^--test-(?:only|force-exit|concurrency=\d+|timeout=\d+|name-pattern=.*|skip-pattern=.*|shard=.*|coverage-[a-z]+=.*|update-snapshots)$/,
  /^--test-reporter=(?:spec|tap|dot|junit|lcov)$/,
]

/** Options end at the first argument that is none: what follows is the script's own. */
export function inspectNode(args: readonly Arg[]): Inspection {
  let runsFiles = false
  for (const arg of args) {
    const { text } = arg
    if (text === '--') continue
    if (INFORMS.test(text)) return FINE
    if (!text.startsWith('-') || text === '-') return scriptLook(arg)
    const name = text.replaceAll('_', '-')
    if (name === '--test' || name === '-c' || name === '--check') runsFiles = name === '--test'
    else if (!KNOWN.some((known) => known.test(name))) return optionLook(text)
  }
  return runsFiles ? FINE : scriptLook(undefined)
}

function scriptLook(script: Arg | undefined): Inspection {
  if (script && /^(?:inspect|debug)$/.test(script.text)) return { problem: `with "${script.text}" starts a debugger` }
  const problem = scriptProblem(script)
  return problem === undefined ? FINE : { problem }
}

function optionLook(option: string): Inspection {
  const runs = /^-(?:[a-z]*[ep]|-ev|-pr)/.test(option)
  const name = option.replace(/=.*/s, '')
  if (runs) return { problem: `with ${name} runs a program from its arguments: write it to a file and run that` }
  return { problem: `with the option "${name}" may load or run something else: leave it out` }
}
