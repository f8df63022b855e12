import { createInterface } from 'node:readline'

/** Questions that somebody is asked now. */
let asking = 0
/** What is to be printed when they have their answers. */
let held: string[] = []

/** Nothing is printed between the question that `work` asks and its answer: whoever types sees what they answer to. */
export async function whileAsking<T>(work: () => Promise<T>): Promise<T> {
  asking++
  try {
    return await work()
  } finally {
    if (--asking === 0) {
      const texts = held
      held = []
      for (const text of texts) process.stdout.write(text)
    }
  }
}

/** Asks on stderr. Only `y` and `yes` are a yes; an abort is a no. */
export function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  // Not as a terminal of its own: the system's line editing, and its Ctrl+C, stay.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      signal?.removeEventListener('abort', onAbort)
      resolve(answer)
      lines.close()
    }
    const onAbort = (): void => {
      process.stderr.write('\n')
      settle(false)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    lines.once('close', () => settle(false))
    lines.question(question, (answer) => settle(/^\s*y(es)?\s*$/i.test(answer)))
  })
}

/** On stdout, in the order of the calls; while somebody is asked, when they have answered. */
export function print(text: string): void {
  if (asking > 0) held.push(text)
  else process.stdout.write(text)
}

/** On one line, without a character that a terminal obeys: JSON itself lets DEL and the controls behind it through. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}
