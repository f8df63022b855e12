import { utf8Length } from '../../../src/ops/utf8.js'
import { equal } from '../runner.js'
import { fileHas, rejectsShell, untilThere } from '../shell/case.js'
import { endedWith, type SessionCase, type SessionCaseGroup } from './case.js'

const READER = 'while IFS= read -r line; do echo "<$line>"; done; echo "rest:$line"'

const inputCases: Readonly<Record<string, SessionCase>> = {
  'write: reaches read, line by line': async ({ start }) => {
    const running = await start('read first; echo "got $first"; read second; echo "and $second"')
    await running.process.write('one\n')
    await running.heard('got one\n')
    equal(running.isEnded(), false, 'whether it has ended')
    await running.process.write('two words\n')
    await endedWith(running, 0, 'got one\nand two words\n')
  },
  'write: before the command reads, it waits for it': async ({ workspace, start }) => {
    const running = await start(`${untilThere('go')}; read a; read b; echo "$a+$b"`)
    await running.process.write('one\n')
    await running.process.write('two\n')
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'one+two\n')
  },
  'write: several lines at once, and parts of lines': async ({ start }) => {
    const running = await start(READER)
    for (const part of ['a', 'b\nc', '\n\n', '  d\\', 'e  \nf']) await running.process.write(part)
    await running.heard('<ab>\n<c>\n<>\n<  d\\e  >\n')
    await running.process.closeInput?.()
    await endedWith(running, 0, '<ab>\n<c>\n<>\n<  d\\e  >\nrest:f\n')
  },
  'write: without waiting for the one before, the order stays': async ({ start }) => {
    const running = await start(READER)
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`)
    await Promise.all(lines.map((line) => running.process.write(line)))
    await running.process.closeInput?.()
    await endedWith(running, 0, `${lines.map((line) => `<${line.trimEnd()}>\n`).join('')}rest:\n`)
  },
  'write: UTF-8, character by character': async ({ start }) => {
    const running = await start(READER)
    for (const character of 'grün 🙂 日本\n') await running.process.write(character)
    await running.heard('<grün 🙂 日本>\n')
    await running.process.closeInput?.()
    await endedWith(running, 0, '<grün 🙂 日本>\nrest:\n')
  },
  'write: what one command leaves the next one reads': async ({ start }) => {
    const running = await start('read a; echo "a=$a"; read b; echo "b=$b"; cat')
    await running.process.write('1\n2\n3\n4\n')
    await running.process.closeInput?.()
    await endedWith(running, 0, 'a=1\nb=2\n3\n4\n')
  },
  'write: nothing at all': async ({ start }) => {
    const running = await start('read a; echo "[$a]"')
    await running.process.write('')
    await running.process.write('x\n')
    await endedWith(running, 0, '[x]\n')
  },
  'write: 2 MB are whole': async ({ workspace, start }) => {
    const text = '0123456\n'.repeat(262_144)
    const running = await start('cat > big.txt; wc -l < big.txt')
    await running.process.write(text)
    await running.process.closeInput?.()
    equal((await running.ended()).exitCode, 0)
    equal(running.text().trim(), '262144')
    equal((await workspace.stat('big.txt')).size, text.length)
  },
  'write: to one that never reads is settled when it ends': async ({ start, within }) => {
    const running = await start('echo ready; sleep 1000')
    await running.heard('ready\n')
    const writing = running.process.write('0123456\n'.repeat(131_072)).catch(() => {})
    await running.process.kill('SIGKILL')
    await running.ended()
    await within(writing, 'the write')
  },
  'write: after the end is refused as not_running': async ({ start }) => {
    const running = await start('exit 3')
    await running.ended()
    await rejectsShell(running.process.write('x\n'), 'not_running')
    await running.process.closeInput?.()
    equal((await running.ended()).exitCode, 3)
  },
  'closeInput: ends cat, wc and while read': async ({ start }) => {
    for (const [command, told] of [
      ['cat; echo end', 'ü\nb\nend\n'],
      ['while read -r line; do echo "<$line>"; done; echo end', '<ü>\n<b>\nend\n'],
      ['wc -c | tr -d " "', `${utf8Length('ü\nb\n')}\n`],
      ['sort -r | head -n 1', 'ü\n'],
    ] as const) {
      const running = await start(command)
      await running.process.write('ü\nb\n')
      await running.process.closeInput?.()
      await endedWith(running, 0, told)
    }
  },
  'closeInput: without any input, and twice': async ({ start }) => {
    const running = await start('cat; read x; echo "status $?"')
    await running.process.closeInput?.()
    await running.process.closeInput?.()
    await endedWith(running, 0, 'status 1\n')
  },
  'closeInput: write afterwards is refused as not_running': async ({ workspace, start }) => {
    const running = await start(`cat; ${untilThere('go')}; echo end`)
    await running.process.closeInput?.()
    await rejectsShell(running.process.write('x\n'), 'not_running')
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'end\n')
  },
  'closeInput: a session that does not read goes on': async ({ workspace, start }) => {
    const running = await start(`${untilThere('go')}; echo end > made; echo end`)
    await running.process.closeInput?.()
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'end\n')
    await fileHas(workspace, 'made', 'end\n')
  },
}

const processInputCases: Readonly<Record<string, SessionCase>> = {
  'processes: one that closes its input does not fail for what is written': async ({ workspace, start, within }) => {
    const running = await start(`exec < /dev/null; echo closed; ${untilThere('go')}; echo end`)
    await running.heard('closed\n')
    for (let i = 0; i < 3; i++)
      await within(
        running.process.write('x\n').catch(() => {}),
        'the write',
      )
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'closed\nend\n')
  },
}

export const inputGroups: readonly SessionCaseGroup[] = [{ cases: inputCases }, { needs: ['processes'], cases: processInputCases }]
