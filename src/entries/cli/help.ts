import { TOOL_GROUPS } from '../mcp/tool-list.js'
import { APPROVALS, COMPLETION_SHELLS, ENGINES, FORMATS, PRESET_NAMES, SHELLS } from './names.js'

/** Help of an option. */
interface OptionHelp {
  /** The syntax of the option, with a placeholder for the value. */
  readonly usage: string
  readonly text: string
  readonly commands?: readonly string[]
  /** Possible values for completion: words, files or directories. */
  readonly values?: readonly string[] | 'file' | 'directory'
}

const CALLING = ['call', 'run', 'mcp']
const WORKSPACE = ['call', 'run', 'tools', 'mcp']

/** Help of all options, in the order of the printed help. */
export const OPTION_HELP: Readonly<Record<string, OptionHelp>> = {
  root: {
    usage: '--root DIR',
    text: 'Work in this directory. Default: the current directory; "mcp" has no default. "mcp" takes several, each a directory of the workspace under its own name.',
    values: 'directory',
  },
  memory: { usage: '--memory', text: 'Work in memory. Nothing is kept.' },
  'root-from-client': {
    usage: '--root-from-client',
    text: 'Work in the directories that the client names as its roots, and follow their changes.',
    commands: ['mcp'],
  },
  seed: { usage: '--seed DIR', text: 'With --memory: start with a copy of this directory.', values: 'directory' },
  'read-only': { usage: '--read-only', text: 'Reject every change.' },
  'no-read-only': { usage: '--no-read-only', text: 'Allow changes although the configuration file says "readOnly".' },
  shell: {
    usage: '--shell NAME',
    text: `Runs the commands of "bash": ${SHELLS.join(', ')}. "node" is a real shell, which the workspace does not restrict; "virtual" is a bash in JavaScript. Default: virtual with --memory, else none.`,
    values: SHELLS,
  },
  js: {
    usage: '--js [NAME]',
    text: `Runs JavaScript: ${ENGINES.join(', ')}. "sandbox" (--js alone) reaches only the workspace; "node" is Node itself, for trusted programs. With an engine, the tools in .toolport/tools of the workspace are loaded. Default: none.`,
    values: ENGINES,
  },
  registry: {
    usage: '--registry URL',
    text: 'With --js: the package registry of "install_js_packages". Default: $TOOLPORT_REGISTRY, else none.',
  },
  preset: {
    usage: '--preset NAME',
    text: `The set of tools: ${PRESET_NAMES.join(', ')}. Default: standard.`,
    values: PRESET_NAMES,
    commands: [...WORKSPACE, 'replay'],
  },
  config: {
    usage: '--config FILE',
    text: 'The configuration file (.json or .mjs). Default: toolport.config.json or toolport.config.mjs in the current directory; "mcp" has no default. The command line overrides the file.',
    values: 'file',
    commands: [...WORKSPACE, 'replay'],
  },
  'no-config': { usage: '--no-config', text: 'Read no configuration file.', commands: [...WORKSPACE, 'replay'] },
  trust: {
    usage: '--trust',
    text: 'Trust toolport.config.mjs in the current directory, and with --js node the tools in .toolport/tools, until their content changes.',
    commands: [...WORKSPACE, 'replay'],
  },
  http: {
    usage: '--http',
    text: 'Serve HTTP on 127.0.0.1 instead of stdin and stdout. Clients send the token that stderr shows, or $TOOLPORT_MCP_TOKEN.',
    commands: ['mcp'],
  },
  port: { usage: '--port N', text: 'With --http: the port. Default: a free one.', commands: ['mcp'] },
  'no-token': { usage: '--no-token', text: 'With --http: let every program on this machine call the tools.', commands: ['mcp'] },
  tools: {
    usage: '--tools NAMES',
    text: `Offer only these tools or groups, separated by commas: ${TOOL_GROUPS.join(', ')}.`,
    values: TOOL_GROUPS,
    commands: ['mcp'],
  },
  compact: { usage: '--compact', text: 'List short descriptions and few optional parameters.', commands: ['mcp'] },
  'no-checkpoints': { usage: '--no-checkpoints', text: 'Take no automatic checkpoint before a change.', commands: ['mcp'] },
  timeout: { usage: '--timeout MS', text: 'The longest time for one call. Default: 120000.', commands: CALLING },
  approve: {
    usage: '--approve NAME',
    text: 'Who answers if the policy asks: ask (you, on the terminal), always or never. Default: "approve" of the configuration file, else ask. Without a terminal, ask denies the call; "mcp" asks the user of the client.',
    commands: CALLING,
    values: APPROVALS,
  },
  parallel: {
    usage: '--parallel N',
    text: 'Run up to N read-only calls, or N cases, at once. Results keep their order. Default: 1 call, 4 cases.',
    commands: ['run', 'eval'],
  },
  filter: { usage: '--filter TEXT', text: 'Run only cases with this text in their names.', commands: ['eval'] },
  bail: { usage: '--bail', text: 'Stop at the first failure.', commands: ['run'] },
  json: { usage: '--json', text: 'Print results as JSON, one object per line.', commands: ['call', 'run', 'tools', 'replay', 'eval'] },
  format: {
    usage: '--format NAME',
    text: `Print the tools as one JSON value for a provider: ${FORMATS.join(', ')}.`,
    commands: ['tools'],
    values: FORMATS,
  },
  strict: { usage: '--strict', text: 'With --format openai or openai-responses: use strict mode.', commands: ['tools'] },
  help: { usage: '--help, -h', text: 'Print the help; after a command, the help of that command.' },
  version: { usage: '--version, -V', text: 'Print the version.' },
}

