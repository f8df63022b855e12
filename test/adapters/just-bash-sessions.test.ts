// @module-tag virtual-shell
import type { ShellAdapter, ShellProcess } from 'toolport'
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

interface Started {
  readonly process: ShellProcess
  readonly shell: ShellAdapter
  text(): string
  /** Resolves when the output contains `text`. */
  heard(text: string): Promise<void>
}

async function start(command: string, given = setup()): Promise<Started> {
  const { shell } = given
  let heard = ''
  let listeners: (() => void)[] = []
  const process = await (shell.spawn as NonNullable<ShellAdapter['spawn']>)(command, {
    onOutput: ({ text }) => {
      heard += text
      for (const each of listeners) each()
    },
  })
  return {
    process,
    shell,
    text: () => heard,
    heard: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!heard.includes(text)) return
          listeners = listeners.filter((each) => each !== check)
          resolve()
        }
        listeners.push(check)
        check()
      }),
  }
}

describe('input of a session', () => {
  it('is read line by line', async () => {
    const { process, heard } = await start('while IFS= read -r line; do echo "<$line>"; done; echo end')
    await process.write('one\n')
    await heard('<one>\n')
    await process.write('tw')
    await process.write('o ü\nthree')
    await heard('<two ü>\n')
    await process.closeInput?.()
    expect(await process.exited).toEqual({ exitCode: 0 })
    await heard('end\n')
  })

  it('is buffered up to 8 MiB, and further writes fail until a command reads', async () => {
    const { process } = await start('sleep 1000')
    const half = 'x'.repeat(4_000_000)
    await process.write(half)
    await process.write(half)
    await expect(process.write(half)).rejects.toMatchObject({ name: 'ShellError', code: 'input_full' })
    await process.kill('SIGKILL')
    const { exitCode } = await process.exited
    expect(exitCode).toBe(137)
    const again = await start('read -r -n 4000000 a; echo read; wc -c')
    await again.process.write(half)
    await again.heard('read\n')
    for (let i = 0; i < 2; i++) await again.process.write(half)
    await again.process.closeInput?.()
    await again.heard('8000000\n')
  })

  it('is consumed once, by the command that reads it', async () => {
    const { process, text } = await start('read a; read -n 2 b; read -r -d , c; echo "$a|$b|$c"; wc -l; cat; read d; echo "$? [$d]"')
    await process.write('first\nxyrest,1\n2\n')
    await process.closeInput?.()
    await process.exited
    expect(text()).toBe('first|xy|rest\n2\n1 []\n')
  })

  it('is awaited only by commands that read all of it', async () => {
    const others =
      'ls; echo a | cat; cat a.txt; grep -c . a.txt; sed -n 1p a.txt; sort a.txt; awk 1 a.txt; rg one; timeout 5 true; find . -name a.txt'
    const { process, heard, text } = await start(`${others}; echo ready; sort | tr a-z A-Z`, setup({ files: { 'a.txt': 'one\n' } }))
    await heard('ready\n')
    await process.write('b\n')
    await process.write('a\n')
    await process.closeInput?.()
    await process.exited
    expect(text()).toMatch(/ready\nA\nB\n$/)
  })

  it('reaches functions, subshells, substitutions, pipes and nested shells', async () => {
    const { process, text } = await start(
      'f() { read x; echo "f $x"; }; f; (read x; echo "sub $x"); y=$(read x; echo "got $x"); echo "$y"; { read x; echo "pipe $x"; } | cat; bash -c \'read x; echo "bash $x"\'; read z; echo "$z"',
    )
    await process.write('1\n2\n3\n4\n5\n6\n')
    await process.exited
    expect(text()).toBe('f 1\nsub 2\ngot 3\npipe 4\nbash 5\n6\n')
  })

  it('does not reach background jobs or commands with their own input', async () => {
    const { process, text } = await start(
      'cat & wait; cat < /dev/null; read x < a.txt; echo "$x"; cat <<< here; read x; echo "$x"',
      setup({ files: { 'a.txt': 'file\n' } }),
    )
    await process.write('mine\n')
    await process.exited
    expect(text()).toBe('file\nhere\nmine\n')
  })

  it('is awaited by read -t for the given time', async () => {
    const { process, text, heard } = await start(
      'read -t 0.02 x; echo "$? [$x]"; read -t 0; echo $?; read y; read -t 0 && echo more; read z; echo "$y $z"',
    )
    await heard('142 []\n1\n')
    await process.write('1\n2\n')
    await process.exited
    expect(text()).toBe('142 []\n1\nmore\n1 2\n')
  })

  it('may split a character, and is read by characters', async () => {
    const { process, text } = await start('read -n 1 a; read b; echo "$a-$b"; read -N 3 c; echo "[$c]"')
    await process.write('€uro\na\nb')
    await process.exited
    expect(text()).toBe('€-uro\n[a\nb]\n')
  })

  it('is rejected after the input is closed or the session has ended', async () => {
    const { process } = await start('read x; sleep 1000')
    await process.closeInput?.()
    await expect(process.write('x')).rejects.toMatchObject({ code: 'not_running' })
    await process.kill('SIGKILL')
    await process.exited
    await expect(process.write('x')).rejects.toMatchObject({ code: 'not_running' })
    await process.kill('SIGTERM')
    await process.closeInput?.()
  })
})

