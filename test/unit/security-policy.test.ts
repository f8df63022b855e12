// @module-tag runtime
import { describe, expect, test } from 'vitest'
import {
  createSecurityPolicy,
  DEFAULT_ALLOWED_COMMANDS,
  DEFAULT_FORBIDDEN_PATHS,
  type SecurityPolicy,
  type SecurityPolicyOptions,
} from '../../src/core/security/index.js'
import { splitShell } from '../../src/ops/shell-split.js'
import fc, { rounds } from '../fast-check.js'

test('the defaults are as documented cap:46 cap:105', () => {
  expect(createSecurityPolicy().settings).toEqual({
    autonomy: 'supervised',
    workspaceRoot: '/workspace',
    workspaceOnly: true,
    allowedCommands:
      'git npm cargo ls cat grep find echo pwd wc head tail date df du uname uptime hostname python python3 pip node free'.split(' '),
    forbiddenPaths: '/etc /root /home /usr /bin /sbin /lib /opt /boot /dev /proc /sys /var /tmp ~/.ssh ~/.gnupg ~/.aws ~/.config'.split(
      ' ',
    ),
    allowedRoots: [],
    maxActionsPerHour: 20,
    maxCostPerDayCents: 500,
    requireApprovalForMediumRisk: true,
    blockHighRiskCommands: true,
    allowedTools: null,
    excludedTools: [],
    autoApprove: null,
    alwaysAsk: [],
    shellTimeoutSecs: 60,
  })
  expect([DEFAULT_ALLOWED_COMMANDS.length, DEFAULT_FORBIDDEN_PATHS.length]).toEqual([23, 18])
})

const NONSENSE: readonly (readonly [options: SecurityPolicyOptions | { readonly [name: string]: unknown }, message: string])[] = [
  [{ autonomy: 'none' }, '"autonomy" is "none": use readonly, supervised, full'],
  [{ workspaceRoot: 'work' }, '"workspaceRoot" is "work": use an absolute path without ".."'],
  [{ workspaceOnly: 'yes' }, '"workspaceOnly" is "yes": use true or false'],
  [{ maxActionsPerHour: -1 }, '"maxActionsPerHour" is -1: use a whole number: 0 allows no action, null any number'],
  [{ maxActionsPerHour: Number.NaN }, '"maxActionsPerHour" is NaN'],
  [{ maxActionsPerHour: Infinity }, '"maxActionsPerHour" is Infinity'],
  [{ shellTimeoutSecs: 0 }, '"shellTimeoutSecs" is 0'],
  [{ allowedCommands: 'ls' }, '"allowedCommands" is "ls": use a list of names'],
  [{ allowedCommands: ['git status'] }, '"allowedCommands" has "git status": use names of programs'],
  [{ allowedCommands: ['git*'] }, '"allowedCommands" has "git*"'],
  [{ allowedTools: ['file_*'] }, '"allowedTools" has "file_*": use exact names'],
  [{ autoApprove: ['file_*'] }, '"autoApprove" has "file_*": use exact names, or "*" for every tool'],
  [{ forbiddenPaths: [''] }, '"forbiddenPaths" is [""]'],
  [{ allowedRoots: ['../x'] }, '"allowedRoots" is "../x": use an absolute path'],
  [{ allowedRoots: [{ path: '/x', access: 'rw' }] }, 'The allowed root "/x" has access "rw": use read-write, read-only, write-only'],
]

test('invalid options are rejected', () => {
  for (const [options, message] of NONSENSE) expect(() => createSecurityPolicy(options as SecurityPolicyOptions)).toThrow(message)
})