interface CommandHelp {
  /** Operands and description of each form of the command. */
  readonly usage: readonly (readonly [operands: string, text: string])[]
  /** Additional paragraphs for the help of the command. */
  readonly more?: string
}

const INPUT = `Input
  key=value           a field; the tool's schema decides whether the value is text or JSON
  key:=json           a field whose value is JSON
  key=@file           a field whose value is the text of a file; "@-" is stdin, and "@@" stands for "@"
  '{"key": ...}'      the whole input as JSON; "-" reads it from stdin, "@file" from a file
`

export const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = {
  call: {
    usage: [
      ['<tool> [key=value...]', 'One call with these fields.'],
      ['<tool> [json | - | @file]', 'One call with this JSON as its input.'],
      ['-', 'One call from stdin: {"name": ..., "input": ...}.'],
    ],
    more: INPUT,
  },
  run: {
    usage: [['<file.jsonl | ->', 'Reads one call per line and prints one result per line.']],
    more: 'A line is {"name": "read_file", "input": {"path": "README.md"}, "id": "1"}; the id is optional.\n',
  },
  tools: { usage: [['[tool]', 'Lists the tools, or describes one with its parameters.']] },
  replay: {
    usage: [['<cassette.jsonl>', 'Prints a cassette and makes its calls again in memory. Stops at the first difference.']],
    more: 'Pass the --preset and the --config of the recording.\n',
  },
  eval: {
    usage: [['<file>', 'Runs the cases of a module, each over its own files in memory, and prints a table.']],
    more: 'The module (.mjs, .js, .ts) exports the options of "evaluate" of toolport/testing as its default.\n',
  },
  mcp: {
    usage: [['', 'Serves one MCP client on stdin and stdout until stdin ends, or many over HTTP.']],
    more: 'It needs --root or --memory, or --config with a file that has one of them, or --root-from-client.\n',
  },
  proxy: { usage: [['', 'Serves web search for the tools and keeps the API keys.']] },
  completion: {
    usage: [[COMPLETION_SHELLS.join(' | '), 'Prints the completions for this shell.']],
    more: `Add one line to the start-up file of the shell
  ~/.bashrc                    eval "$(toolport completion bash)"
  ~/.zshrc                     eval "$(toolport completion zsh)"
  ~/.config/fish/config.fish   toolport completion fish | source
`,
  },
}

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMAND_HELP)

/** Returns the names of a command's options. */
export function optionsOf(command: string): string[] {
  return Object.keys(OPTION_HELP).filter((name) => {
    const { commands = name === 'help' || name === 'version' ? COMMAND_NAMES : WORKSPACE } = OPTION_HELP[name] as OptionHelp
    return commands.includes(command)
  })
}

const WIDTH = 110
const COLUMN = 22

/** Returns the usage lines of a command: each form (`toolport call <tool> ...`) with its description. */
export function usageOf(command: string): string {
  const forms = COMMAND_HELP[command]?.usage ?? []
  const column = Math.max(...forms.map(([operands]) => operands.length)) + command.length + 14
  return forms.map(([operands, text]) => row(`toolport ${`${command} ${operands}`.trim()}`, text, column)).join('')
}

/** Formats the help of options. With `named`, an option that fewer than four commands support names these commands. */
function optionRows(names: readonly string[], named = false): string {
  return names
    .map((name) => {
      const { usage, text, commands = [] } = OPTION_HELP[name] as OptionHelp
      return row(usage, named && commands.length > 0 && commands.length < 4 ? `For ${commands.join(', ')}: ${text}` : text, COLUMN)
    })
    .join('')
}

function row(left: string, text: string, column: number): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line !== '' && column + line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line, at) => `${at === 0 ? `  ${left}`.padEnd(column - 1) : ' '.repeat(column - 1)} ${line}\n`).join('')
}

/** Returns the text that `toolport call --help` prints. */
export function commandHelp(command: string): string {
  const { more } = COMMAND_HELP[command] as CommandHelp
  return `Usage\n${usageOf(command)}\n${more === undefined ? '' : `${more}\n`}Options\n${optionRows(optionsOf(command))}`
}

/** Returns the text that `toolport --help` prints. */
export function help(): string {
  return `toolport: the tools of an AI agent, from the command line

Usage
${usage()}
"toolport help call" describes one command and its options.

${INPUT}
Options
${optionRows(Object.keys(OPTION_HELP), true)}
Exit status: 0 all calls succeeded, 1 a call failed, 2 the command line or the configuration file is wrong;
130, 143 or 129: Ctrl-C, SIGTERM or SIGHUP ended the command and aborted the call. A command of "bash" that
fails is an answer, not a failed call: its own exit code is in the result.
`
}

/** Returns the usage lines of all commands, one for each form. */
export function usage(): string {
  const column =
    Math.max(...COMMAND_NAMES.flatMap((name) => (COMMAND_HELP[name] as CommandHelp).usage.map(([words]) => name.length + words.length))) +
    14
  const rows = COMMAND_NAMES.flatMap((name) =>
    (COMMAND_HELP[name] as CommandHelp).usage.map(([operands, text]) => row(`toolport ${`${name} ${operands}`.trim()}`, text, column)),
  )
  return rows.join('')
}