describe('a signal to a session', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', 137],
  ] as const)('%s ends it and its jobs', async (signal, exitCode) => {
    const { process, heard, shell } = await start('(while :; do sleep 0.01; echo x >> log; done) & echo ready; wait; echo never')
    await heard('ready\n')
    await process.kill(signal)
    expect(await process.exited).toEqual({ exitCode, signal })
    const first = (await shell.exec('wc -c < log 2> /dev/null; sleep 0.1')).stdout
    expect((await shell.exec('wc -c < log 2> /dev/null')).stdout).toBe(first)
  })

  it('runs its trap, which may choose another exit code', async () => {
    const { process, heard, text } = await start("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done")
    await heard('ready\n')
    await process.kill('SIGTERM')
    expect(await process.exited).toEqual({ exitCode: 5 })
    expect(text()).toBe('ready\nbye\n')
  })

  it('can be ignored, except for SIGKILL', async () => {
    const { process, heard } = await start('trap \'\' INT TERM; echo ready; while read x; do echo "<$x>"; done')
    await heard('ready\n')
    await process.kill('SIGINT')
    await process.kill('SIGTERM')
    await process.write('on\n')
    await heard('<on>\n')
    await process.kill('SIGKILL')
    expect(await process.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  })

  it('runs the EXIT trap', async () => {
    const { process, heard, text } = await start("trap 'echo clean' EXIT; echo ready; sleep 1000; echo never")
    await heard('ready\n')
    await process.kill('SIGTERM')
    expect(await process.exited).toEqual({ exitCode: 143, signal: 'SIGTERM' })
    expect(text()).toBe('ready\nclean\n')
  })
})

describe('concurrent sessions and commands', () => {
  it('ten concurrent sessions keep their outputs separate and do not block each other', async () => {
    const given = setup()
    const busy = await Promise.all([1, 2].map(() => start('while :; do :; done', given)))
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => start(`for n in 1 2 3 4 5; do echo ${i}-$n; done; read x; echo "${i} $x"`, given)),
    )
    await Promise.all(all.map(({ process }, i) => process.write(`in ${i}\n`)))
    await Promise.all(all.map(({ process }) => process.exited))
    expect(all.map(({ text }) => text())).toEqual(all.map((_, i) => `${[1, 2, 3, 4, 5].map((n) => `${i}-${n}\n`).join('')}${i} in ${i}\n`))
    expect((await given.shell.exec('echo works')).stdout).toBe('works\n')
    for (const { process } of busy) await process.kill('SIGKILL')
    for (const { process } of busy) expect(await process.exited).toMatchObject({ exitCode: 137 })
  })

  it('may print without limit in a session', async () => {
    const given = setup({ shell: { limits: { outputBytes: 100_000 } } })
    let length = 0
    const process = await given.shell.spawn?.('while :; do seq 1000; done', { onOutput: ({ text }) => (length += text.length) })
    await expect.poll(() => length).toBeGreaterThan(500_000)
    await process?.kill('SIGTERM')
    expect(await process?.exited).toMatchObject({ exitCode: 143 })
  })

  it('have their own limit on commands', async () => {
    const { process, text } = await start('echo a; while :; do :; done', setup({ shell: { limits: { commands: 500 } } }))
    expect(await process.exited).toEqual({ exitCode: 126 })
    expect(text()).toMatch(/^a\nbash: .*too many commands executed/)
  })
})