describe('checkPath cap:43 cap:44', () => {
  const policy = createSecurityPolicy({
    workspaceRoot: '/home/me/work',
    allowedRoots: [
      { path: '/ref', access: 'read-only' },
      { path: '/tmp/out', access: 'write-only' },
    ],
    forbiddenPaths: [...DEFAULT_FORBIDDEN_PATHS, 'secret'],
  })
  const verdicts = (access: 'read' | 'write', ...paths: string[]): unknown => paths.map((path) => policy.checkPath(path, access).allowed)
  test('allows paths inside, also below a forbidden path', () => {
    expect(verdicts('read', 'a', './a/b', '.', '', '/home/me/work', '/home/me/work/a', 'a..b', '..a', '[id]/x', 'a*b')).not.toContain(false)
    expect(verdicts('write', 'a', '/home/me/work/a')).not.toContain(false)
    expect(verdicts('read', '/home/me/workshop', '/home/me', '/', '/ref2', '/tmp')).not.toContain(true)
  })
  test('gives allowed roots their access', () => {
    expect(verdicts('read', '/ref/a', '/tmp/out/a')).toEqual([true, false])
    expect(verdicts('write', '/ref/a', '/tmp/out/a')).toEqual([false, true])
  })
  test('explains a rejection', () => {
    const reason = (path: string): string | undefined => policy.checkPath(path, 'read').reason
    expect(reason('a\0b')).toBe('the path "a\0b" is not allowed: it contains a NUL character')
    expect(reason('../x')).toBe('the path "../x" is not allowed: it contains "..": write a path without "..", relative to the workspace')
    for (const path of ['a/../b', '/home/me/work/..', 'a\\..\\b', '..']) expect(reason(path)).toContain('it contains ".."')
    for (const path of ['..%2fx', 'a/..%2Fx', '%2e%2e/x', '..%5cx']) expect(reason(path)).toContain('an encoded ".."')
    expect(reason('~root/x')).toContain('it names the home directory of a user')
    expect(reason('~/x')).toContain('it is outside the workspace "/home/me/work" and of "/tmp/out", "/ref"')
    expect(reason('secret/a')).toContain('"secret" is forbidden by the policy')
    expect(reason('/home/me/work/SECRET')).toContain('"secret" is forbidden by the policy')
    expect(reason('secrets')).toBeUndefined()
    expect(reason('C:\\x')).toContain('outside')
  })
  test('rejects writing with readonly autonomy', () => {
    expect(createSecurityPolicy({ autonomy: 'readonly' }).checkPath('a', 'write')).toEqual({
      allowed: false,
      reason: 'the path "a" is not allowed: the policy is read-only: writing is not allowed',
    })
    expect(createSecurityPolicy({ autonomy: 'readonly' }).checkPath('a', 'read')).toEqual({ allowed: true })
  })
  test('allows no path that leads outside', () => {
    const parts = fc.constantFrom('a', '..', '.', '', '/', '\\', '~', 'home', 'me', 'work', 'etc', '*', '%2f', 'C:')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), fc.constantFrom('', '/'), (list, start) => {
        const path = start + list.join('/')
        if (!policy.checkPath(path, 'write').allowed) return
        const steps = path.split(/[/\\]/)
        expect(steps).not.toContain('..')
        if (path.startsWith('/') || path.startsWith('\\')) {
          expect(`${steps.filter((step) => step !== '' && step !== '.').join('/')}/`).toMatch(/^(?:home\/me\/work|tmp\/out)\//)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('checkTool cap:105', () => {
  const actions = (options: SecurityPolicyOptions, ...names: string[]): unknown =>
    names.map((name) => createSecurityPolicy(options).checkTool(name).action)
  test('follows the lists', () => {
    expect(actions({}, 'shell', 'x')).toEqual(['allow', 'allow'])
    expect(actions({ allowedTools: [] }, 'shell')).toEqual(['deny'])
    expect(actions({ allowedTools: ['a'], excludedTools: ['b'] }, 'a', 'b', 'c')).toEqual(['allow', 'deny', 'deny'])
    expect(actions({ allowedTools: ['a'], excludedTools: ['a'] }, 'a')).toEqual(['deny'])
    expect(actions({ alwaysAsk: ['a'], autoApprove: ['a', 'b'] }, 'a', 'b', 'c')).toEqual(['ask', 'allow', 'ask'])
    expect(actions({ alwaysAsk: ['*'], allowedTools: ['a'] }, 'a', 'b')).toEqual(['ask', 'deny'])
    expect(actions({ autoApprove: ['*'] }, 'a')).toEqual(['allow'])
    expect(actions({ autonomy: 'full', autoApprove: [], alwaysAsk: ['b'] }, 'a', 'b')).toEqual(['allow', 'ask'])
    const typing = 'write_background_bash'
    expect([{}, { autonomy: 'full' as const }, { autoApprove: ['a'] }].flatMap((options) => actions(options, typing))).toEqual([
      'ask',
      'ask',
      'ask',
    ])
    expect(
      [{ autoApprove: [typing] }, { autoApprove: ['*'] }, { allowedTools: [typing] }].flatMap((options) => actions(options, typing)),
    ).toEqual(['allow', 'allow', 'allow'])
    expect(createSecurityPolicy({ allowedTools: [] }).checkTool('a').reason).toBe('the policy allows no tool at all')
  })

  test('asks about JavaScript unless it is listed, and readonly autonomy denies it', () => {
    const programs = [
      'run_js',
      'run_js_module',
      'start_background_js',
      'write_background_js',
      'install_js_packages',
      'create_persistent_tool',
    ]
    const all = (action: string): string[] => programs.map(() => action)
    for (const options of [{}, { autonomy: 'full' as const }, { autoApprove: ['a'] }])
      expect(actions(options, ...programs)).toEqual(all('ask'))
    for (const options of [{ autoApprove: programs }, { autoApprove: ['*'] }, { allowedTools: programs }])
      expect(actions(options, ...programs)).toEqual(all('allow'))
    expect(actions({ autonomy: 'readonly', allowedTools: programs, autoApprove: ['*'] }, ...programs)).toEqual(all('deny'))
    expect(actions({}, 'read_background_js', 'list_background_js', 'stop_background_js')).toEqual(['allow', 'allow', 'allow'])
    expect(createSecurityPolicy().checkTool('run_js').reason).toBe('JavaScript programs are not checked like commands')
  })
})

describe('reservations of actions cap:46 cap:105', () => {
  const HOUR = 3_600_000
  const clock = { time: 0 }
  const limited = (maxActionsPerHour: number | null): SecurityPolicy => createSecurityPolicy({ maxActionsPerHour, now: () => clock.time })
  const granted = (policy: SecurityPolicy, sender?: string): boolean => policy.reserve(sender).granted
  test('cannot exceed the limit in parallel, and cancelled ones do not count', () => {
    const policy = limited(2)
    const [a, b, c] = [policy.reserve(), policy.reserve(), policy.reserve()]
    expect([a.granted, b.granted]).toEqual([true, true])
    expect(c).toEqual({ granted: false, reason: 'Rate limit exceeded: too many actions in the last hour', retryAfterMs: HOUR })
    if (a.granted) a.cancel()
    if (a.granted) a.cancel()
    if (b.granted) b.commit()
    if (b.granted) b.cancel()
    expect([granted(policy), granted(policy)]).toEqual([true, false])
  })
  test('count within a sliding hour per sender', () => {
    const policy = limited(2)
    clock.time = 1000
    expect(granted(policy, 'a')).toBe(true)
    clock.time = 2000
    expect([granted(policy, 'a'), granted(policy, 'a'), granted(policy, 'b')]).toEqual([true, false, true])
    clock.time = 999 + HOUR
    expect(policy.reserve('a')).toMatchObject({ granted: false, retryAfterMs: 1 })
    clock.time = 1000 + HOUR
    expect([granted(policy, 'a'), granted(policy, 'a')]).toEqual([true, false])
    // The clock is set back.
    clock.time = 0
    expect(granted(policy, 'a')).toBe(true)
  })
  test('0 allows none, null is no limit, and the default is 20', () => {
    expect(limited(0).reserve()).toEqual({
      granted: false,
      reason: 'Rate limit exceeded: 0 actions per hour are allowed',
      retryAfterMs: Infinity,
    })
    const free = limited(null)
    expect(Array.from({ length: 1000 }, () => granted(free))).not.toContain(false)
    const usual = createSecurityPolicy()
    expect(Array.from({ length: 21 }, () => usual.reserve('x', 5).granted).filter(Boolean)).toHaveLength(20)
    expect(() => usual.reserve()).toThrow('Cannot reserve an action: the time is unknown')
    expect(() => usual.reserve('a', Number.NaN)).toThrow('Cannot reserve an action: the time is unknown')
  })
  test('reservations of many senders are not kept forever', () => {
    const policy = limited(1)
    for (let i = 0; i < 3000; i++) {
      clock.time = i * HOUR
      expect(granted(policy, `sender ${i}`)).toBe(true)
    }
  })
})

describe('cwd and variables of a command cap:105', () => {
  const policy = createSecurityPolicy({ forbiddenPaths: ['sub/secret'] })
  const reason = (options: Parameters<SecurityPolicy['checkCommand']>[1], command = 'ls'): string | undefined =>
    policy.checkCommand(command, options).reason
  test('cwd', () => {
    expect(reason({ cwd: '/workspace/sub' })).toBeUndefined()
    expect(reason({ cwd: '/tmp' })).toBe('commands may not run in "/tmp": it is outside the workspace "/workspace"')
    expect(reason({ cwd: '/workspace/sub' }, 'cat secret/x')).toContain('"sub/secret" is forbidden')
    expect(reason({ cwd: '/workspace' }, 'cat secret/x')).toBeUndefined()
  })
  test('env', () => {
    expect(reason({ env: { FOO: '1', NODE_ENV: 'x', LANG: 'C' } })).toBeUndefined()
    expect(
      reason({ env: { PATH: '/usr/bin:/home/me/bin', HOME: '/home/me', SHELL: '/bin/sh', PAGER: 'cat', GIT_PAGER: 'cat' } }),
    ).toBeUndefined()
    for (const [name, value] of Object.entries({
      PATH: '/usr/bin:.',
      LD_PRELOAD: 'x',
      BASH_ENV: 'x',
      GIT_SSH_COMMAND: 'x',
      PAGER: 'sh',
      HOME: '/workspace',
      'BASH_FUNC_ls%%': '() { rm; }',
      Path: '.',
    })) {
      expect(reason({ env: { [name]: value } })).toBe(
        `the variable "${name}" may not be set for a command: it can change which program runs`,
      )
    }
    for (const PATH of ['', '/usr/bin:', '/workspace/bin', '/tmp/x', '/usr/../tmp', '/usr/bin:/workspace'])
      expect(reason({ env: { PATH } })).toBeDefined()
  })
})

describe('properties of checkCommand cap:105', () => {
  const policy = createSecurityPolicy({ autonomy: 'full' })
  const parts = [
    'ls',
    'cat',
    'echo',
    'git',
    'rm',
    'find',
    '-exec',
    '-c',
    ' ',
    ' ',
    ' ',
    ';',
    '|',
    '&',
    '&&',
    '>',
    '<',
    '2>&1',
    '>/dev/null',
    '\n',
    '"',
    "'",
    '\\',
    '$',
    '$(',
    '`',
    '(',
    ')',
    '{',
    '}',
    ',',
    '*',
    '~',
    '/',
    '..',
    '/etc',
    '=',
    '#',
    '<<E\n',
    '\nE\n',
    'x',
    '\t',
    '\r',
    '\0',
    '\ud800',
    'é',
    '𝒳',
  ]
  const soup = fc
    .array(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...parts) }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) }),
      { maxLength: 12 },
    )
    .map((list) => list.join(''))

  test('any string gives a verdict, and a denial has a reason', () => {
    let allowed = 0
    fc.assert(
      fc.property(soup, (command) => {
        const check = policy.checkCommand(command)
        if (check.allowed) allowed++
        else expect(check.reason).toMatch(/./)
        expect(policy.commandRisk(command)).toBe(check.risk)
      }),
      { numRuns: rounds(50_000) },
    )
    expect(allowed).toBeGreaterThan(rounds(500))
  })

  test('an allowed command has no substitution, job or file redirection, and only listed names', () => {
    fc.assert(
      fc.property(soup, (command) => {
        if (!policy.checkCommand(command).allowed) return
        const line = splitShell(command)
        expect([line.unparsable, line.expansions, line.constructs]).toEqual([undefined, [], []])
        for (const { words, redirections, separator } of line.segments) {
          expect(separator).not.toBe('&')
          expect(redirections.every(({ safe }) => safe)).toBe(true)
          if (words[0]) expect(['ls', 'cat', 'echo', 'git', 'find']).toContain(words[0].text.replace(/.*\//, '').toLowerCase())
        }
      }),
      { numRuns: rounds(10_000) },
    )
  })

  test('text in single quotes is one argument', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const quoted = `echo '${text.replaceAll("'", `'\\''`)}'`
        const line = splitShell(quoted)
        if (line.unparsable) return
        expect(line.segments.map(({ words }) => words.map((word) => word.text))).toEqual([['echo', text]])
        expect(policy.checkCommand(quoted).allowed).toBe(true)
      }),
      { numRuns: rounds(5000) },
    )
  })

  test('quoting never allows a denied name', () => {
    const name = fc.constantFrom('rm', 'curl', 'sh', 'sudo', './x')
    fc.assert(
      fc.property(name, fc.infiniteStream(fc.constantFrom('', '\\', "''", '""')), soup, (word, marks, rest) => {
        const hidden = [...word].map((char) => `${marks.next().value ?? ''}${char}`).join('')
        expect(policy.checkCommand(`${hidden} ${rest}`).allowed).toBe(false)
        expect(policy.checkCommand(`ls; ${hidden}`).allowed).toBe(false)
      }),
      { numRuns: rounds(5000) },
    )
  })
})

test('a long command is rejected unread', () => {
  const policy = createSecurityPolicy()
  expect(policy.checkCommand(`echo ${'x'.repeat(1e6)}`).reason).toBe('the command is longer than 1000000 characters')
  expect(policy.checkCommand(`echo ${'x'.repeat(9e5)}`).allowed).toBe(true)
  expect(policy.checkCommand(`ls ${'.[a]/'.repeat(1.8e5)}`).allowed).toBe(true)
})
