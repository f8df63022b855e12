import type { Session } from 'toolport'
import { endOf } from './end-of.js'
import { createJobInput } from './job-input.js'
import { plainErrors } from './plain-errors.js'
import { createScreen } from './screen.js'
import { colour, SETTLE } from './sequences.js'

export interface JobView {
  focus(): void
  clear(): void
  dispose(): void
}

/** Shows the live output of a background session in `host`. Typed text is sent to the session's input. */
export function createJobView(host: HTMLElement, session: Session): JobView {
  const screen = createScreen(host)
  const { terminal } = screen
  let last = '\n'
  let ended = false

  terminal.write(`${colour('faint', `$ ${session.info.command}`)}\n`)
  const silence = session.onOutput(({ stream, text }) => {
    terminal.write(stream === 'stderr' ? colour('error', plainErrors(text)) : text)
    last = text.at(-1) ?? last
  })
  // Rejected input means that the session has ended, which is shown below.
  const ignore = (): undefined => undefined
  const input = {
    write: (text: string) => void session.write(text).catch(ignore),
    press: (key: string) => void session.press(key).catch(ignore),
  }
  const onLineData = createJobInput((text) => terminal.write(text), input)
  screen.onData((data) => {
    if (ended) return
    if (session.info.transport === 'pty') input.write(data)
    else onLineData(data)
  })
  terminal.onResize((size) => {
    if (session.info.transport === 'pty') void session.resize(size).catch(ignore)
  })
  void session.exited.then(() => {
    ended = true
    terminal.write(`${SETTLE}${last === '\n' ? '' : '\n'}${colour('faint', endOf(session))}\n`)
  })

  return {
    focus: () => terminal.focus(),
    clear: () => terminal.clear(),
    dispose() {
      silence()
      screen.dispose()
    },
  }
}
