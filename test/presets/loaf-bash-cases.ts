import type { TableCall, TableCase } from './table.js'

interface Expected {
  readonly exit_code?: number | null
  readonly stdout?: string
  readonly stderr?: string
  readonly truncated_stdout?: boolean
  readonly truncated_stderr?: boolean
  readonly cwd_before?: string
  readonly cwd_after?: string
}

/** The answer of `bash`, with all fields in the documented order. */
function answer(command: string, expected: Expected): unknown {
  const { exit_code = 0, stdout = '', stderr = '', truncated_stdout = false, truncated_stderr = false } = expected
  const { cwd_before = '/workspace', cwd_after = cwd_before } = expected
  const ok = exit_code === 0
  return {
    ok,
    output: {
      status: ok ? 'ok' : 'error',
      mode: 'bash',
      shell: 'bash',
      shell_command: 'just-bash',
      shell_args: [],
      command,
      exit_code,
      signal: null,
      timed_out: false,
      aborted: false,
      duration_ms: 0,
      stdout,
      stderr,
      truncated_stdout,
      truncated_stderr,
      cwd_before,
      cwd_after,
      state_captured: true,
      session_updated: true,
    },
    ...(!ok && { error: `process failed (exit code ${exit_code})` }),
  }
}

const run = (command: string, expected: Expected, input: object = {}): TableCall => ({
  name: 'bash',
  input: { command, ...input },
  wire: answer(command, expected),
})

const refused = (input: object, message: string): TableCall => ({
  name: 'bash',
  input,
  wire: { ok: false, output: { status: 'invalid_input', message }, error: message },
})

export const loafBashCases: readonly TableCase[] = [
  {
    title: 'bash: both streams and the exit code, without the line ends of stdout cap:50',
    calls: [
      run('printf "a\\nb\\n\\n"; echo oops >&2', { stdout: 'a\nb', stderr: 'oops\n' }),
      run('exit 3', { exit_code: 3 }),
      run('cat', { stdout: '' }),
      run(
        'echo hi',
        { stdout: 'hi' },
        { full_terminal: true, terminal_cols: 80, terminal_rows: 24, session_name: 'x', run_in_background: 'yes' },
      ),
    ],
  },
  {
    title: 'bash: directory and variables are kept cap:50 cap:51 cap:52',
    files: { 'sub/f.txt': 'f\n', 'other/g.txt': 'g\n' },
    calls: [
      run('cd sub; export A=1', { cwd_after: '/workspace/sub' }),
      run('cat f.txt; echo $A', { stdout: 'f\n1', cwd_before: '/workspace/sub' }),
      // The new directory and variables persist although the command failed.
      run('false', { exit_code: 1, cwd_before: '/workspace/other' }, { cwd: '../other', env: { B: '2' } }),
      run('cat g.txt; echo $A$B', { stdout: 'g\n12', cwd_before: '/workspace/other' }),
      run('echo "[$A$B]"', { stdout: '[]' }, { reset_session: true }),
      run('echo "[$A]$C"', { stdout: '[]3', cwd_before: '/workspace/sub' }, { reset_session: true, cwd: 'sub', env: { C: '3' } }),
      // Only the value `true` resets the session.
      run('echo $C', { stdout: '3', cwd_before: '/workspace/sub' }, { reset_session: 'true' }),
    ],
  },
  {
    title: 'bash: rejects invalid input cap:22 cap:51',
    calls: [
      refused({}, 'bash requires a non-empty `command`.'),
      refused({ command: '  \n' }, 'bash requires a non-empty `command`.'),
      refused({ command: 'true', env: ['A'] }, 'bash `env` must be an object of string values.'),
      refused({ command: 'true', env: { A: 1 } }, 'bash `env.A` must be a string.'),
      refused({ command: 'true', env: { 'A=B': 'x' } }, 'bash `env.A=B` is no name of a variable.'),
      refused({ command: 'true', env: { A: 'x\0' } }, 'bash `env.A` must not contain a NUL character.'),
    ],
  },
  {
    title: 'bash: rejects a missing or outside directory and does not keep it cap:44 cap:51',
    calls: [
      {
        name: 'bash',
        id: 'b1',
        input: { command: 'pwd', cwd: 'none' },
        wire: {
          ok: false,
          output: { callId: 'b1', tool: 'bash', status: 'error' },
          error: 'ENOENT: Cannot run in "/workspace/none": no such file or directory',
        },
      },
      {
        name: 'bash',
        input: { command: 'pwd', cwd: '/etc' },
        wire: {
          ok: false,
          output: { callId: null, tool: 'bash', status: 'denied' },
          error: 'Cannot use path "/etc": it is outside the workspace "/workspace"',
        },
      },
      run('pwd', { stdout: '/workspace' }),
    ],
  },
  {
    title: 'bash: keeps the first 300,000 characters of each stream cap:54',
    calls: [
      run('seq 1 60000; seq 1 60000 >&2', {
        stdout: numbers(60_000).slice(0, 300_000).replace(/\n$/, ''),
        stderr: numbers(60_000).slice(0, 300_000),
        truncated_stdout: true,
        truncated_stderr: true,
      }),
    ],
  },
]

function numbers(to: number): string {
  return Array.from({ length: to }, (_, i) => `${i + 1}\n`).join('')
}
